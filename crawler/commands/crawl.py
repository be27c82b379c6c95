"""`scrapy crawl`, which checks arguments and storage before anything starts."""

import logging
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any

from scrapy import Spider, signals
from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings
from scrapy.spiderloader import get_spider_loader

from crawler.command_line import CommandWithExamples, say_aside
from crawler.config.arguments import JOB, SEARCH_ARGUMENTS, SITE_ARGUMENTS, WATCH_ARGUMENTS, ArgumentError
from crawler.download.browsers import check_impersonation
from crawler.exit_status import CrawlResult, ExitCode, result_of
from crawler.extensions.archive import check_warc
from crawler.extensions.runs import now, write_ending
from crawler.frontier.base import FrontierError
from crawler.frontier.opening import check_frontier
from crawler.garbage import freeze_startup_objects
from crawler.identities.base import IdentityError
from crawler.identities.opening import check_identities
from crawler.proxies.proxy_lists import check_proxies
from crawler.rendering.options import check_rendering
from crawler.services import services_of
from crawler.sources.source_catalog import check_sources
from crawler.stopping import StoppableCrawler
from crawler.strategies import check_topic
from pipelines.stores.base import StoreError
from pipelines.stores.opening import open_store, store_address
from pipelines.titles.opening import check_titles

logger = logging.getLogger(__name__)


def check_spider(settings: BaseSettings, name: str, given: Mapping[str, str]) -> tuple[type[Spider], Any]:
    """The spider and its parsed arguments. Raises ArgumentError or another ValueError if either is wrong."""
    loader = get_spider_loader(settings)
    try:
        spider = loader.load(name)
    except KeyError:
        raise ArgumentError(f"There is no spider {name!r}. There are: {', '.join(loader.list())}.") from None
    if (check := getattr(spider, "check_arguments", None)) is None:
        return spider, None
    arguments = check(**given)
    check_topic(arguments, settings)
    return spider, arguments


_SLOW_IF_DEEP = ("scrapy.core.downloader.tls", "scrapy.core.downloader.contextfactory")
"""Modules that inspect every stack frame on import; imported here, where the stack is short, they load three times faster."""


class Command(CommandWithExamples, ScrapyCrawl):
    """Scrapy's command; wrong arguments and settings are reported before the crawl starts."""

    examples = (
        "scrapy crawl site -a url=https://some.site/               all pages of a site; started again, it continues",
        "scrapy crawl site -a urls=FILE -a max_pages=500 -a depth=3    several sites, with limits",
        "scrapy crawl site -a topic=tax                            pages of a topic, found by following links",
        "scrapy crawl metasearch -a topic=tax                      pages of a topic, found by search engines",
        "scrapy crawl watch -a sites=FILE                          new pages of these sites within minutes, until stopped",
        "scrapy crawl site -a url=https://some.site/ -s FRONTIER_HOST_DELAY=0.5    with a setting changed",
    )
    usage = "[options] <spider>"
    summary = "Run a spider of the current project, by name"
    description = "Run a spider. A crawl that is started again with the same arguments continues where it stopped."

    def add_options(self, parser: ArgumentParser) -> None:
        """Scrapy's options, and the arguments of each spider."""
        super().add_options(parser)
        named = (("site", SITE_ARGUMENTS), ("metasearch", SEARCH_ARGUMENTS), ("watch", WATCH_ARGUMENTS))
        parser.epilog = "\n".join([*(_described(*each) for each in named), parser.epilog or ""])

    def process_options(self, args: list[str], opts: Namespace) -> None:
        """Raises UsageError for wrong settings, after logging it for a scheduled job."""
        try:
            super().process_options(args, opts)
        except UsageError as error:
            ending = CrawlResult(ExitCode.WRONG_ARGUMENTS, "wrong_arguments", str(error))
            self._apply_places(opts)
            if path := self.values["LOG_FILE"]:
                with suppress(OSError), open(path, "a", encoding="utf-8") as log:
                    print(ending, file=log)
            self._write_row(args, opts, ending)
            raise

    def _apply_places(self, opts: Namespace) -> None:
        """Apply the places of log and rows, if Scrapy has refused the settings before it applied them."""
        given = dict(pair.partition("=")[::2] for pair in opts.set)
        for name in ("LOG_FILE", "DATA_DIR", "STORE"):
            if name in given:
                self.values.set(name, given[name], priority="cmdline")
        if isinstance(opts.spargs, list):
            opts.spargs = dict(pair.partition("=")[::2] for pair in opts.spargs)

    def run(self, args: list[str], opts: Namespace) -> None:
        """Raises UsageError for wrong arguments and settings; otherwise sets the exit code of the crawl's result."""
        for name in _SLOW_IF_DEEP:
            import_module(name)
        process = self.process
        try:
            self._check(args, opts)
        except (ValueError, IdentityError) as error:
            self._refuse(args, opts, result_of("wrong_arguments", {}, str(error)))
            raise UsageError(str(error), print_help=False) from None
        except (StoreError, FrontierError) as error:
            reason = "frontier_unusable" if isinstance(error, FrontierError) else "store_unusable"
            ending = result_of(reason, {}, str(error))
            self._refuse(args, opts, ending)
            say_aside(ending.sentence)
            self.exitcode = ending.code
            return
        crawler = StoppableCrawler(process.spider_loader.load(args[0]), process.settings, init_reactor=True)
        crawler.signals.connect(freeze_startup_objects, signals.engine_started, weak=False)
        process.crawl(crawler, **opts.spargs)
        process.start()
        ending_of_crawl = services_of(crawler).ending
        if ending_of_crawl is None and not process.bootstrap_failed:
            ending_of_crawl = services_of(crawler).end("shutdown")
        self.exitcode = ending_of_crawl.code if ending_of_crawl is not None else ExitCode.FAILED

    def _check(self, args: list[str], opts: Namespace) -> None:
        """Raises ValueError, StoreError, FrontierError or IdentityError, each with a message for the operator."""
        process = self.process
        if len(args) != 1:
            raise ArgumentError("Name one spider: scrapy crawl site -a url=https://some.site/")
        settings = process.settings
        spider, arguments = check_spider(settings, args[0], opts.spargs)
        if (check_settings := getattr(spider, "check_settings", None)) is not None:
            check_settings(arguments, settings)
        check_sources(getattr(arguments, "sources", ()), settings)
        for check_part in (check_proxies, check_identities, check_rendering, check_impersonation, check_warc):
            check_part(settings)
        open_store(store_address(settings)).close()
        check_frontier(settings)
        check_titles(settings)

    def _refuse(self, args: list[str], opts: Namespace, ending: CrawlResult) -> None:
        """Report the refusal of a scheduled job in its log and in the table of runs."""
        if self.values["LOG_FILE"]:
            logger.error("%s", ending)
        self._write_row(args, opts, ending)

    def _write_row(self, args: list[str], opts: Namespace, ending: CrawlResult) -> None:
        """Add the refused job to the table of runs."""
        given = opts.spargs if isinstance(opts.spargs, dict) else {}
        if job := given.get(JOB, ""):
            arguments = {name: value for name, value in given.items() if name != JOB}
            row = {"key": job, "spider": args[0] if args else "", "job": job, "arguments": arguments}
            write_ending(self.values, row | {"started": now(), "pages": 0, "articles": 0, "errors": 0}, ending)


def _described(spider: str, arguments: Mapping[str, str]) -> str:
    lines = (f"  {name:<11}{meaning}" for name, meaning in arguments.items())
    return "\n".join([f"Arguments of the spider {spider} (-a NAME=VALUE):", *lines, ""])

"""`scrapy crawl`, with arguments and storage checked before anything starts."""

from argparse import Namespace

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.exceptions import UsageError

from crawler.command_line import CommandWithExamples
from crawler.download.browsers import check_impersonation
from crawler.frontier.base import FrontierError
from crawler.frontier.opening import check_frontier
from crawler.identities.base import IdentityError
from crawler.identities.opening import check_identities
from crawler.proxies.sources import check_proxies
from crawler.rendering.options import check_rendering
from crawler.strategies import check_topic
from extractors.titles import SnapshotError
from pipelines.stores.base import StoreError
from pipelines.stores.opening import open_store, store_address
from pipelines.titles.shared import check_titles


class Command(CommandWithExamples, ScrapyCrawl):
    """Scrapy's command; wrong arguments and settings are reported before the crawl starts."""

    examples = (
        "scrapy crawl site -a url=https://some.site/               all pages of a site; started again, it continues",
        "scrapy crawl site -a urls=FILE -a max_pages=500 -a depth=3    several sites, with limits",
        "scrapy crawl site -a topic=tax                            pages of a topic, found by following links",
        "scrapy crawl metasearch -a topic=tax                      pages of a topic, found by search engines",
        "scrapy crawl site -a url=https://some.site/ -s FRONTIER_HOST_DELAY=0.5    with a setting changed",
    )

    def long_desc(self) -> str:
        """Shown by --help."""
        return "Run a spider. A crawl that is started again with the same arguments continues where it stopped."

    def run(self, args: list[str], opts: Namespace) -> None:
        """Raises UsageError for wrong arguments and settings."""
        if len(args) != 1 or self.crawler_process is None:
            raise UsageError("Name one spider: scrapy crawl site -a url=https://some.site/", print_help=False)
        try:
            spider = self.crawler_process.spider_loader.load(args[0])
        except KeyError:
            known = ", ".join(self.crawler_process.spider_loader.list())
            raise UsageError(f"There is no spider {args[0]!r}. There are: {known}.", print_help=False) from None
        try:
            check = getattr(spider, "check_arguments", None)
            if check is not None:
                arguments = check(**opts.spargs)
                check_topic(arguments, self.crawler_process.settings)
                if (check_settings := getattr(spider, "check_settings", None)) is not None:
                    check_settings(arguments, self.crawler_process.settings)
            check_proxies(self.crawler_process.settings)
            check_identities(self.crawler_process.settings)
            check_rendering(self.crawler_process.settings)
            check_impersonation(self.crawler_process.settings)
            open_store(store_address(self.crawler_process.settings)).close()
            check_frontier(self.crawler_process.settings)
            check_titles(self.crawler_process.settings)
        except (ValueError, StoreError, FrontierError, IdentityError, SnapshotError) as error:
            raise UsageError(str(error), print_help=False) from None
        super().run(args, opts)

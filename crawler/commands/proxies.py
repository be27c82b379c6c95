"""`scrapy proxies`: whether proxies work, their speed, and what they reveal about their users."""

import argparse
import contextlib
import json
from dataclasses import asdict
from pathlib import Path

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from crawler.command_line import FetchingCommand, say
from crawler.config import shown
from crawler.config.sites import read_sites
from crawler.config.yaml_file import DeclarationError
from crawler.printed_tables import print_table
from crawler.proxies.judge import JudgeServer, ProxyVerdict, try_proxies
from crawler.proxies.proxy_lists import ProxyError, read_list, read_proxies, sources_of
from crawler.proxies.proxy_pool import Proxy


class Command(FetchingCommand):
    """Tests proxies with a judge, a page that shows the request it received; or runs a judge."""

    examples = (
        "scrapy proxies judge --port 8090            run a judge, on a machine that the proxies can reach",
        "scrapy proxies test --judge http://my.host:8090/     test every list that sites name",
        "scrapy proxies test proxies.txt --judge URL          test one list, or a provider's address",
        "scrapy proxies test --judge URL --json               for programs",
    )
    usage = "test|judge [LIST] [options]"
    summary = "Test proxies: alive, speed, exit address, what they reveal about us"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--judge", default="", metavar="URL", help="test: the judge (default: PROXY_JUDGE)")
        parser.add_argument("--seconds", type=float, default=15.0, metavar="N", help="test: seconds to wait (15)")
        parser.add_argument("--json", action="store_true", help="test: print JSON")
        parser.add_argument(
            "--port", type=int, default=8090, metavar="N", help="judge: where it listens (8090; 0: any)"
        )
        parser.add_argument("--address", default="0.0.0.0", metavar="A", help="judge: where it listens (all addresses)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for wrong arguments; the exit code is 1 unless every proxy works."""
        if args == ["judge"]:
            _judge(opts.address, opts.port)
        elif args and args[0] == "test" and len(args) <= 2:
            self._test(args[1:], opts, self.values)
        else:
            raise UsageError("Use: scrapy proxies test [LIST] --judge URL, or scrapy proxies judge", print_help=False)

    def _test(self, lists: list[str], opts: argparse.Namespace, settings: BaseSettings) -> None:
        judge = opts.judge or settings["PROXY_JUDGE"]
        if not judge.startswith(("http://", "https://")):
            message = "Name a judge with --judge URL: a page that shows the request it received. scrapy proxies judge runs one."
            raise UsageError(message, print_help=False)
        try:
            proxies = _proxies(settings, lists)
        except (ProxyError, DeclarationError) as error:
            raise UsageError(str(error), print_help=False) from None
        verdicts = try_proxies(self.process, proxies, judge, opts.seconds)
        self.exitcode = int(len(verdicts) < len(proxies) or not all(verdict.works for verdict in verdicts))
        if opts.json:
            print(json.dumps([asdict(verdict) for verdict in verdicts], indent=2))
        else:
            _show(verdicts)


def _proxies(settings: BaseSettings, lists: list[str]) -> list[Proxy]:
    """The proxies of the named lists, else of the sites' lists, each once. Raises ProxyError if there are none."""
    named = lists or sources_of(read_sites(settings))
    if not named:
        raise ProxyError("No site's file names `proxies`: name a list to test.")
    found: dict[str, Proxy] = {}
    for source in named:
        here = Path(source)
        listed = (
            read_proxies(here.read_text(encoding="utf-8"), source) if here.is_file() else read_list(settings, source)
        )
        found |= {proxy.label: proxy for proxy in listed}
    return list(found.values())


def _show(verdicts: list[ProxyVerdict]) -> None:
    rows = []
    for verdict in sorted(verdicts, key=lambda each: (not each.works, each.seconds)):
        facts = (f"{verdict.seconds:.2f}", verdict.exit_address or "-", shown(verdict.secrecy))
        works = shown("yes" if verdict.works else f"no: {verdict.said}")
        rows.append((verdict.label, works, *(facts if verdict.works else ("-", "-", ""))))
    print_table(("proxy", "works", "seconds", "exit address", "secrecy"), rows)
    say(f"{sum(verdict.works for verdict in verdicts)} of {len(verdicts)} work")


def _judge(address: str, port: int) -> None:
    try:
        server = JudgeServer(address, port)
    except OSError as error:
        raise UsageError(f"The judge cannot listen at {address}:{port}: {error.strerror}", print_help=False) from None
    say(f"Listening at {address}:{server.server_port}; Ctrl-C ends it.")
    with contextlib.suppress(KeyboardInterrupt), server:
        server.serve_forever()

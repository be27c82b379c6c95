"""`scrapy doctor`: faults of this installation, and how to solve them."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import asdict
from urllib.parse import urlsplit

from rich.cells import set_cell_size
from rich.console import Console
from scrapy.exceptions import UsageError

from crawler.checks import Finding, run_check
from crawler.command_line import FetchingCommand, write_out
from crawler.config import shown
from crawler.download.one_shot import fetch_page
from crawler.frontier.opening import is_shared
from crawler.links.robots_rules import RobotsRules
from extractors.links.urls import canonical_url

_MARKS = {"ok": ("green", "ok"), "warning": ("yellow", "warning"), "fault": ("red", "FAULT")}
_MARK_COLUMNS = 8

CHECKS = (
    "crawler.checks.installation.python",
    "crawler.checks.installation.packages",
    "crawler.checks.installation.shadows",
    "crawler.checks.installation.compiled",
    "crawler.checks.installation.weights",
    "crawler.checks.installation.disk",
    "crawler.checks.installation.dns",
    "crawler.checks.servers.database",
    "crawler.checks.servers.mongo",
    "crawler.checks.servers.frontier",
    "crawler.checks.configuration.engines",
    "crawler.checks.configuration.robots",
    "crawler.checks.configuration.safety",
    "crawler.checks.configuration.parts",
    "crawler.checks.configuration.sites",
    "crawler.checks.configuration.plan",
    "crawler.checks.site_health.identities",
    "crawler.checks.site_health.health",
    "crawler.checks.site_health.bans",
    "crawler.checks.site_health.lists",
    "crawler.checks.configuration.sources",
    "crawler.checks.configuration.warc",
    "crawler.checks.configuration.rendering",
    "crawler.checks.configuration.impersonation",
    "analysis.alerts.checking.alerts",
)
"""Paths of functions from settings to findings."""
CLUSTER_CHECKS = ("crawler.checks.servers.redis",)


class Command(FetchingCommand):
    """Runs the checks; with a URL it also fetches that site's robots.txt."""

    examples = (
        "scrapy doctor                          check this installation",
        "scrapy doctor https://some.site/       also check whether that site admits us",
        "scrapy doctor --json                   for programs",
        "SCRAPY_PROJECT=cluster scrapy doctor   also check the Redis and MongoDB of the nodes",
    )
    usage = "[options] [URL]"
    summary = "Check the installation and say what to do about each fault"
    description = (
        "Check Python, packages, disk, DNS, database, engines, sites and settings; with a URL, also whether that "
        "site answers and its robots.txt allows the URL. The exit code is 1 if there is a fault."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print JSON instead of lines")

    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) > 1 or (args and not canonical_url(args[0])):
            raise UsageError("Name at most one address, like https://some.site/", print_help=False)
        found = list(self._findings(args))
        self.exitcode = int(any(finding.state == "fault" for finding in found))
        if opts.json:
            write_out(json.dumps([asdict(finding) for finding in found], ensure_ascii=False, indent=2))
        else:
            _show(found)

    def _findings(self, args: list[str]) -> Iterator[Finding]:
        for name in (*CHECKS, *(CLUSTER_CHECKS if is_shared(self.values) else ())):
            yield from run_check(name, self.values)
        if args:
            yield self._site(args[0])

    def _site(self, url: str) -> Finding:
        """Whether the site answers and its robots.txt allows the URL."""
        parts = urlsplit(url)
        fetched = fetch_page(self.process, f"{parts.scheme}://{parts.netloc}/robots.txt")
        if fetched.error or fetched.status >= 500:
            message = (
                fetched.error or f"robots.txt answers HTTP {fetched.status}: the site is not crawled until that changes"
            )
            return Finding(
                "fault", parts.netloc, message, "Open the address in a browser on this machine; try again later."
            )
        rules = RobotsRules(fetched.body if fetched.status == 200 else b"")
        if not rules.allowed(url, self.values["USER_AGENT"]):
            advice = "Choose other start pages, or ask the site's owner for access."
            return Finding("fault", parts.netloc, f"its robots.txt forbids {url}", advice)
        return Finding("ok", parts.netloc, f"answers, and its robots.txt allows {url}")


def _show(found: list[Finding]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for finding in found:
        style, mark = _MARKS[finding.state]
        console.print(set_cell_size(shown(mark), _MARK_COLUMNS), style=style, end="")
        console.print(f"{shown(finding.subject)}: {shown(finding.message)}", markup=False)
        if finding.advice:
            console.print(f"         {shown(finding.advice)}", markup=False, style="dim")
    faults = sum(finding.state == "fault" for finding in found)
    console.print(shown("No faults." if not faults else "1 fault." if faults == 1 else f"{faults} faults."))

"""`scrapy frontier`: what a crawl has before it, under way and given up."""

import argparse
import sys
import time
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.table import Table
from scrapy.exceptions import UsageError
from scrapy.spiderloader import SpiderLoader

from crawler.command_line import QuietCommand
from crawler.config.arguments import ArgumentError
from crawler.config.sites import Sites, read_sites
from crawler.config.yaml_file import DeclarationError
from crawler.frontier.base import Accounts, FrontierError, ManagedFrontier
from crawler.frontier.opening import known_crawls, open_for_operator
from crawler.frontier.rebuilding import rebuild
from crawler.frontier.requests import stored_url
from pipelines.stores.base import StoreError
from pipelines.stores.opening import open_store

_ACTIONS = ("status", "dead", "requeue", "purge", "rebuild")


class Command(QuietCommand):
    """Looks at the frontier of a crawl, also while it runs, and takes it in hand."""

    takes_words = True
    examples = (
        "scrapy frontier status                     every crawl: queued, under way, done, dead",
        "scrapy frontier status CRAWL               the same per host, who holds what and since when",
        "scrapy frontier dead CRAWL > dead.tsv      pages given up after five attempts: URL, host, attempts, reason",
        "scrapy frontier requeue CRAWL --host some.site    try those of one host again",
        "scrapy frontier purge CRAWL --yes          forget queue and what was seen; stored pages stay",
        "scrapy frontier rebuild -a url=https://some.site/    queue the stored links that were not visited, after a loss",
        "SCRAPY_PROJECT=cluster scrapy frontier status     on the Redis of the nodes",
    )

    def syntax(self) -> str:
        """See `ScrapyCommand.syntax`."""
        return f"{'|'.join(_ACTIONS)} [CRAWL] [options]"

    def short_desc(self) -> str:
        """See `ScrapyCommand.short_desc`."""
        return "Show a crawl's queue, leases and dead requests; queue the dead again; forget a crawl"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Its own options."""
        super().add_options(parser)
        parser.add_argument("--host", default="", help="only this host (dead, requeue)")
        parser.add_argument("--hosts", type=int, default=20, metavar="N", help="hosts shown by status (default 20)")
        parser.add_argument("--spider", default="site", help="whose crawl is rebuilt (default site)")
        parser.add_argument(
            "-a",
            dest="arguments",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="rebuild: the arguments with which the crawl was started",
        )
        parser.add_argument("--yes", action="store_true", help="purge without asking")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for words that make no sense."""
        if not 1 <= len(args) <= 2 or args[0] not in _ACTIONS:
            raise UsageError(f"Say one of {', '.join(_ACTIONS)}, and which crawl.")
        try:
            if args[0] == "rebuild":
                self._rebuild(args[1:], opts)
                return
            names = known_crawls(self.values)
            if args[0] == "status" and len(args) == 1:
                self._overview(names)
            elif name := self._one_of(names, args[1:]):
                self._act(args[0], name, opts)
        except (FrontierError, StoreError, ArgumentError, DeclarationError) as error:
            self.fail(error)

    def _rebuild(self, given: list[str], opts: argparse.Namespace) -> None:
        arguments = dict(word.split("=", 1) for word in opts.arguments if "=" in word)
        if given:
            arguments["crawl"] = given[0]
        spider: Any = SpiderLoader.from_settings(self.values).load(opts.spider)(**arguments)
        store = open_store(self.values["STORE"], must_exist=True)
        frontier = open_for_operator(self.values, spider.crawl_name, to_change=True)
        try:
            marked, queued = rebuild(frontier, store, spider, spider.scope.holds)
            print(f"{spider.crawl_name}: {marked:,} visited pages marked, {queued:,} links queued")
        finally:
            frontier.close()
            store.close()

    def _one_of(self, names: list[str], given: list[str]) -> str:
        if given and given[0] in names:
            return given[0]
        if not given and len(names) == 1:
            return names[0]
        there = "There are: " + ", ".join(names) if names else "There is none yet"
        self.fail((f"There is no crawl {given[0]!r}. " if given else "Say which crawl. ") + f"{there}.", 2)
        return ""

    def _act(self, action: str, name: str, opts: argparse.Namespace) -> None:
        frontier = open_for_operator(self.values, name, to_change=action in ("requeue", "purge"))
        try:
            if action == "status":
                _show(name, frontier, opts.hosts, read_sites(self.values))
            elif action == "dead":
                _list_dead(frontier, opts.host)
            elif action == "requeue":
                print(f"{frontier.requeue(opts.host):,} requests queued again")
            elif opts.yes or _agrees(name, frontier.accounts()):
                print(f"{frontier.purge():,} requests forgotten, and all that was seen")
        finally:
            frontier.close()

    def _overview(self, names: Iterable[str]) -> None:
        table = _table("crawl", "enqueued", "queued", "under way", "done", "dead")
        for name in names:
            frontier = open_for_operator(self.values, name, to_change=False)
            table.add_row(name, *_numbers(frontier.accounts()))
            frontier.close()
        if table.row_count:
            _print(table)
        else:
            print("No crawl has begun here yet.", file=sys.stderr)


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place == 0 else "right", overflow="fold")
    return table


def _print(table: Table) -> None:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 200
    console.print(table)


def _numbers(accounts: Accounts) -> list[str]:
    parts = (accounts.enqueued, accounts.queued, accounts.leased, accounts.done, accounts.dead)
    return [f"{number:,}" for number in parts]


def _show(name: str, frontier: ManagedFrontier, most_hosts: int, sites: Sites) -> None:
    accounts = frontier.accounts()
    enqueued, queued, leased, done, dead = _numbers(accounts)
    print(f"{name}: {enqueued} enqueued = {queued} queued + {leased} under way + {done} done + {dead} dead\n")
    hosts = list(frontier.hosts())
    have_hours = any(site.hours for site in sites.all())
    table = _table("host", "queued", "under way", "dead", *(["hours"] if have_hours else []))
    for host in hosts[:most_hosts]:
        hours = [_asked_when(sites, host.host)] if have_hours else []
        table.add_row(host.host or "-", f"{host.queued:,}", f"{host.leased:,}", f"{host.dead:,}", *hours)
    if hosts:
        _print(table)
    if len(hosts) > most_hosts:
        print(f"… and {len(hosts) - most_hosts:,} more hosts (--hosts N)")
    _show_nodes(frontier)


def _asked_when(sites: Sites, host: str) -> str:
    """Whether the host may be asked now by its hours, and else from when on, by its own clock."""
    site, now = sites.of(host), time.time()
    if site.asked_in is None:
        return "always"
    if (opens := site.asked_in.opens(now)) <= now:
        return "open"
    return f"from {datetime.fromtimestamp(opens, ZoneInfo(site.zone)):%m-%d %H:%M} {site.zone}"


def _show_nodes(frontier: ManagedFrontier) -> None:
    oldest: dict[str, float] = {}
    for lease in frontier.leased():
        owner = lease.owner.partition(":")[0]
        oldest[owner] = min(lease.since, oldest.get(owner, lease.since))
    table = _table("held by", "under way", "oldest, s", "runs out in, s")
    now = time.time()
    for node in frontier.nodes():
        age = f"{max(0.0, now - oldest[node.owner]):.0f}" if node.owner in oldest else "-"
        table.add_row(node.owner, f"{node.leased:,}", age, f"{node.seconds_left:.0f}")
    if table.row_count:
        print()
        _print(table)


def _list_dead(frontier: ManagedFrontier, host: str) -> None:
    for request in frontier.dead():
        if not host or request.host == host:
            reason = " ".join(request.reason.split())
            print(stored_url(request.payload), request.host, request.attempts, reason, sep="\t")


def _agrees(name: str, accounts: Accounts) -> bool:
    if not sys.stdin.isatty():
        raise FrontierError("Nobody can be asked here; add --yes to forget the crawl.")
    answer = input(f"Forget the crawl {name} with {accounts.queued:,} queued requests? [y/N] ")
    return answer.strip().lower() in ("y", "yes")

"""`scrapy frontier`: the queue, the requests under way and the dead requests of a crawl."""

import argparse
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import datetime
from itertools import islice
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from scrapy import Request, Spider
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings
from scrapy.spiderloader import SpiderLoader

from crawler.command_line import QuietCommand, is_confirmed, say, say_aside, write_out
from crawler.config import shown
from crawler.config.arguments import ArgumentError
from crawler.config.sites import Sites, read_sites
from crawler.config.topics import read_topic, topic_path
from crawler.config.yaml_file import DeclarationError, settings_folder
from crawler.frontier.base import Accounts, FrontierError, ManagedFrontier, Queue, QueueEntry
from crawler.frontier.opening import known_crawls, open_for_operator
from crawler.frontier.requests import dump_request, request_key, stored_url
from crawler.links.scope import Scope
from crawler.meta import DEPTH_KEY, FOUND_BY_KEY
from crawler.printed_tables import print_table
from crawler.priorities import SITE_SCALE, priority_of
from crawler.strategies.base import shape_score
from pipelines.stores.base import Condition, Store, StoreError
from pipelines.stores.tables import LET_IN, LINKS, SITES, URLS

_BATCH_REQUESTS = 1000
_SETTLED = ("fetched", "unchanged", "redirected", "irrelevant", "dead", "other")


def rebuild(
    frontier: Queue,
    store: Store,
    spider: Spider,
    in_scope: Callable[[str], bool],
    priority: Callable[[str], int],
) -> tuple[int, int]:
    """Mark visited pages in scope as seen, then queue every stored link in scope that was not visited; returns (marked, queued).

    `priority` gives the priority of a URL; the page with the link is unknown.
    """
    marked = sum(len(part) for part in _pushed(frontier, _visited(store, in_scope)))
    queued = sum(sum(part) for part in _pushed(frontier, _unvisited(store, spider, in_scope, priority)))
    frontier.flush()
    return marked, queued


def _pushed(frontier: Queue, entries: Iterator[QueueEntry]) -> Iterator[list[bool]]:
    while part := list(islice(entries, _BATCH_REQUESTS)):
        yield frontier.push(part)


def _visited(store: Store, in_scope: Callable[[str], bool]) -> Iterator[QueueEntry]:
    for row in store.select(URLS, columns=("url", "state")):
        if row["state"] in _SETTLED and in_scope(row["url"]):
            yield QueueEntry(request_key(Request(row["url"])), (urlsplit(row["url"]).hostname or "").lower(), 0, b"")


def _unvisited(
    store: Store, spider: Spider, in_scope: Callable[[str], bool], priority: Callable[[str], int]
) -> Iterator[QueueEntry]:
    meta = {DEPTH_KEY: 1, FOUND_BY_KEY: "rebuild"}
    for row in store.select(LINKS, columns=("page", "links")):
        for url, *_ in row["links"] or ():
            if not url.startswith(("http://", "https://")) or not in_scope(url):
                continue
            request = Request(url, spider.parse, meta=meta, priority=priority(url))
            host = (urlsplit(url).hostname or "").lower()
            yield QueueEntry(request_key(request), host, request.priority, dump_request(request, spider, host))


def _scope_of(settings: BaseSettings, store: Store, spider: Any) -> Scope:
    """The scope of a spider that does not run: its start pages or its topic's seeds, and the sites that it has admitted."""
    asked = spider.arguments
    urls = asked.urls or (read_topic(topic_path(settings_folder(settings), asked.topic)).seeds if asked.topic else ())
    scope = Scope(list(urls), list(asked.allow))
    admitted = [Condition("crawl", "=", spider.crawl_name), Condition("state", "=", LET_IN)]
    for row in store.select(SITES, admitted, columns=("host",)):
        scope.widen(f"https://{row['host']}/")
    return scope


_ACTIONS = ("status", "dead", "requeue", "purge", "rebuild")


class Command(QuietCommand):
    """Shows and changes the frontier of a crawl, even while the crawl runs."""

    takes_arguments = True
    examples = (
        "scrapy frontier status                     every crawl: queued, under way, done, dead",
        "scrapy frontier status CRAWL               one crawl per host and per node",
        "scrapy frontier dead CRAWL > dead.tsv      pages given up after five attempts: URL, host, attempts, reason",
        "scrapy frontier requeue CRAWL --host some.site    queue the dead requests of one host again",
        "scrapy frontier purge CRAWL --yes          delete the queue and the seen URLs; stored pages stay",
        "scrapy frontier rebuild -a url=https://some.site/    after a loss: queue stored links that were not visited",
        "SCRAPY_PROJECT=cluster scrapy frontier status     on the Redis of the nodes",
    )
    usage = f"{'|'.join(_ACTIONS)} [CRAWL] [options]"
    summary = "Show a crawl's queue, leases and dead requests; queue the dead again; delete a crawl's queue"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--host", default="", help="only this host (dead, requeue)")
        parser.add_argument("--hosts", type=int, default=20, metavar="N", help="hosts shown by status (default 20)")
        parser.add_argument("--spider", default="site", help="rebuild: the spider (default site)")
        parser.add_argument(
            "-a",
            dest="arguments",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="rebuild: the arguments of the crawl",
        )
        parser.add_argument("--yes", action="store_true", help="purge without a question")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not 1 <= len(args) <= 2 or args[0] not in _ACTIONS:
            raise UsageError(f"Use one of {', '.join(_ACTIONS)}, and name a crawl.")
        with self.reporting(FrontierError, StoreError, ArgumentError, DeclarationError):
            if args[0] == "rebuild":
                self._rebuild(args[1:], opts)
                return
            names = known_crawls(self.values)
            if args[0] == "status" and len(args) == 1:
                self._overview(names)
            elif name := self._one_of(names, args[1:]):
                self._act(args[0], name, opts)

    def _rebuild(self, given: list[str], opts: argparse.Namespace) -> None:
        arguments = dict(word.split("=", 1) for word in opts.arguments if "=" in word)
        if given:
            arguments["crawl"] = given[0]
        spider: Any = SpiderLoader.from_settings(self.values).load(opts.spider)(**arguments)
        with (
            self.store() as store,
            closing(open_for_operator(self.values, spider.crawl_name, to_change=True)) as frontier,
        ):
            marked, queued = rebuild(
                frontier,
                store,
                spider,
                _scope_of(self.values, store, spider).holds,
                lambda url: priority_of(shape_score(url), SITE_SCALE),
            )
            say(f"{spider.crawl_name}: {marked:,} visited pages marked, {queued:,} links queued")

    def _one_of(self, names: list[str], given: list[str]) -> str:
        if given and given[0] in names:
            return given[0]
        if not given and len(names) == 1:
            return names[0]
        there = "There are: " + ", ".join(names) if names else "There is none yet"
        self.fail((f"There is no crawl {given[0]!r}. " if given else "Name the crawl. ") + f"{there}.", 2)
        return ""

    def _act(self, action: str, name: str, opts: argparse.Namespace) -> None:
        with closing(open_for_operator(self.values, name, to_change=action in ("requeue", "purge"))) as frontier:
            if action == "status":
                _show(name, frontier, opts.hosts, read_sites(self.values))
            elif action == "dead":
                _list_dead(frontier, opts.host)
            elif action == "requeue":
                say(f"{frontier.requeue(opts.host):,} requests queued again")
            elif opts.yes or _confirmed(name, frontier.accounts()):
                say(f"{frontier.purge():,} requests and all seen URLs deleted")

    def _overview(self, names: Iterable[str]) -> None:
        rows = []
        for name in names:
            with closing(open_for_operator(self.values, name, to_change=False)) as frontier:
                rows.append((name, *_numbers(frontier.accounts())))
        if rows:
            print_table(("crawl", "enqueued", "queued", "under way", "done", "dead"), rows, right_from=1)
        else:
            say_aside("No crawl has started here yet.")


def _numbers(accounts: Accounts) -> list[str]:
    parts = (accounts.enqueued, accounts.queued, accounts.leased, accounts.done, accounts.dead)
    return [f"{number:,}" for number in parts]


def _show(name: str, frontier: ManagedFrontier, max_hosts: int, sites: Sites) -> None:
    accounts = frontier.accounts()
    enqueued, queued, leased, done, dead = _numbers(accounts)
    say(f"{name}: {enqueued} enqueued = {queued} queued + {leased} under way + {done} done + {dead} dead\n")
    hosts = list(frontier.hosts())
    have_hours = any(site.hours for site in sites.all())
    rows = []
    for host in hosts[:max_hosts]:
        hours = [_opening(sites, host.host)] if have_hours else []
        rows.append((host.host or "-", f"{host.queued:,}", f"{host.leased:,}", f"{host.dead:,}", *hours))
    if rows:
        print_table(("host", "queued", "under way", "dead", *(["hours"] if have_hours else [])), rows, right_from=1)
    if len(hosts) > max_hosts:
        say(f"… and {len(hosts) - max_hosts:,} more hosts (--hosts N)")
    _show_nodes(frontier)


def _opening(sites: Sites, host: str) -> str:
    """Whether the host's hours allow requests now; if not, when they open in the site's time zone."""
    site, now = sites.of(host), time.time()
    if site.opening_hours is None:
        return shown("always")
    if (opens := site.opening_hours.opens(now)) <= now:
        return shown("open")
    return shown(f"from {datetime.fromtimestamp(opens, ZoneInfo(site.zone)):%m-%d %H:%M} {site.zone}")


def _show_nodes(frontier: ManagedFrontier) -> None:
    oldest: dict[str, float] = {}
    for lease in frontier.leased():
        owner = lease.owner.partition(":")[0]
        oldest[owner] = min(lease.since, oldest.get(owner, lease.since))
    rows, now = [], time.time()
    for node in frontier.nodes():
        age = f"{max(0.0, now - oldest[node.owner]):.0f}" if node.owner in oldest else "-"
        rows.append((node.owner, f"{node.leased:,}", age, f"{node.seconds_left:.0f}"))
    if rows:
        print()
        print_table(("holder", "under way", "oldest, s", "expires in, s"), rows, right_from=1)


def _list_dead(frontier: ManagedFrontier, host: str) -> None:
    for request in frontier.dead():
        if not host or request.host == host:
            reason = " ".join(request.reason.split())
            fields = stored_url(request.payload, request.host), request.host, str(request.attempts), reason
            write_out("\t".join(fields))


def _confirmed(name: str, accounts: Accounts) -> bool:
    answer = is_confirmed(f"Delete the queue of crawl {name} with {accounts.queued:,} requests?")
    if answer is None:
        raise FrontierError("There is no terminal to confirm on; add --yes to delete the crawl's queue.")
    return answer

"""`scrapy watch`: the sources of a watch, the reasons for their visit rates, and the operators' orders."""

import argparse
import json
from typing import Any

from scrapy.exceptions import UsageError

from crawler.command_line import QuietCommand, say, write_out
from crawler.config import shown
from crawler.printed_tables import print_table
from crawler.watching.operator_orders import DROP_ORDER, pin_order
from crawler.watching.silence import MAX_EXPECTED_ITEMS
from extractors.links.urls import canonical_url, host_of, url_key
from pipelines.stores.base import Condition, Order, Store, StoreError
from pipelines.stores.watch_tables import WATCH_PAGES, WATCH_SOURCES

_VERBS = "status|why SOURCE|pin SOURCE MINUTES|drop SOURCE"
_HEADS = ("source", "kind", "state", "visits", "shown first", "a day", "last visit", "last new")
_STATES = {
    "new": "found, and not visited yet",
    "watched": "visited by expected new items",
    "unreadable": "its answer is no list; visited again after a while",
    "dead": "no longer visited: it is gone, or it lists nothing",
    "dropped": "no longer visited: an operator has dropped it",
}


class Command(QuietCommand):
    """Reads the store, even while a watch runs; the watch carries out orders written there within a minute."""

    takes_arguments = True
    examples = (
        "scrapy watch status                               the most productive sources",
        "scrapy watch status --all                         every source, including dead ones",
        "scrapy watch why https://some.site/news/          rate, visits and finds of a source",
        "scrapy watch pin https://some.site/news/ 10       visit at least every ten minutes; 0: let the scheduler decide",
        "scrapy watch drop https://some.site/tag/1/        stop visiting it",
    )
    usage = f"{_VERBS} [options]"
    summary = "Show the sources of a watch; pin or drop one"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--crawl", default="", metavar="NAME", help="name of the watch, if the store has several")
        parser.add_argument("--all", action="store_true", help="status: include sources that are not watched")
        parser.add_argument("--json", action="store_true", help="status, why: print JSON")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for wrong arguments; exit code 1 for an unknown source."""
        verb, rest = (args[0], args[1:]) if args else ("", [])
        if (verb, len(rest)) not in {("status", 0), ("why", 1), ("pin", 2), ("drop", 1)}:
            raise UsageError(f"Use: scrapy watch {_VERBS}", print_help=False)
        with self.reporting(StoreError), self.store(must_exist=False) as store:
            if verb == "status":
                _show_status(store, opts)
            elif verb == "why":
                self._why(store, rest[0], opts)
            else:
                self._order(store, opts, rest[0], _order_of(verb, rest))

    def _why(self, store: Store, address: str, opts: argparse.Namespace) -> None:
        rows = _rows_of(store, address, opts.crawl)
        if not rows:
            self.fail(f"No watch has the source {address}; scrapy watch status lists them.")
        for row in rows:
            facts = _facts(store, row)
            write_out(json.dumps(facts, ensure_ascii=False) if opts.json else shown("\n".join(_lines(facts))))

    def _order(self, store: Store, opts: argparse.Namespace, address: str, order: str) -> None:
        url = canonical_url(address)
        rows = _rows_of(store, address, opts.crawl)
        crawls = [row["crawl"] for row in rows] or ([opts.crawl] if opts.crawl else _crawls(store))
        if not url or (not rows and (len(crawls) != 1 or order == DROP_ORDER)):
            self.fail(f"No watch has the source {address}; scrapy watch status lists them.")
            return
        row = {"key": url_key(url), "url": url, "host": host_of(url), "asked": order}
        store.upsert(WATCH_SOURCES, [row | {"crawl": crawl} for crawl in crawls]).result()
        say(f"{url}: {order}; a running watch applies it within a minute, a stopped one at its next start")


def _order_of(verb: str, rest: list[str]) -> str:
    if verb == "drop":
        return DROP_ORDER
    try:
        minutes = float(rest[1])
    except ValueError:
        minutes = -1.0
    if not 0 <= minutes <= 1e6:
        raise UsageError(f"MINUTES must be a number of at least 0, not {rest[1]!r}", print_help=False)
    return pin_order(minutes * 60)


def _crawls(store: Store) -> list[str]:
    return sorted({row["crawl"] for row in store.select(WATCH_SOURCES, columns=("crawl", "key"))})


def _rows_of(store: Store, address: str, crawl: str) -> list[dict[str, Any]]:
    crawls = [crawl] if crawl else _crawls(store)
    found = (store.get(WATCH_SOURCES, name, url_key(address)) for name in crawls)
    return [row for row in found if row is not None]


def _show_status(store: Store, opts: argparse.Namespace) -> None:
    where = [Condition("crawl", "=", opts.crawl)] if opts.crawl else []
    where += [] if opts.all else [Condition("state", "=", "watched")]
    rows = list(store.select(WATCH_SOURCES, where, [Order("items_first_seen_here", descending=True)]))
    for row in rows:
        del row["memory"]
    if opts.json:
        for row in rows:
            write_out(json.dumps(row, ensure_ascii=False))
        return
    print_table(
        _HEADS,
        [
            (
                row["url"],
                shown(row["kind"]),
                shown(_state(row)),
                row["visits"] or 0,
                row["items_first_seen_here"] or 0,
                f"{row['per_day'] or 0:.1f}",
                row["visited_at"] or "-",
                row["last_new_at"] or "-",
            )
            for row in rows
        ],
        right_from=3,
    )


def _state(row: dict[str, Any]) -> str:
    return "silent" if row["state"] == "watched" and (row["missed"] or 0) > MAX_EXPECTED_ITEMS else row["state"]


def _facts(store: Store, row: dict[str, Any]) -> dict[str, Any]:
    memory = row.pop("memory") or {}
    of_it = [Condition("crawl", "=", row["crawl"]), Condition("source", "=", row["url"])]
    pages = {
        state: store.count(WATCH_PAGES, [*of_it, Condition("state", "=", state)])
        for state in ("waiting", "backlog", "known", "gone", "failed")
    }
    corrected = store.count(WATCH_PAGES, [*of_it, Condition("state", "=", "known"), Condition("changed_at", "!=", "")])
    validators = memory.get("validators") or ["", "", 0.0, False]
    lies = bool(validators[3])
    return row | {"lists": len(memory.get("listed", ())), "pages": pages, "corrected": corrected, "etag_lies": lies}


def _lines(facts: dict[str, Any]) -> list[str]:
    pages = ", ".join(f"{count} {shown(state)}" for state, count in facts["pages"].items() if count) or shown("none")
    lines = [
        f"{facts['url']} (watch {facts['crawl']})",
        f"  {shown(facts['kind'])}, {shown(facts['state'] or 'new')}: {_STATES.get(facts['state'], 'not visited yet')}",
        f"  visits: {facts['visits'] or 0}, the last at {facts['visited_at'] or '-'}; it lists {facts['lists']} items",
        f"  items that it showed first: {facts['items_first_seen_here'] or 0}; last new item at {facts['last_new_at'] or '-'}",
        f"  expected: {facts['per_day'] or 0:.1f} new items a day, relevance {facts['relevance'] or 0:.2f}",
        f"  pages that it announced first: {pages}; {facts['corrected']} corrected",
    ]
    if _state(facts) == "silent":
        lines.append(f"  silent: {facts['missed']:.0f} new items were expected since the last one; none has come")
    if facts["interval"]:
        lines.append(f"  pinned: at least every {facts['interval'] / 60:g} minutes")
    if facts["etag_lies"]:
        lines.append("  its validators are not used, since they did not change with the list")
    if facts["asked"]:
        lines.append(f"  order of an operator: {facts['asked']}")
    return lines

"""A week of the living web: watched, stored, analysed as it comes, with alerts; its report, and the truth beside it.

    python -m benchmarks.living_week FOLDER --days 7 --seed 24 --per-hour 300     the week: FOLDER/week.db and FOLDER/alerts.jsonl
    python -m benchmarks.living_week FOLDER --seed 24 --compare                   its report, line by line against the truth

The watch is the product's own core over forty simulated sites in virtual time. Each answer is read, judged by a topic and stored as in
`scrapy crawl watch` (without site memory and titles); the steps of `scrapy analysis run` follow every virtual hour, and the alerts with
them. What the web published and the watch asked for comes from the simulator, apart from all that the product has stored.
"""

import argparse
import json
import time
from concurrent.futures import Future
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapy.http import HtmlResponse, Request
from scrapy.settings import Settings
from scrapy.utils.project import get_project_settings

from analysis.alerts import JOB, AlertOptions, AlertStep, RuleSet
from analysis.alerts.alert_rules import BurstRule, EventRule, Rule, SilentRule, TermRule
from analysis.jobs import Step, work_once
from analysis.running import working
from benchmarks.living import run, world_of
from benchmarks.living_truth import compare
from crawler.config.topics import read_topic
from crawler.links.page_head import CanonicalAddresses
from crawler.page_answers import url_row
from crawler.strategies.focused import FocusedStrategy
from crawler.watching.answers import VisitAnswer
from crawler.watching.reading import answer_of
from crawler.watching.visits import WatchOptions, WatchVisit
from crawler.watching.watch import Watch
from extractors.links.urls import url_key
from extractors.page import Page
from pipelines.content import ContentPipeline
from pipelines.discussion import DiscussionPipeline
from pipelines.items import PageItem
from pipelines.lease import Lease
from pipelines.stores.alert_tables import ALERTS
from pipelines.stores.base import Condition, Row, Store, Table
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, URLS
from pipelines.stores.watch_tables import VERSIONS
from pipelines.waiting import WaitingPipeline

FIRST = datetime(2026, 3, 2, tzinfo=timezone(timedelta(hours=8)))
"""When virtual time begins."""
TOPIC = "finance"
RULES: dict[str, Rule] = {
    "news": EventRule(kind="event", topic=TOPIC, sites=4, hours=12),
    "burst": BurstRule(kind="burst", topic=TOPIC),
    "funds": TermRule(kind="term", topic=TOPIC, term="基金", count=30, hours=6),
    "silence": SilentRule(kind="silent", expected=10, hours=12),
}
_PAGES = ("page", "recheck", "backlog")


class _Visited:
    """A visit as the simulator is asked it."""

    def __init__(self, visit: WatchVisit) -> None:
        parts = urlsplit(visit.url)
        self.visit, self.host = visit, visit.host
        self.target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self.headers = {name.lower(): value for name, value in visit.headers.items()}


class StoringWatch:
    """The watch as `crawler.spiders.watch` drives it, in virtual time; see `benchmarks.living.Policy`."""

    def __init__(self, world: Any, per_hour: float, store: Store, settings: Settings) -> None:
        self._store, self._addresses = store, CanonicalAddresses()
        topic = read_topic(Path(__file__).parent / "topics" / f"{TOPIC}.yaml")
        self._strategy = FocusedStrategy(settings, lambda: store, topic)
        self._pipelines = (ContentPipeline(keep_source=False), DiscussionPipeline(), WaitingPipeline())
        self._analysis = Analysis(store)
        self._written = store.write([])
        self.watch = Watch(WatchOptions(per_hour=per_hour))
        for url in world.seeds():
            self.watch.start(url, FIRST.timestamp())

    def next(self, now: float) -> _Visited | None:
        """See `Policy`."""
        self._analysis.until(now, self._written)
        visit = self.watch.next(FIRST.timestamp() + now)
        return None if visit is None else _Visited(visit)

    def seen(self, request: _Visited, answer: Any, now: float) -> None:
        """See `Policy`."""
        visit, at = request.visit, FIRST + timedelta(seconds=now)
        if answer.drop:
            self.watch.answered(visit, VisitAnswer(0), at.timestamp())
            return
        response = HtmlResponse(
            visit.url, answer.status, dict(answer.headers), answer.body, request=Request(visit.url, meta={})
        )
        item = self._item(response, at) if visit.kind in _PAGES and answer.status == 200 else None
        known = self._store.get(PAGES, url_key(item.url)) if item else None
        outcome = self.watch.answered(visit, answer_of(visit, response, item), at.timestamp())
        if visit.kind in _PAGES:
            self._keep(visit.url, outcome, item, known, at)

    def _keep(self, url: str, outcome: str, item: PageItem | None, known: Row | None, at: datetime) -> None:
        said = at.astimezone(UTC).isoformat(timespec="seconds")
        if outcome in ("new", "changed") and item is not None:
            if outcome == "changed" and known and not item.part_of:
                names = ("url", "title", "body", "content_hash", "fetched_at")
                item.rows.append((VERSIONS, {"page": known["key"], "replaced_at": said} | {n: known[n] for n in names}))
            for pipeline in self._pipelines:
                pipeline.process_item(item)
            self._write(item.rows)
        elif outcome in ("gone", "same"):
            state = ("dead", "gone") if outcome == "gone" else ("unchanged", "")
            rows: list[tuple[Table, Row]] = [(URLS, url_row(url, *state) | {"fetched_at": said, "first_seen": said})]
            self._write(rows)

    def _write(self, rows: list[tuple[Table, Row]]) -> None:
        self._written = self._store.write(rows)

    def _item(self, response: HtmlResponse, at: datetime) -> PageItem:
        kind = (response.headers.get("Content-Type") or b"").decode("latin-1")
        page = Page(response.body, response.url, content_type=kind, fetched_at=at.astimezone(UTC))
        judged = self._strategy.judge(response.url, page)
        return PageItem(
            self._addresses.of(page), response.url, response.status, page, page.links, found_by="watch", topic=judged.topic,
            relevance=judged.relevance, relevant=judged.relevant, reason=judged.reason, lead=judged.lead,
        )  # fmt: skip


class Analysis:
    """All steps, with alerts, once in a virtual hour."""

    def __init__(self, store: Store) -> None:
        self._store, self._now, self._hours = store, 0.0, 0
        self._options = AlertOptions(lambda: RuleSet(rules=RULES), clock=lambda: FIRST.timestamp() + self._now)

    def until(self, now: float, written: "Future[None]") -> None:
        """Do what waits when a new hour has begun, and all rows are durable."""
        if now // 3_600 <= self._hours:
            return
        written.result()
        self._hours, self._now = int(now // 3_600), now
        with working(self._store, {JOB: self._alerts}) as (steps, renew):
            while work_once(self._store, steps, renew=renew):
                pass
        if self._hours % 12 == 0:
            print(
                f"hour {self._hours}: {self._store.count(PAGES)} pages, {time.process_time():.0f} s of CPU", flush=True
            )

    def _alerts(self, store: Store, lease: Lease) -> Step:
        return AlertStep(store, lease, self._options)


def simulate(folder: Path, asked: argparse.Namespace) -> None:
    """Write `week.db`, and what the watch asked for."""
    folder.mkdir(parents=True, exist_ok=True)
    world, hours = world_of(asked.seed, asked.days * 24 + 1, asked.sites), asked.days * 24 + 0.1
    with closing(open_store(f"sqlite:///{folder / 'week.db'}")) as store:
        policy = StoringWatch(world, asked.per_hour, store, get_project_settings())
        log = run(world, policy, hours)
        alerts = list(store.select(ALERTS, [Condition("key", ">=", "")]))
    (folder / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    (folder / "alerts.jsonl").write_text("".join(json.dumps(dict(row)) + "\n" for row in alerts), encoding="utf-8")


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", type=Path)
    ask.add_argument("--seed", type=int, default=24)
    ask.add_argument("--sites", type=int, default=40)
    ask.add_argument("--days", type=int, default=7)
    ask.add_argument("--per-hour", type=float, default=300.0, help="requests a virtual hour")
    ask.add_argument("--compare", action="store_true", help="of a week that was written before")
    asked = ask.parse_args()
    if not asked.compare:
        simulate(asked.folder, asked)
    world = world_of(asked.seed, asked.days * 24 + 1, asked.sites)
    compare(asked.folder, world, TOPIC, FIRST, asked.days)


if __name__ == "__main__":
    main()

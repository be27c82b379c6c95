"""The report of a simulated week, line by line against what the simulated sites did; see `benchmarks.living_week`."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from analysis.report import Report, collect, report_html
from pipelines.stores.analysis_tables import EVENTS, MEMBERS
from pipelines.stores.base import Condition, Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from pipelines.stores.watch_tables import VERSIONS

_NEWS_SITES, _NEWS_HOURS = 4, 12


@dataclass(frozen=True, slots=True)
class TrueReport:
    """An article as it was published: seconds from the first, `event` is the number of what happened, -1 if it is alone."""

    url: str
    host: str
    key: str
    at: float
    event: int
    is_corrected: bool


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of the topic's articles of the week: all, by address, those that the watch was shown; posts; articles before."""

    articles: Mapping[str, TrueReport]
    seen: frozenset[str]
    posts: int
    before: int
    all_finance: frozenset[str]


def truth_of(world: Any, log: Sequence[Sequence[Any]], end: float) -> Truth:
    """Articles and threads about finance that were published from second 0 to `end`."""
    reports: dict[str, TrueReport] = {}
    before, posts = 0, 0
    for site in world.sites:
        before += sum(site.finance[i] for i, at in enumerate(site.t) if at < 0) if hasattr(site, "finance") else 0
        for each in (*_articles(site, end), *_threads(site, end)):
            reports[each.url] = each
        known = getattr(site, "posts", lambda: ())()
        posts += sum(finance for _, _, at, _, finance in known if at < end)
    shown = {row[3] for row in log if row[2] in ("article", "thread") and row[4] == 200}
    seen = frozenset(each.url for each in reports.values() if each.key in shown)
    finance = {
        f"http://{s.host}{s.url(i)}"
        for s in world.sites
        if hasattr(s, "finance")
        for i in np.flatnonzero(s.finance).tolist()
    }
    finance |= {
        f"http://{s.host}/thread-{n + 100}-1-1.html"
        for s in world.sites
        for n, t in enumerate(getattr(s, "threads", ()))
        if t[2]
    }
    return Truth(reports, seen, posts, before, frozenset(finance))


def _articles(site: Any, end: float) -> Iterator[TrueReport]:
    for i, at in enumerate(site.t if hasattr(site, "finance") else ()):
        if 0 <= at < end and site.finance[i]:
            event = site.event[i].number if site.event[i] else -1
            yield TrueReport(
                f"http://{site.host}{site.url(i)}", site.host, site.key(i), at, event, site.corrected[i] < end
            )


def _threads(site: Any, end: float) -> Iterator[TrueReport]:
    for number, (_, _, finance, posts) in enumerate(getattr(site, "threads", ())):
        if finance and 0 <= posts[0] < end:
            url = f"http://{site.host}/thread-{number + 100}-1-1.html"
            yield TrueReport(url, site.host, f"t{site.number}.{number}.1", posts[0], -1, False)


def compare(folder: Path, world: Any, topic: str, first: datetime, days: int) -> None:
    """Write FOLDER/report.html, and print its figures beside the truth."""
    log = [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    alerts = [json.loads(line) for line in (folder / "alerts.jsonl").read_text(encoding="utf-8").splitlines()]
    truth, until = truth_of(world, log, days * 86_400), first + timedelta(days=days)
    with closing(open_store(f"sqlite:///{folder / 'week.db'}", must_exist=True)) as store:
        report = collect(store, topic, first, until)
        (folder / "report.html").write_text(report_html(report), encoding="utf-8")
        _volume(store, report, truth, first, topic)
        _coverage(store, report, truth, log, days)
        members = _members(store, topic)
        _events(store, report, truth, members, first)
        _alerts(alerts, truth, members)


def _line(what: str, said: object, true: object) -> None:
    print(f"| {what} | {said} | {true} |", flush=True)


def _volume(store: Store, report: Report, truth: Truth, first: datetime, topic: str) -> None:
    counts = report.trend.series.counts
    hours = np.bincount([int(truth.articles[url].at // 3_600) for url in truth.seen], minlength=len(counts))[
        : len(counts)
    ]
    kept = {row["url"] for row in store.select(PAGES, [Condition("topic", "=", topic)], columns=("url",))}
    print("| what | report | truth |\n|---|---|---|")
    _line(
        "pages of the week", int(counts.sum()), f"{len(truth.articles)} published, {len(truth.seen)} shown to the watch"
    )
    _line("stored pages that are of the topic", len(kept), f"{len(kept & truth.all_finance)} are")
    _line("shown pages of the topic that are stored", len(kept & truth.seen), len(truth.seen))
    _line("pages in as long a time before", report.before, f"{truth.before} in the three days that were on the sites")
    _line("posts", report.posts, truth.posts)
    _line("hours: sum of differences", int(np.abs(counts - hours).sum()), f"of {int(hours.sum())}")
    sites = Counter(truth.articles[url].host for url in truth.seen)
    differ = sum(abs(count - sites[host]) for host, count in report.sites)
    _line("sites", report.site_count, f"{len(sites)}; pages of the biggest differ by {differ} in all")
    for burst in report.trend.bursts:
        low, high = (report.trend.at(hour) - first for hour in (burst.start, burst.noticed + 1))
        events = Counter(t.event for t in truth.articles.values() if low.total_seconds() <= t.at < high.total_seconds())
        _line(
            f"burst from {report.trend.at(burst.start):%a %H:%M} UTC",
            burst.count,
            f"events in it: {events.most_common(3)}",
        )


def _coverage(store: Store, report: Report, truth: Truth, log: Sequence[Sequence[Any]], days: int) -> None:
    rows = [row for row in log if row[2] in ("article", "thread") and row[0] < days * 86_400]
    answered = {(row[1], row[8]) for row in rows if row[4] == 200 and not row[3].endswith("!")}
    gone = {row[3] for row in rows if row[3].endswith("!")}
    _line(
        "addresses by state",
        {state: count for state, count in report.coverage.urls.items() if count},
        f"{len(answered)} addresses answered",
    )
    _line("pages that were deleted", report.coverage.urls.get("dead", 0), f"{len(gone)} were seen to be gone")
    shown_twice = {row[3] for row in rows if row[10] == 2 and row[2] == "article"} & {
        t.key for t in truth.articles.values()
    }
    corrected = {row["page"] for row in store.select(VERSIONS, columns=("page",))}
    _line("pages with an older version", len(corrected), f"{len(shown_twice)} corrected texts of the topic were shown")


def _members(store: Store, topic: str) -> dict[str, list[Any]]:
    found: defaultdict[str, list[Any]] = defaultdict(list)
    columns = ("event", "url", "at", "site")
    for row in store.select(MEMBERS, [Condition("topic", "=", topic)], columns=columns):
        found[row["event"]].append(row)
    return found


def _true_event(rows: Sequence[Any], truth: Truth) -> tuple[int, int]:
    """The event that most of these pages report, and how many do."""
    counted = Counter(truth.articles[row["url"]].event for row in rows if row["url"] in truth.articles)
    counted.pop(-1, None)
    return counted.most_common(1)[0] if counted else (-1, 0)


def _events(store: Store, report: Report, truth: Truth, members: Mapping[str, list[Any]], first: datetime) -> None:
    true: defaultdict[int, list[TrueReport]] = defaultdict(list)
    for url in truth.seen:
        true[truth.articles[url].event].append(truth.articles[url])
    true.pop(-1, None)
    print(
        "\n| event of the report | pages | sites | first report | of one true event | true pages seen | true sites | true first |"
    )
    print("|---|---|---|---|---|---|---|---|")
    rows = {row["name"]: row for row in store.select(EVENTS, [Condition("topic", "=", report.topic)])}
    for event in report.events:
        number, same = _true_event(members[rows[event.name]["event"]], truth)
        own = sorted(true.get(number, ()), key=lambda each: each.at)
        began = f"{first + timedelta(seconds=own[0].at):%m-%d %H:%M}" if own else "-"
        cells = (
            event.name[:16],
            event.page_count,
            event.site_count,
            event.first_at[5:],
            same,
            len(own),
            len({t.host for t in own}),
            began,
        )
        print("| " + " | ".join(map(str, cells)) + " |")
    large = {number for number, each in true.items() if len({t.host for t in each}) >= 3}
    whole = {
        number
        for rows_ in members.values()
        for number, same in [_true_event(rows_, truth)]
        if number in large and same == len(true[number])
    }
    pure = [
        same / len(rows_) for rows_ in members.values() if len(rows_) > 1 for _, same in [_true_event(rows_, truth)]
    ]
    alone = sum(each == 1 for each in pure)
    print(
        f"\nTrue events of three sites or more that the watch was shown: {len(large)}; wholly in one event: {len(whole)}. "
        f"Events of two pages or more: {len(pure)}; with pages of one true event alone: {alone}."
    )


def _alerts(alerts: Sequence[Any], truth: Truth, members: Mapping[str, list[Any]]) -> None:
    by_event: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for url in truth.seen:
        each = truth.articles[url]
        by_event[each.event][each.host] = min(each.at, by_event[each.event].get(each.host, each.at))
    by_event.pop(-1, None)
    due = {number for number, hosts in by_event.items() if _is_due(sorted(hosts.values()))}
    alerted = [_true_event(members.get(row["subject"], ()), truth)[0] for row in alerts if row["rule"] == "news"]
    again, right = len(alerted) - len(set(alerted)), len(set(alerted) & due)
    print(
        f"\nEvents of {_NEWS_SITES} sites in {_NEWS_HOURS} hours: {len(due)} true ones; {len(alerted)} alerts, {right} of them about "
        f"different true ones, {again} about one that had an alert already."
    )
    print(f"All alerts by rule: {dict(Counter(row['rule'] for row in alerts))}.")


def _is_due(times: Sequence[float]) -> bool:
    width = _NEWS_HOURS * 3_600
    return any(last - first <= width for first, last in zip(times, times[_NEWS_SITES - 1 :], strict=False))

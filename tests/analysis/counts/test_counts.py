"""Counts follow the pages, on both stores; the same pages give the same counts, however often and in whatever order they come."""

import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from analysis import running
from analysis.counts import CountStep, read_series, read_totals, series_of_times
from analysis.jobs.stored_page import StoredPage
from pipelines.stores.analysis_tables import COUNT_JOURNAL, COUNTED_PAGES, COUNTS, EVENTS
from pipelines.stores.base import Store
from pipelines.stores.tables import PAGES, PROPAGATION
from pipelines.titles.decided import decide, forget

SINCE, UNTIL = datetime(2026, 11, 2, tzinfo=UTC), datetime(2026, 11, 4, tzinfo=UTC)


def page(key: str, at: str = "2026-11-02T08:10:00+00:00", posts: Sequence[str] = (), **columns: Any) -> StoredPage:
    row: dict[str, Any] = dict.fromkeys(
        ("url", "host", "kind", "title", "body", "topic", "first_seen", "fetched_at", "published_precision"), ""
    )
    row |= {"key": key, "host": "a.cn", "kind": "article", "topic": "quake", "published_at": at, **columns}
    records = [{"key": f"{n}", "time_at": time, "first_seen": "", "text": "太差了"} for n, time in enumerate(posts)]
    return StoredPage(key, row, records)


def gone(key: str) -> StoredPage:
    return StoredPage(key, None, [])


def table(store: Store) -> list[Mapping[str, Any]]:
    rows = store.select(COUNTS)
    kept = [row for row in rows if row["pages_total"] or row["posts_total"]]
    return sorted(kept, key=lambda row: (row["topic"], row["dimension"], row["value"], row["day"]))


def hours(store: Store, **what: Any) -> dict[int, int]:
    counts = read_series(store, SINCE, UNTIL, **what).counts.tolist()
    return {hour: count for hour, count in enumerate(counts) if count}


def test_pages_and_posts_are_counted_by_hour(store: Store) -> None:
    step = CountStep(store)
    posts = ["2026-11-02T09:00:00+00:00", "2026-11-03T01:00:00+00:00"]
    step.process([page("1", posts=posts), page("2", at="2026-11-02T08:59:59+00:00", host="b.cn", topic="flood")])
    assert hours(store, topic="quake") == {8: 1}
    assert hours(store) == {8: 2}
    assert hours(store, topic="quake", measure="posts") == {9: 1, 25: 1}
    assert hours(store, dimension="host", value="b.cn") == {8: 1}
    assert read_totals(store, SINCE, UNTIL, "mood", topic="quake", measure="posts") == {"negative": 2}


def test_totals_have_the_hours_of_a_series(store: Store) -> None:
    rng = random.Random(4)
    times = [SINCE + timedelta(minutes=rng.randrange(4 * 24 * 60)) for _ in range(150)]
    hosts = ("a.cn", "b.cn")
    pages = [page(f"{n}", at=time.isoformat(), host=rng.choice(hosts)) for n, time in enumerate(times)]
    CountStep(store).process(pages)
    for since, span in (
        (0, 0),
        (0, 10),
        (5, 30),
        (60, 23 * 60),
        (600, 24 * 60),
        (90, 60 * 60),
        (1440, 1440),
        (1439, 2),
    ):
        begin = SINCE + timedelta(minutes=since)
        end = begin + timedelta(minutes=span)
        sums = {host: read_series(store, begin, end, dimension="host", value=host).counts.sum() for host in hosts}
        assert read_totals(store, begin, end, "host") == {host: count for host, count in sums.items() if count}


def test_terms_people_and_places_of_titles_are_counted(store: Store) -> None:
    CountStep(store).process([page("1", title="四川地震救援人员抵达震中"), page("2", title="四川地震已致三人受伤")])
    terms = read_totals(store, SINCE, UNTIL, "term", topic="quake")
    assert terms["地震"] == 2
    assert read_totals(store, SINCE, UNTIL, "place", topic="quake") == {"四川": 2}


def test_all_topics_together_have_the_words_moods_and_kinds_of_every_topic(store: Store) -> None:
    topics = ("quake", "flood", "")
    CountStep(store).process([page(f"{n}", title="四川地震", topic=topic) for n, topic in enumerate(topics)])
    assert read_totals(store, SINCE, UNTIL, "term")["地震"] == 3
    assert read_totals(store, SINCE, UNTIL, "kind") == {"article": 3}
    assert sum(read_totals(store, SINCE, UNTIL, "mood").values()) == 3
    assert hours(store, dimension="term", value="地震") == {8: 3}
    assert hours(store, dimension="place", value="四川") == hours(store) == {8: 3}
    assert hours(store, topic="flood", dimension="term", value="地震") == {8: 1}


def test_corrected_deleted_and_repeated_pages_change_the_counts(store: Store) -> None:
    step = CountStep(store)
    step.process([page("1"), page("2")])
    step.process([page("2", at="2026-11-02T10:00:00+00:00"), page("1"), page("1")])
    assert hours(store, topic="quake") == {8: 1, 10: 1}
    step.process([gone("1"), gone("unknown")])
    assert hours(store, topic="quake") == {10: 1}
    step.process([page("1")])
    assert hours(store, topic="quake") == {8: 1, 10: 1}


def test_reposts_are_counted_as_people_and_late_originals_decide(store: Store) -> None:
    times = {"a": "2026-11-02T00:00:00+00:00", "b": "2026-11-02T01:00:00+00:00", "c": "2026-11-02T02:00:00+00:00"}
    pages = [
        {"key": key, "host": "a.cn", "topic": "quake", "title": "地震", "published_at": at} for key, at in times.items()
    ]
    titles = [
        {"page": row["key"], "story": "a", "verdict": "new", "published_at": row["published_at"]} for row in pages
    ]
    store.write([(PAGES, row) for row in pages]).result()
    store.upsert(PROPAGATION, titles).result()
    running.rebuild(store)
    copies = {"dimension": "verdict", "value": "repost"}
    assert hours(store, topic="quake", **copies) == {}
    before = decide(store, "c", "a", "same", "anna", "")
    running.run(store)
    assert hours(store, topic="quake", **copies) == hours(store, **copies) == {1: 1, 2: 1}
    assert [row["reposts"] for row in store.select(EVENTS)] == [2]
    decide(store, "b", "a", "different", "anna", "")
    running.run(store)
    assert hours(store, **copies) == {2: 1}
    forget(store, "c", before)
    running.run(store)
    assert hours(store, **copies) == {}


def test_counts_made_again_are_the_same(store: Store) -> None:
    chance = random.Random(1)
    pages = [
        page(
            str(chance.randrange(12)),
            at=f"2026-11-0{chance.randrange(2, 4)}T{chance.randrange(24):02}:00:00+00:00",
            title=chance.choice(["洪水退去", "地震预警", ""]),
            posts=["2026-11-02T09:00:00+00:00"] * chance.randrange(3),
        )
        for _ in range(40)
    ]
    step = CountStep(store)
    for start in range(0, 40, 7):
        step.process(pages[start : start + 7])
    step.process([gone("3")])
    kept = table(store)
    step.clear()
    assert not table(store)
    step.process([each for key, each in {each.key: each for each in pages}.items() if key != "3"])
    assert table(store) == kept


class KilledError(Exception):
    """Stands for the end of the process."""


@pytest.mark.parametrize("writes", range(5))
def test_a_kill_counts_nothing_twice(store: Store, monkeypatch: pytest.MonkeyPatch, writes: int) -> None:
    CountStep(store).process([page("1")])
    killed, left = CountStep(store), [writes]

    def put(*args: Any) -> None:
        if not left[0]:
            raise KilledError
        left[0] -= 1
        CountStep._put(killed, *args)

    monkeypatch.setattr(killed, "_put", put)
    try:
        killed.process([page("1", at="2026-11-02T09:00:00+00:00"), page("2")])
    except KilledError:
        CountStep(store).process([page("1", at="2026-11-02T09:00:00+00:00"), page("2")])
    assert hours(store, topic="quake") == {8: 1, 9: 1}
    CountStep(store).tidy()
    assert (store.get(COUNT_JOURNAL, "counts") or {})["entry"] is None
    assert store.count(COUNTED_PAGES) == 2


@pytest.mark.parametrize(
    ("precision", "seen", "counted"),
    [
        ("minute", "2026-11-02T22:00:00+00:00", {8: 1}),
        ("day", "2026-11-02T22:00:00+00:00", {22: 1}),
        ("day", "2026-12-24T22:00:00+00:00", {20: 1}),
        ("month", "2026-11-02T22:00:00+00:00", {22: 1}),
    ],
)
def test_coarse_times(store: Store, precision: str, seen: str, counted: dict[int, int]) -> None:
    CountStep(store).process([page("1", published_precision=precision, first_seen=seen)])
    assert hours(store, topic="quake") == counted


def test_a_page_without_a_time_is_counted_when_it_was_first_seen(store: Store) -> None:
    CountStep(store).process([page("1", at="", first_seen="2026-11-03T00:30:00+08:00"), page("2", at="yesterday")])
    assert hours(store, topic="quake") == {16: 1}


def test_a_series_may_begin_and_end_within_a_day(store: Store) -> None:
    CountStep(store).process([page("1"), page("2", at="2026-11-03T02:00:00+00:00")])
    since, until = datetime(2026, 11, 2, 7, 30, tzinfo=UTC), datetime(2026, 11, 3, 2, 1, tzinfo=UTC)
    series = read_series(store, since, until, topic="quake")
    assert (series.start.hour, len(series.counts), series.counts.tolist().index(1), series.counts[-1]) == (7, 20, 1, 1)
    assert series.end == datetime(2026, 11, 3, 3, tzinfo=UTC)


def test_instants_become_a_series() -> None:
    times = [datetime(2026, 11, 2, 0, 59, tzinfo=UTC), datetime(2026, 11, 2, 0, tzinfo=UTC), UNTIL]
    assert series_of_times(times, SINCE, UNTIL).counts.tolist() == [2, *[0] * 47]

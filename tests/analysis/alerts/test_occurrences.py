"""What each kind of rule notices, and what it does not."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import running
from analysis.alerts.alert_rules import checked_rule
from analysis.alerts.occurrences import Occurrence, Standing, windows
from analysis.alerts.preview import preview
from analysis.alerts.watch import AlertWatcher
from analysis.events.store.spread_thresholds import fill, spread_thresholds
from pipelines.stores.analysis_tables import ANALYSIS_JOBS
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, RUNS
from pipelines.stores.watch_tables import LIST_STATES, WATCH_SOURCES
from tests.analysis.alerts.filling import HOUR, NOW, hourly, put_counts, put_event, text


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(open_store(f"sqlite:///{tmp_path}/a.db")) as opened:
        yield opened


def found(store: Store, days: float = 1, **rule: Any) -> list[Occurrence]:
    return list(AlertWatcher(store).look(checked_rule(rule), NOW - timedelta(days=days), NOW).occurrences)


def standing(store: Store, **rule: Any) -> Standing:
    return AlertWatcher(store).look(checked_rule(rule), NOW - timedelta(days=1), NOW).standing


@given(st.lists(st.integers(0, 100), max_size=30), st.integers(1, 4), st.integers(1, 5))
def test_windows_begin_where_enough_instants_are_close(hours: list[int], width: int, count: int) -> None:
    times = np.array(sorted(hours), np.int64) * 3_600
    stretches = list(windows(times, width, count))
    covered = {place for first, _, last in stretches for place in range(first, last + 1)}
    for place in range(len(times) - count + 1):
        if times[place + count - 1] - times[place] <= width * 3_600:
            assert covered >= set(range(place, place + count))
    for first, full, last in stretches:
        assert times[full] - times[first] <= width * 3_600
        assert full - first == count - 1 <= last - first


@pytest.mark.parametrize("are_reaches_kept", [False, True])
def test_an_event_of_several_sites_within_hours(store: Store, are_reaches_kept: bool) -> None:
    put_event(store, "fast", {"a": NOW - 5 * HOUR, "b": NOW - 4 * HOUR, "c": NOW - 3 * HOUR})
    put_event(store, "slow", {"a": NOW - 20 * HOUR, "b": NOW - 10 * HOUR, "c": NOW - HOUR})
    put_event(store, "dropped", {"a": NOW - 3 * HOUR, "b": NOW - 2 * HOUR, "c": NOW - HOUR}, state="dropped")
    put_event(store, "other", {"a": NOW - 3 * HOUR, "b": NOW - 2 * HOUR, "c": NOW - HOUR}, topic="flood")
    if are_reaches_kept:
        fill(store, lambda: None)
        store.upsert(ANALYSIS_JOBS, [{"name": "events", "state": {"reaches": True}}]).result()
    (one,) = found(store, kind="event", topic="quake", sites=3, hours=3)
    assert (one.subject, one.noticed, one.end, one.size) == ("fast", NOW - 3 * HOUR, None, 3)
    assert one.link == "https://a.example/fast"
    assert {each.subject for each in found(store, kind="event", sites=3, hours=3)} == {"fast", "other"}
    assert found(store, kind="event", sites=30, hours=3) == []
    assert standing(store, kind="event", sites=3, hours=3) == Standing(3, 3, True)
    assert standing(store, kind="event", topic="quake", sites=3, hours=2) == Standing(1, 3, False)
    shown = preview(store, checked_rule({"kind": "event", "sites": 2, "hours": 24}), NOW - 24 * HOUR, NOW, 1)
    assert (shown.count, [each.subject for each in shown.occurrences]) == (3, ["other"])


@given(st.lists(st.integers(0, 400), max_size=12), st.integers(2, 5), st.integers(1, 48))
def test_what_is_kept_of_an_event_says_when_a_rule_was_met_first(hours: list[int], sites: int, width: int) -> None:
    times = sorted(NOW + hour * HOUR / 3 for hour in hours)
    event = {"event": "e", "topic": "quake", "state": "open", "sites": [{"site": "a", "at": text(at)} for at in times]}
    rows = [row for row in spread_thresholds(event) if row["sites"] == sites]
    kept = [row["at"] for row in rows if row["width"] <= width * 3_600 < row["before"]]
    ends = zip(times, times[sites - 1 :], strict=False)
    assert kept == [text(last) for first, last in ends if last - first <= width * HOUR][:1]
    assert list(spread_thresholds(event | {"state": "dropped"})) == []


def test_a_burst_and_its_end(store: Store) -> None:
    rise = {NOW - place * HOUR: 30 for place in range(30, 34)}
    put_counts(store, hourly(NOW, 20, 1) | rise, topic="quake")
    put_counts(store, hourly(NOW, 20, 50))
    (one,) = found(store, days=3, kind="burst", topic="quake")
    assert NOW - 34 * HOUR <= one.begin <= NOW - 32 * HOUR
    assert one.end is not None
    assert found(store, days=3, kind="burst", topic="flood") == []
    assert standing(store, kind="burst", topic="quake").is_met is False
    put_counts(store, hourly(NOW, 20, 1) | {NOW - place * HOUR: 30 for place in range(1, 50)}, topic="quake")
    (one,) = found(store, kind="burst", topic="quake")
    assert one.noticed < NOW - timedelta(days=1), "it continues, so that a new rule tells of it"
    now = standing(store, kind="burst", topic="quake")
    assert (now.number, now.is_met) == (one.size, True)
    assert 6 <= now.threshold <= now.number


def test_a_young_series_says_that_it_cannot_have_bursts(store: Store) -> None:
    put_counts(store, hourly(NOW, 2, 5))
    assert standing(store, kind="burst").note == "young_series"


def test_a_mood_that_falls_surely(store: Store) -> None:
    bad = {NOW - place * HOUR: 4 for place in range(1, 13)}
    put_counts(store, hourly(NOW, 16, 1) | bad, "mood", "negative", "quake")
    put_counts(store, hourly(NOW, 16, 4), "mood", "neutral", "quake")
    (one,) = found(store, kind="mood", topic="quake", hours=12, rise=0.1)
    assert one.end is None
    assert 0.3 < one.facts["share"] <= 0.5
    assert found(store, kind="mood", topic="quake", hours=12, rise=0.4) == []
    now = standing(store, kind="mood", topic="quake", hours=12, rise=0.1)
    assert now.is_met
    assert now.threshold == pytest.approx(0.3)
    assert now.threshold <= now.number < one.facts["share"]
    assert standing(store, kind="mood", topic="flood").note == "few_texts"


def test_a_silent_site_unless_all_are(store: Store) -> None:
    put_counts(store, hourly(NOW - 12 * HOUR, 20, 2), "host", "quiet.example")
    put_counts(store, hourly(NOW, 20, 1), "host", "busy.example")
    put_counts(store, hourly(NOW, 20, 20))
    (one,) = found(store, kind="silent", hours=6)
    assert (one.subject, one.end) == ("quiet.example", None)
    assert 12 <= one.facts["expected"] <= 30
    assert standing(store, kind="silent", hours=6) == Standing(1, 1, True)
    assert standing(store, kind="silent", hours=6, sites=["busy.example"]) == Standing(0, 1, False)
    put_counts(store, hourly(NOW - 12 * HOUR, 20, 20) | {NOW - place * HOUR: 0 for place in range(1, 13)})
    assert found(store, kind="silent", hours=6) == []


def test_a_watched_site_is_silent_only_if_it_was_visited_since(store: Store) -> None:
    put_counts(store, hourly(NOW - 12 * HOUR, 20, 2), "host", "quiet.example")
    put_counts(store, hourly(NOW, 20, 20))
    source = {"crawl": "w", "key": "s", "host": "quiet.example", "visits": 5, "last_new_at": text(NOW - 12 * HOUR)}
    store.upsert(WATCH_SOURCES, [source | {"visited_at": text(NOW - 11 * HOUR)}]).result()
    assert found(store, kind="silent", sites=["quiet.example"]) == []
    store.upsert(WATCH_SOURCES, [source | {"visited_at": text(NOW - HOUR)}]).result()
    assert len(found(store, kind="silent", sites=["quiet.example"])) == 1


def run_row(key: str, begun: float, **columns: Any) -> dict[str, Any]:
    return {
        "key": key,
        "spider": "site",
        "job": f"news-20261120T0{len(key)}0000-1",
        "started": text(NOW - begun * HOUR),
        **columns,
    }


def test_failures_of_a_job_are_one_until_a_run_ends_well(store: Store) -> None:
    ends = [(9, 1), (8, 4), (7, 0), (3, 6), (2, 3)]
    store.upsert(RUNS, [
        run_row("k" * place, hours + 0.5, finished=text(NOW - hours * HOUR), exit_code=code, sentence="why")
        for place, (hours, code) in enumerate(ends, 1)
    ]).result()  # fmt: skip
    first, second = found(store, kind="failed")
    assert (first.subject, first.size, first.end) == ("news", 2, NOW - 7 * HOUR)
    assert (second.size, second.end) == (1, NOW - 2 * HOUR)
    assert found(store, kind="failed", spider="watch") == []


def test_runs_that_hang_or_have_died(store: Store) -> None:
    alive = text(NOW - HOUR / 60)
    store.upsert(RUNS, [
        run_row("hangs", 5, seen=alive, moved_at=text(NOW - 2 * HOUR)),
        run_row("died", 5, seen=text(NOW - 3 * HOUR), moved_at=text(NOW - 3 * HOUR)),
        run_row("works", 5, seen=alive, moved_at=alive),
        run_row("ended", 5, seen=text(NOW - 3 * HOUR), moved_at=text(NOW - 3 * HOUR), finished=text(NOW - 3 * HOUR)),
    ]).result()  # fmt: skip
    assert {one.subject: one.facts["died"] for one in found(store, kind="stalled")} == {"hangs": False, "died": True}
    assert standing(store, kind="stalled", minutes=60) == Standing(180, 60, True)
    assert standing(store, kind="failed") == Standing(0, 1, False)


def test_lists_that_have_changed_their_shape(store: Store) -> None:
    def row(key: str, state: str, hours: float, **columns: Any) -> dict[str, Any]:
        since = {"changed_at": text(NOW - hours * HOUR), "reason": "no items"} if hours else {}
        return {"key": key, "url": f"https://{key}.example/", "source": key, "state": state, **since, **columns}

    mended = row("mended", "read", 5, mended_at=text(NOW - HOUR))
    rows = [row("changed", "layout_changed", 3), mended, row("fine", "read", 0), row("never", "unreadable", 0)]
    store.upsert(LIST_STATES, rows).result()
    assert {one.facts["list"]: one.end for one in found(store, kind="layout")} == {
        "changed": None,
        "mended": NOW - HOUR,
    }
    assert [one.facts["list"] for one in found(store, kind="layout", sources=["changed"])] == ["changed"]
    assert standing(store, kind="layout") == Standing(1, 1, True)


def test_a_term_that_is_frequent_since_days_is_told_by_a_new_rule(store: Store) -> None:
    for number in range(120):
        at = text(NOW - number * HOUR)
        store.upsert(PAGES, [{
            "key": f"p{number}", "url": f"https://a.example/{number}", "host": "a.example", "kind": "article", "title": "基金",
            "body": "基金", "published_at": at, "published_precision": "second", "fetched_at": at, "language": "zh",
        }]).result()  # fmt: skip
    running.rebuild(store)
    rule = {"kind": "term", "term": "基金", "count": 5, "hours": 24}
    (one,) = found(store, **rule)
    assert one.end is None
    assert standing(store, **rule) == Standing(25, 5, True)
    (later,) = preview(store, checked_rule(rule), NOW - 30 * 24 * HOUR, NOW).occurrences
    assert later.size == 120


def test_a_term_and_a_place_inside_a_province(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, body in enumerate(
        ("辽宁省海城市发生地震，暂无伤亡。", "云南省瑞丽市发生地震。", "辽宁省大连市的地震演练结束。")
    ):
        at = text(NOW - (number + 1) * HOUR)
        store.upsert(PAGES, [{
            "key": f"p{number}", "url": f"https://a.example/{number}", "host": "a.example", "kind": "article", "title": f"通报{number}",
            "body": body, "topic": "quake", "published_at": at, "published_precision": "second", "fetched_at": at, "language": "zh",
        }]).result()  # fmt: skip
    running.rebuild(store)
    assert standing(store, kind="term", term="地震", count=3, hours=2) == Standing(2, 3, False)
    assert standing(store, kind="place", place="辽宁省", term="地震", count=2, hours=4) == Standing(2, 2, True)
    (one,) = found(store, kind="term", term="地震", count=3, hours=4)
    assert (one.size, one.noticed) == (3, NOW - HOUR)
    assert found(store, kind="term", term="地震", count=3, hours=1) == []
    (place,) = found(store, kind="place", place="辽宁省", term="地震", count=2, hours=4)
    assert place.size == 2
    (alone,) = found(store, kind="place", place="瑞丽", term="地震", count=1)
    assert (alone.size, alone.text.partition(" since ")[0]) == (1, "1 text on 1 page")
    day = {
        "kind": "subscription",
        "term": "地震",
        "at": "19:00",
        "zone": "Asia/Shanghai",
    }  # 11:00 in UTC: one hour before now
    (daily,) = found(store, **day)
    assert (daily.size, daily.noticed, daily.end) == (2, NOW - HOUR, NOW - HOUR)
    assert [title for title, _ in daily.facts["listed"]] == ["通报1", "通报2"]
    assert standing(store, **day) == Standing(1, 1, True), "collected at eleven, it is of the next day"
    (hourly_one,) = found(store, kind="subscription", term="地震 -大连", every="hour")
    assert hourly_one.end == NOW - HOUR, "the hour that ends now may still get rows"
    assert found(store, kind="subscription", term="海啸", every="now") == []
    assert daily.text.startswith("2 texts on 2 pages")
    monkeypatch.setattr("analysis.alerts.subscriptions._MAX_READ", 2)
    (cut,) = found(store, **day)
    assert cut.text.startswith("At least 1 text on 1 page\n")
    assert (cut.facts["cut"], cut.size) == (True, 1)

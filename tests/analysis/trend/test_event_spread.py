"""How an event spreads: sites by hour, first reports, and the pages of the next day."""

import csv
import io
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from analysis.mood import spread_of
from analysis.trend import read_event_spread, spread_svg
from analysis.trend.event_spread import event_forecast
from analysis.trend.spread_facts import spread_csv, spread_facts
from pipelines.stores.analysis_tables import EVENTS, MEMBERS
from pipelines.stores.base import Store, StoreError

START = datetime(2026, 10, 4, 16, 30, tzinfo=UTC)
HOUR = 3_600.0
NO_TIMES = np.array([])


def put(store: Store, event: str, start: datetime, reports: list[tuple[float, str]]) -> None:
    """An event with reports at hours after its start."""
    for number, (hour, site) in enumerate(reports):
        at = (start + timedelta(hours=hour)).isoformat(timespec="seconds")
        row = {
            "page": f"{event}-{number}",
            "event": event,
            "at": at,
            "site": site,
            "title": f"{site} <b>",
            "url": "https://a.example/",
        }
        store.upsert(MEMBERS, [row]).result()
    last = (start + timedelta(hours=reports[-1][0])).isoformat(timespec="seconds")
    row = {
        "event": event,
        "name": "地震 <b>",
        "topic": "quake",
        "first_at": start.isoformat(timespec="seconds"),
        "last_at": last,
    }
    store.upsert(EVENTS, [row | {"pages": len(reports), "site_count": len({site for _, site in reports})}]).result()


def test_the_spread_of_an_event(store: Store) -> None:
    put(store, "e", START, [(0, "a.example"), (0.2, "b.example"), (1, "a.example"), (3, "c.example")])
    for number in range(4):
        put(
            store,
            f"old{number}",
            START - timedelta(days=9 + number),
            [(0, "a.example"), (1, "b.example"), (9, "c.example")],
        )
    put(store, "young", START - timedelta(hours=20), [(0, "a.example"), (1, "b.example")])  # its day is not over
    spread = read_event_spread(store, "e-1", START + timedelta(hours=5))
    assert spread.row["event"] == "e"
    assert [(each.site, each.at - START) for each in spread.reports] == [
        ("a.example", timedelta()), ("b.example", timedelta(hours=0.2)), ("c.example", timedelta(hours=3)),
    ]  # fmt: skip
    assert spread.pages.counts.tolist()[:5] == [2, 1, 0, 1, 0]
    assert spread.sites.tolist()[:5] == [2, 2, 2, 3, 3]
    assert (spread.forecast.trials, len(spread.forecast.hours)) == (4, 24)
    assert 0.5 < spread.forecast.total < 2.5  # each of the others had one page more
    lines = list(csv.DictReader(io.StringIO(spread_csv(spread))))
    assert [(line["pages"], line["new_sites"], line["sites"]) for line in lines[2:4]] == [
        ("0", "0", "2"),
        ("1", "1", "3"),
    ]
    facts = spread_facts(spread, spread_of(["negative", "neutral"]))
    assert (facts["sites"], facts["mood"]["total"], facts["mood"]["negative_share"]) == (3, 2, 0.5)
    tree = etree.fromstring(spread_svg(spread, spread.row["name"]).encode())
    assert len(tree.findall(".//{*}polyline")) == 2
    with pytest.raises(StoreError, match="there is no event"):
        read_event_spread(store, "nothing", START)


def test_an_old_event_is_shown_until_a_day_after_its_last_page(store: Store) -> None:
    put(store, "e", START, [(0, "a.example"), (3, "b.example")])
    assert len(read_event_spread(store, "e", START + timedelta(days=90)).pages.counts) == 28


def test_the_forecast_follows_events_that_were_as_old() -> None:
    times, now = np.arange(5) * HOUR, 5 * HOUR + 30 * 86_400
    ended = [np.arange(5) * HOUR + day * 86_400 for day in range(9)]
    going_on = [np.arange(30) * HOUR + day * 86_400 for day in range(9)]
    own = times + 30 * 86_400
    assert event_forecast(own, ended, now).total < 0.5
    assert event_forecast(own, going_on, now).total > 15
    assert event_forecast(own, going_on, now).error == pytest.approx(0, abs=4)
    alone = event_forecast(own, [], now)
    assert (alone.error, alone.trials) == (None, 0)
    assert event_forecast(NO_TIMES, going_on, now).total == 0


@given(st.lists(st.lists(st.floats(0, 1e7), max_size=8).map(sorted), max_size=5), st.floats(0, 2e7))
def test_a_forecast_has_finite_bounds(events: list[list[float]], now: float) -> None:
    own, *others = [np.array(each) for each in (events or [[]])]
    coming = event_forecast(own, others, now)
    assert 0 <= coming.low <= coming.total <= coming.high < 1e6
    assert coming.hours.sum() == pytest.approx(coming.total)

"""One alert for each happening: updates instead of repeats, an end, acknowledgement; on both stores."""

from datetime import datetime

from analysis.alerts.alert_rules import checked_rule
from analysis.alerts.occurrences import Occurrence
from analysis.alerts.rule_set import NamedRule
from analysis.alerts.state import AlertStore, acknowledge, forget_acknowledgement, unseen
from pipelines.stores.alert_tables import ALERTS
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Row, Store
from tests.analysis.alerts.filling import DAY, HOUR, NOW

RULE = NamedRule("quake", checked_rule({"kind": "event", "topic": "quake"}))
SITE = NamedRule("sites", checked_rule({"kind": "silent"}))


def seen(subject: str = "e", size: float = 3, noticed: datetime = NOW, end: datetime | None = None) -> Occurrence:
    return Occurrence(subject, noticed - HOUR, noticed, end, size, "Quake", "3 sites", "https://a.example/")


def rows(store: Store) -> list[Row]:
    return sorted(store.select(ALERTS), key=lambda row: row["key"])


def test_it_is_told_once_and_again_when_it_has_doubled(store: Store) -> None:
    alerts = AlertStore(store)
    assert len(alerts.keep(RULE, [seen()], NOW)) == 1
    for hours, size, number in ((0.5, 9, 1), (2, 5, 1), (3, 6, 2), (4, 7, 2), (8, 30, 3)):
        alerts.keep(RULE, [seen(size=size)], NOW + hours * HOUR)
        (row,) = rows(store)
        assert (row["number"], row["size"]) == (number, size)
    assert row["sentence"] == "more"


def test_an_event_keeps_its_alert_when_its_key_changes(store: Store) -> None:
    AlertStore(store).keep(RULE, [seen("late")], NOW)
    store.upsert(MEMBERS, [{"page": "late", "event": "early"}]).result()
    AlertStore(store).keep(RULE, [seen("early")], NOW + HOUR)
    assert [row["subject"] for row in rows(store)] == ["late"]


def test_what_comes_again_later_is_another_alert(store: Store) -> None:
    alerts = AlertStore(store)
    alerts.keep(SITE, [seen("a.example")], NOW)
    alerts.keep(SITE, [], NOW + HOUR)
    assert [(row["state"], row["sentence"]) for row in rows(store)] == [("over", "over")]
    alerts.keep(SITE, [seen("a.example", noticed=NOW + 2 * HOUR)], NOW + 2 * HOUR)
    assert len(rows(store)) == 1
    alerts.keep(SITE, [], NOW + 3 * HOUR)
    alerts.keep(SITE, [seen("a.example", noticed=NOW + DAY)], NOW + DAY)
    assert [row["state"] for row in rows(store)] == ["over", "open"]


def test_a_new_rule_tells_of_what_began_long_ago_and_continues(store: Store) -> None:
    AlertStore(store).keep(RULE, [seen("old", noticed=NOW - 5 * DAY)], NOW)
    assert [(row["subject"], row["state"], row["number"]) for row in rows(store)] == [("old", "open", 1)]


def test_old_news_is_no_alert_but_an_open_alert_goes_on(store: Store) -> None:
    alerts = AlertStore(store)
    alerts.keep(RULE, [seen("old", noticed=NOW - 2 * DAY, end=NOW - 1.5 * DAY)], NOW)
    assert rows(store) == []
    alerts.keep(RULE, [seen()], NOW)
    later = NOW + 3 * DAY
    assert alerts.since(RULE, later) <= NOW - HOUR
    alerts.keep(RULE, [seen(size=50)], later)
    (row,) = rows(store)
    assert (row["state"], row["number"]) == ("open", 2)


def test_who_has_seen_it_hears_no_more(store: Store) -> None:
    alerts = AlertStore(store)
    (key,) = alerts.keep(RULE, [seen()], NOW)
    assert unseen(store) == 1
    assert acknowledge(store, key, "anna", NOW)
    assert not acknowledge(store, "none", "anna", NOW)
    assert alerts.keep(RULE, [seen(size=100)], NOW + 5 * HOUR) == [key]  # the first message is still to be made
    (row,) = rows(store)
    assert (row["number"], row["size"], row["acknowledged_by"], unseen(store)) == (1, 100, "anna", 0)
    forget_acknowledgement(store, key)
    assert unseen(store) == 1


def test_a_flood_is_kept_and_not_told(store: Store) -> None:
    AlertStore(store).keep(RULE, [seen(f"e{number}") for number in range(30)], NOW)
    assert len(rows(store)) == 30
    assert sum(row["number"] for row in rows(store)) == 20

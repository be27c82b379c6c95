"""Alerts on hot lists: an item that enters one, and one among its first."""

from datetime import UTC, datetime, timedelta

from analysis.alerts.alert_rules import checked_rule
from analysis.alerts.watch import AlertWatcher
from analysis.alerts.wording import worded
from extractors.feeds import FeedEntry
from pipelines.items import HotListItem
from pipelines.rankings import seen_row
from pipelines.stores.base import MutableRow, Store
from pipelines.stores.watch_tables import RANKINGS

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


def _visits(store: Store, source: str, *visits: str) -> None:
    """A visit every ten minutes; each letter is an item."""
    latest: dict[str, MutableRow] = {}
    for number, letters in enumerate(visits):
        entries = tuple(
            FeedEntry(f"https://{source}.example/{each}", title=f"Story {each}", rank=rank)
            for rank, each in enumerate(letters, 1)
        )
        item = HotListItem(source, f"https://{source}.example/", NOON + timedelta(minutes=10 * number), entries)
        store.upsert(RANKINGS, [seen_row(item, "watch", store, latest)]).result()


def test_an_item_with_a_word_enters_lists_and_is_one_occurrence(store: Store) -> None:
    _visits(store, "weibo", "ab", "abq", "qab")
    _visits(store, "zhihu", "c", "qc", "c")
    look = AlertWatcher(store).look(
        checked_rule({"kind": "entered", "words": ["story Q", "none"]}), NOON, NOON + timedelta(hours=1)
    )
    (found,) = look.occurrences
    assert (found.title, found.size, found.end) == ("Hot: Story q", 2.0, None)
    assert found.begin == NOON + timedelta(minutes=10)
    assert found.facts["ranks"] == [["weibo", 1], ["zhihu", 1]]
    assert (look.standing.number, look.standing.is_met) == (1.0, True)
    title, text = worded({"kind": "entered", "facts": found.facts, "title": found.title, "text": found.text}, "zh")
    assert title == "热榜：Story q"
    assert "weibo 第 1 位" in text


def test_what_the_first_visit_shows_has_not_entered(store: Store) -> None:
    _visits(store, "weibo", "q", "q")
    look = AlertWatcher(store).look(checked_rule({"kind": "entered", "words": ["q"]}), NOON, NOON + timedelta(hours=1))
    assert list(look.occurrences) == []


def test_a_rank_is_met_while_the_item_is_among_the_first(store: Store) -> None:
    _visits(store, "weibo", "abc", "bac", "bca")
    rule = checked_rule({"kind": "rank", "rank": 1, "sources": ["weibo"]})
    found = {
        each.title: each.end for each in AlertWatcher(store).look(rule, NOON, NOON + timedelta(hours=1)).occurrences
    }
    assert found == {"Hot: Story a": NOON, "Hot: Story b": None}
    other = checked_rule({"kind": "rank", "sources": ["zhihu"]})
    assert list(AlertWatcher(store).look(other, NOON, NOON + timedelta(hours=1)).occurrences) == []

"""Merges and splits of people move the limit of their topic, within bounds; undone ones move it back."""

import contextlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from analysis import running
from analysis.events import EventLimits, Settings
from analysis.events.store import EventStep, decide
from analysis.events.store.decisions import EventDecision, undo
from analysis.events.store.moved_limits import HIGHEST, LOWEST, MovedLimits, limit_of, moved_by
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from tests.analysis.events.store.test_step import groups, put, tables

LIMITS = Settings(title_in_letters=EventLimits(0.361, 0.361, days=1_000.0))
PAIRS = 9


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Pairs of titles that share three of eight words, a little less than the limit."""
    monkeypatch.setattr(running, "STEPS", {"events": partial(EventStep, settings=LIMITS)})
    with contextlib.closing(open_store(f"sqlite:///{tmp_path}/a.db")) as opened:
        put(opened, *(page for number in range(PAIRS) for page in pair(number)))
        running.run(opened)
        yield opened


def pair(number: int) -> list[tuple[str, str, str, str, str]]:
    words = [f"zq{letter}x{number}" for letter in "abcdefghijklm"]
    titles = {"one": words[:8], "two": words[:3] + words[8:]}
    return [
        (f"{name}{number}", " ".join(title), "", f"2026-05-{10 + number}T{hour:02}:00:00+00:00", f"{name}.example")
        for hour, (name, title) in enumerate(titles.items(), 8)
    ]


def joined(store: Store) -> list[int]:
    """The pairs that were placed in one event."""
    rows = {row["page"]: row["placed_event"] for row in store.select(MEMBERS)}
    return [number for number in range(PAIRS) if rows[f"one{number}"] == rows[f"two{number}"]]


def test_after_some_merges_like_pairs_are_joined_until_these_are_undone(store: Store) -> None:
    assert joined(store) == []
    merges = []
    for number, wanted in enumerate(([], [], [], [], [], [], [6, 7, 8])):
        merges.append(decide(store, "merge", f"two{number}", f"one{number}"))
        running.run(store)
        assert joined(store) == wanted, "from the last corrected pair on"
    factor, corrections = limit_of(store, "安全")
    assert (LOWEST < factor < 1, corrections) == (True, 7)
    assert limit_of(store, "天气") == (1.0, 0)
    moved = tables(store)
    running.rebuild(store)
    assert tables(store) == moved
    undo(store, merges[1])
    running.run(store)
    assert joined(store) == []
    assert groups(store) >= {frozenset({"one0", "two0"}), frozenset({"one1"}), frozenset({"one6", "two6"})}
    moved = tables(store)
    running.rebuild(store)
    assert tables(store) == moved


def test_splits_move_the_limit_up_once_they_are_more_than_merges() -> None:
    made = [correction(0.95, "merge", f"2026-05-{day}") for day in range(11, 17)]
    made += [correction(1.05, "split", f"2026-06-{day}") for day in range(10, 22)]
    assert [(since, factor > 1) for _, since, factor in moved_by(made)] == [
        ("2026-05-15", False),
        ("2026-05-16", False),
        ("2026-06-20", False),
        ("2026-06-21", True),
    ]


def correction(nearness: float, action: str = "merge", since: str = "2026-05") -> EventDecision:
    return EventDecision(since, "merge" if action == "merge" else "split", "a", "b", "", "t", since, nearness)


@pytest.mark.parametrize(("action", "nearness", "end"), [("merge", 0.81, LOWEST), ("split", 1.2, HIGHEST)])
def test_a_limit_stays_within_its_bounds(action: str, nearness: float, end: float) -> None:
    made = [correction(nearness, action, f"2026-{number:03}") for number in range(100)]
    assert moved_by(made)[-1][2] == pytest.approx(end, abs=0.05)
    assert all(LOWEST <= factor <= HIGHEST for _, _, factor in moved_by(made))


@pytest.mark.parametrize(("action", "nearness"), [("merge", 0.1), ("merge", 1.1), ("split", 0.9), ("split", 3.0)])
def test_what_words_do_not_show_teaches_nothing(action: str, nearness: float) -> None:
    assert moved_by([correction(nearness, action)]) == []


def test_a_limit_counts_from_the_corrected_page_on() -> None:
    limits = MovedLimits([("t", "2026-05-10", 0.9), ("t", "2026-06-10", 0.8)])
    found = [limits.factor("t", f"2026-{month}-10") for month in ("04", "05", "06", "07")]
    assert found == [1.0, 0.9, 0.8, 0.8]
    assert limits.factor("other", "2026-07-10") == 1.0

"""A source that told often and tells nothing more is silent, for as long as that lasts, also for the command that reads the store."""

import argparse
from pathlib import Path

import pytest

from crawler.commands.watch import _show_status
from crawler.watching.answers import Listed, Listing, VisitAnswer
from crawler.watching.rows import WatchRows
from crawler.watching.status import silent_sources
from crawler.watching.visits import WatchOptions, WatchVisit
from crawler.watching.watch import Watch
from pipelines.stores.opening import open_store

HOME, HOST, HOUR, NOW = "http://news.example.cn/", "news.example.cn", 3_600.0, 1e9


def visit(watch: Watch, hours: range, told_until: int) -> None:
    """Each hour; there is something new every four hours."""
    for hour in hours:
        newest = 1_000_020 + min(hour, told_until) // 4
        shown = Listing(tuple(Listed(f"{HOME}a/{number}.html", "t") for number in range(newest, newest - 10, -1)))
        watch.answered(WatchVisit("list", HOME, HOST, HOME), VisitAnswer(200, shown), NOW + hour * HOUR)


@pytest.fixture
def watch() -> Watch:
    made = Watch(WatchOptions())
    made.start(HOME, NOW)
    visit(made, range(120), 96)
    return made


def test_a_source_stays_silent_until_it_tells_something(watch: Watch) -> None:
    assert silent_sources(watch) == []
    visit(watch, range(120, 150), 96)
    assert silent_sources(watch) == [HOME]
    visit(watch, range(150, 600, 10), 96)
    assert silent_sources(watch) == [HOME]
    visit(watch, range(600, 601), 600)
    assert silent_sources(watch) == []


def test_nothing_is_silent_because_nobody_looks(watch: Watch) -> None:
    watch.next(NOW + 900 * HOUR)
    assert silent_sources(watch) == []


def test_what_is_silent_is_stored_and_shown(watch: Watch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    visit(watch, range(120, 170), 96)
    store = open_store(f"sqlite:///{tmp_path / 'topicrawl.db'}")
    store.write(WatchRows("watch", watch).changed(NOW + 170 * HOUR)).result()
    again = Watch(WatchOptions())
    WatchRows("watch", again).load(store, NOW + 171 * HOUR)
    _show_status(store, argparse.Namespace(crawl="", all=False, json=False))
    store.close()
    assert silent_sources(again) == [HOME]
    assert "silent" in capsys.readouterr().out

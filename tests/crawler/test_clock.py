"""The clock of waits goes on when the clock of the machine is set back."""

import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.settings import Settings

from crawler import clock
from crawler.clock import crawl_now, crawl_seconds, crawl_time, set_speed, steady_time, wait_time
from crawler.config.hours import Politeness
from crawler.config.sites import read_sites
from crawler.extensions.runs import now as run_moment
from crawler.frontier.base import QueueEntry
from crawler.frontier.local.sqlite import SqliteFrontier
from crawler.middlewares.failures import NoAnswerError
from crawler.middlewares.request_filters import HoursMiddleware


def test_it_starts_as_the_wall_clock() -> None:
    assert abs(steady_time() - time.time()) < 5


@pytest.mark.parametrize("seconds", [3_600, 30 * 86_400])
def test_it_does_not_go_back(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    before, wall = steady_time(), time.time
    monkeypatch.setattr(time, "time", lambda: wall() - seconds)
    assert before <= steady_time() < before + 5


@pytest.fixture
def speed() -> Iterator[None]:
    """An hour of the crawl passes in a second."""
    set_speed(3_600)
    yield
    set_speed(1)


@pytest.mark.usefixtures("speed")
def test_a_simulated_clock_is_the_same_in_all_processes_and_runs_at_its_speed() -> None:
    begin, real = crawl_time(), time.monotonic()
    time.sleep(0.02)
    assert crawl_time() - begin == pytest.approx(3_600 * (time.monotonic() - real), rel=0.2)
    assert clock.clock_at_speed(3_600)() - crawl_time() < 600
    assert abs(wait_time() - crawl_time()) < 600
    assert abs(datetime.fromisoformat(run_moment()) - crawl_now()).total_seconds() < 600


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The simulated moment, half past ten in the evening of UTC."""
    found = [datetime(2026, 11, 21, 22, 30, tzinfo=UTC).timestamp()]
    for name in ("_crawl_time", "_fast_wait_time"):
        monkeypatch.setattr(clock, name, lambda: found[0])
    monkeypatch.setattr(clock, "_speed", 60.0)
    return found


def test_opening_hours_leases_and_rows_of_runs_go_by_the_simulated_clock(tmp_path: Path, moment: list[float]) -> None:
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "day.example.yaml").write_text('hours: ["08:00-20:00"]\nzone: UTC')
    sites = read_sites(Settings({"TOPICRAWL_SETTINGS_DIR": str(tmp_path)}))
    frontier = SqliteFrontier(tmp_path / "f.db", Politeness(10.0, 2, sites.of("day.example").opening_hours))
    frontier.push([QueueEntry(number, "day.example", 0, b"x") for number in range(2)])
    with pytest.raises(NoAnswerError):
        HoursMiddleware(sites).process_request(Request("http://day.example/"))
    assert frontier.pop(2) == []
    moment[0] += 10 * 3_600
    HoursMiddleware(sites).process_request(Request("http://day.example/"))
    assert run_moment() == "2026-11-22T08:30:00+00:00"
    assert len(frontier.pop(2)) == 1
    moment[0] += 11
    assert len(frontier.pop(2)) == 1
    assert crawl_seconds(180) == 10_800
    frontier.close()


_SET_BACK = """
import sys, time
wall, back = time.time, 0.0
time.time = lambda: wall() - back
from datetime import UTC, datetime
from pathlib import Path
from crawler.identities.base import Key
from crawler.identities.sqlite_identities import SqliteIdentities
store, key = SqliteIdentities(Path(sys.argv[1])), Key("some.example", "reader")
store.fail(key, store.take_turn(key, 0), "wrong password", 30.0)
back = 3_600.0
print(store.take_turn(key, 0).seconds)
"""


def test_a_log_in_that_failed_waits_no_longer_when_the_clock_is_set_back(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SET_BACK, tmp_path / "identities.db"], capture_output=True, text=True, check=True
    )
    assert 0 < float(done.stdout) <= 30

"""The clock of waits goes on when the clock of the machine is set back."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from crawler.clock import steady_time


def test_it_starts_as_the_wall_clock() -> None:
    assert abs(steady_time() - time.time()) < 5


@pytest.mark.parametrize("seconds", [3_600, 30 * 86_400])
def test_it_does_not_go_back(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    before, wall = steady_time(), time.time
    monkeypatch.setattr(time, "time", lambda: wall() - seconds)
    assert before <= steady_time() < before + 5


_SET_BACK = """
import sys, time
wall, back = time.time, 0.0
time.time = lambda: wall() - back
from pathlib import Path
from crawler.identities.base import Key
from crawler.identities.sqlite import SqliteIdentities
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

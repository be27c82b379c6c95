"""`scrapy prune` is killed at random moments and run again: the same rows stay as after one run, and none is half."""

import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from benchmarks.attacks import Trial, outcome
from benchmarks.console import fill
from pipelines.stores.opening import open_store
from pipelines.stores.tables import TABLES
from testbed.crawling import REPOSITORY

_PAGES, _KILLS = 6_000, 5
_BEFORE = "2026-11-22T00:00"


def attack(folder: Path, trial: Trial) -> str:
    """Counts of every table after five kills and a whole run, and after a whole run alone."""
    chance, killed, whole = trial.chance(), folder / "killed.db", folder / "whole.db"
    with closing(open_store(f"sqlite:///{killed}")) as store:
        fill(store, _PAGES)
    shutil.copy(killed, whole)
    before = _counts(killed)
    expected_code, interrupted = _start(whole).wait(), 0
    for _ in range(_KILLS):
        process = _start(killed)
        _wait_for_removals(process, killed)
        time.sleep(chance.uniform(0.0, 0.3))
        interrupted += process.poll() is None
        process.kill()
        process.wait()
    code = _start(killed).wait()
    expected, found = _counts(whole), _counts(killed)
    other = [name for name in expected if expected[name] != found[name]]
    return outcome(
        f"{before['pages'] - found['pages']} of {before['pages']} pages pruned, {interrupted} runs killed in their midst",
        f"exit codes {expected_code} and {code}" if expected_code or code else "",
        f"other rows in {', '.join(other)}" if other else "",
        "nothing was pruned" if found["pages"] == before["pages"] else "",
        "no run was killed" if not interrupted else "",
    )


def _start(database: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "scrapy", "prune", "--before", _BEFORE, "--yes"]
    command += ["-s", f"STORE=sqlite:///{database}", "-s", f"DATA_DIR={database.parent / database.stem}"]
    return subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _wait_for_removals(process: "subprocess.Popen[bytes]", database: Path) -> None:
    """Until a row has gone or the process has ended."""
    before = _counts(database)
    while process.poll() is None and _counts(database) == before:
        time.sleep(0.02)


def _counts(database: Path) -> dict[str, int]:
    with closing(sqlite3.connect(database)) as connection:
        return {
            name: connection.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0]
            for name in TABLES
            if name != "analysis_queue"
        }

"""Values of the wrong kind in every column of every table: each page, JSON twin and export of the console shows the other rows."""

import time
from pathlib import Path

from starlette.testclient import TestClient

from benchmarks.attacks import Trial, outcome
from benchmarks.filled_console import filled_console
from testbed.console_views import later_parts, views
from testbed.hostile_rows import spoil

_ROUNDS = 3
_MAX_SECONDS = 2.0


def attack(folder: Path, trial: Trial) -> str:
    """Several times with other values."""
    answers, slowest, failing = 0, 0.0, set[str]()
    for number in range(_ROUNDS):
        with filled_console(folder / str(number)) as (client, store):
            spoil(Path(store.location), 1_000 * trial.seed + number)
            for path in views(store, most=30):
                seconds, status = _asked(client, path)
                answers, slowest = answers + 1, max(slowest, seconds)
                if status >= 500:
                    failing.add(path.partition("?")[0])
    figures = f"{answers} answers, the slowest in {slowest:.2f} s"
    return outcome(
        figures,
        f"answered 500: {', '.join(sorted(failing))}" if failing else "",
        "too slow" if slowest > _MAX_SECONDS else "",
    )


def _asked(client: TestClient, path: str) -> tuple[float, int]:
    """The seconds, and the worst status of the address and its further parts."""
    began = time.monotonic()
    answer = client.get(path)
    seconds = time.monotonic() - began
    further = [
        client.get(part).status_code for part in later_parts(path, answer.text, lambda part: client.get(part).text)
    ]
    return seconds, max(answer.status_code, *further, 0)

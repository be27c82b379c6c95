"""The store's server is killed under the console: an answer 503 soon, 200 after its return, with every page."""

import time
from contextlib import closing
from itertools import islice
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from benchmarks.attacks import SKIPPED, Trial, outcome
from benchmarks.console_pages import made_rows
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from testbed.console_server import console_process
from testbed.servers import NoServerError, mongo_server

_PAGES, _KILLS = 300, 3
_FAULT_SECONDS, _BACK_SECONDS = 15.0, 20.0


def attack(folder: Path, trial: Trial) -> str:
    """Several times, with pauses from the seed."""
    try:
        server = mongo_server(folder / "mongo").start()
    except NoServerError as error:
        return f"{SKIPPED}: {error}"
    address = f"{server.address}made?serverSelectionTimeoutMS=2000&connectTimeoutMS=2000"
    chance, statuses, slowest, back = trial.chance(), set[int](), 0.0, 0.0
    try:
        with closing(open_store(address)) as store:
            _fill(store)
            with console_process(address, folder) as (port, _):
                first = _asked(port)[0]
                for _ in range(_KILLS):
                    server.kill()
                    time.sleep(chance.uniform(0.0, 3.0))
                    status, seconds = _asked(port)
                    statuses, slowest = statuses | {status}, max(slowest, seconds)
                    server.start()
                    back = max(back, _until_answered(port))
            pages = store.count(PAGES)
    finally:
        server.kill()
    return outcome(
        f"{sorted(statuses)} after {slowest:.1f} s at most, 200 {back:.1f} s after its return; {pages} of {_PAGES} pages",
        f"status {first} before" if first != 200 else "",
        "another status than 503" if statuses != {503} else "",
        "too slow" if slowest > _FAULT_SECONDS or back > _BACK_SECONDS else "",
        "pages lost" if pages != _PAGES else "",
    )


def _fill(store: Store) -> None:
    rows = made_rows(_PAGES)
    while batch := list(islice(rows, 500)):
        store.write(batch).result()


def _asked(port: int) -> tuple[int, float]:
    """The status, 0 without an answer, and the seconds."""
    began = time.monotonic()
    try:
        with urlopen(f"http://127.0.0.1:{port}/articles", timeout=60) as answer:
            return answer.status, time.monotonic() - began
    except HTTPError as error:
        return error.code, time.monotonic() - began
    except OSError:
        return 0, time.monotonic() - began


def _until_answered(port: int) -> float:
    began = time.monotonic()
    while time.monotonic() - began < 3 * _BACK_SECONDS and _asked(port)[0] != 200:
        time.sleep(0.2)
    return time.monotonic() - began

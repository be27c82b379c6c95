"""The store's server is killed under console and analysis: answers 503 soon, 200 after its return; the analysis goes on.

Small stand-ins for MongoDB may hang on their files after a kill. The analysis then waits for them, and its figure counts no fault.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from benchmarks.attacks import SKIPPED, Trial, outcome
from benchmarks.console_pages import made_rows
from pipelines.stores.analysis_tables import ANALYSIS_JOBS, ANALYSIS_QUEUE, COUNTED_PAGES
from pipelines.stores.base import Store, StoreError
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from pipelines.waiting import waiting_rows
from testbed.console_server import console_process
from testbed.crawling import REPOSITORY
from testbed.servers import NoServerError, ServerProcess, mongo_server

_PAGES, _KILLS = 300, 3
_FAULT_SECONDS, _BACK_SECONDS, _ANALYSIS_SECONDS = 15.0, 20.0, 90.0
_QUICK = "serverSelectionTimeoutMS=2000&connectTimeoutMS=2000"


def attack(folder: Path, trial: Trial) -> str:
    """Several times, with pauses from the seed; the analysis follows all the time."""
    try:
        server = mongo_server(folder / "mongo").start()
    except NoServerError as error:
        return f"{SKIPPED}: {error}"
    address = f"{server.address}made?{_QUICK}"
    chance, statuses, slowest, back = trial.chance(), set[int](), 0.0, 0.0
    try:
        with closing(open_store(address)) as store:
            _fill(store)
            with console_process(address, folder) as (port, _), _analysis(address, folder) as process:
                first = _asked(port)[0]
                _until(lambda: bool(store.count(ANALYSIS_JOBS, limit=1)), _ANALYSIS_SECONDS)
                for _ in range(_KILLS):
                    server.kill()
                    time.sleep(chance.uniform(0.0, 3.0))
                    status, seconds = _asked(port)
                    statuses, slowest = statuses | {status}, max(slowest, seconds)
                    server.start()
                    back = max(back, _until(lambda: _asked(port)[0] == 200, 3 * _BACK_SECONDS))
                analysed = _until(lambda: _is_analysed(store, server), _ANALYSIS_SECONDS)
                code = process.poll()
            pages, counted = store.count(PAGES), store.count(COUNTED_PAGES)
    finally:
        server.kill()
    return outcome(
        f"{sorted(statuses)} after {slowest:.1f} s at most, 200 {back:.1f} s after its return; {pages} of {_PAGES} pages, "
        f"{counted} analysed {analysed:.0f} s later",
        f"status {first} before" if first != 200 else "",
        "another status than 503" if statuses != {503} else "",
        "too slow" if slowest > _FAULT_SECONDS or back > _BACK_SECONDS else "",
        "pages lost" if pages != _PAGES else "",
        "pages not analysed" if counted != _PAGES and server.origin.endswith("mongod") else "",
        f"the analysis ended with {code}" if code is not None else "",
    )


def _fill(store: Store) -> None:
    rows = made_rows(_PAGES)
    while batch := list(islice(rows, 500)):
        store.write([*batch, *waiting_rows([row["key"] for table, row in batch if table is PAGES])]).result()


@contextmanager
def _analysis(store: str, folder: Path) -> "Iterator[subprocess.Popen[bytes]]":
    command = [sys.executable, "-m", "scrapy", "analysis", "run", "--follow", "-s", f"STORE={store}"]
    with (folder / "analysis.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "-s", f"DATA_DIR={folder}"], cwd=REPOSITORY, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


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


def _is_analysed(store: Store, server: ServerProcess) -> bool:
    """A server that hangs is started again: FerretDB may, on its files after a kill."""
    try:
        return not store.count(ANALYSIS_QUEUE) and store.count(COUNTED_PAGES) == _PAGES
    except StoreError:
        server.kill()
        server.start()
        return False


def _until(reached: Callable[[], bool], seconds: float) -> float:
    """Seconds until it is so, at most the given ones."""
    began = time.monotonic()
    while time.monotonic() - began < seconds and not reached():
        time.sleep(0.2)
    return time.monotonic() - began

"""The store's server is killed under the console and the analysis: answers 503 soon, 200 after its return, and nothing is lost."""

import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from pymongo import MongoClient
from pymongo.errors import PyMongoError

from benchmarks.attacks import SKIPPED, Trial, outcome
from benchmarks.console_pages import made_rows
from pipelines.stores.analysis_tables import COUNTED_PAGES
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from pipelines.waiting import waiting_rows
from testbed.console_server import console_process
from testbed.crawling import REPOSITORY
from testbed.servers import NoServerError, ServerProcess, mongo_server

_PAGES = 300
_ANALYSIS_SECONDS = 150.0
_FAULT_SECONDS, _BACK_SECONDS = 15.0, 30.0


def attack(folder: Path, trial: Trial) -> str:
    """The analysis is killed with the server if it is still at work, and run again."""
    try:
        server = mongo_server(folder / "mongo").start()
    except NoServerError as error:
        return f"{SKIPPED}: {error}"
    address = f"{server.address}made?serverSelectionTimeoutMS=2000&connectTimeoutMS=2000&socketTimeoutMS=10000"
    is_over, restarts = threading.Event(), list[float]()
    try:
        with closing(open_store(address)) as store:
            _fill(store)
            with console_process(address, folder) as (port, _):
                first = _asked(port)[0]
                process = _analysis(address, folder)
                time.sleep(trial.chance().uniform(3.0, 8.0))
                server.kill()
                status, seconds = _asked(port)
                keeper = threading.Thread(target=_keep_alive, args=(server, is_over, restarts))
                keeper.start()
                back = _until_answered(port)
                hung = _hangs(process)
            code = None if hung or _hangs(process := _analysis(address, folder)) else process.returncode
            is_over.set()
            keeper.join()
            counted = store.count(COUNTED_PAGES)
    finally:
        is_over.set()
        server.kill()
    return outcome(
        f"{status} after {seconds:.1f} s, 200 {back:.1f} s after its return; "
        f"{counted} of {_PAGES} pages analysed; the server hung {len(restarts)} times",
        f"status {first} before" if first != 200 else "",
        f"status {status}" if status not in (200, 503) else "",
        "too slow" if seconds > _FAULT_SECONDS or back > _BACK_SECONDS else "",
        "the analysis hangs" if code is None else f"the analysis ended with {code}" if code else "",
        "pages lost" if counted != _PAGES else "",
    )


def _answers(server: ServerProcess) -> bool:
    with (
        suppress(PyMongoError),
        MongoClient(server.address, serverSelectionTimeoutMS=5_000, socketTimeoutMS=5_000) as client,
    ):
        client["made"]["pages"].find_one()
        return True
    return False


def _keep_alive(server: ServerProcess, is_over: threading.Event, restarts: list[float]) -> None:
    """Start the server again, and whenever it hangs: FerretDB may, by its own pool of connections."""
    server.start()
    while not is_over.wait(3.0):
        if not _answers(server):
            restarts.append(time.monotonic())
            server.kill()
            server.start()


def _hangs(process: "subprocess.Popen[bytes]") -> bool:
    """Whether it does not end within the time; it has ended afterwards."""
    try:
        process.wait(_ANALYSIS_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True
    return False


def _fill(store: Store) -> None:
    rows = made_rows(_PAGES)
    while batch := list(islice(rows, 500)):
        store.write(batch).result()
    store.write(waiting_rows([row["key"] for row in store.select(PAGES, columns=["key"])])).result()


def _analysis(address: str, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "scrapy", "analysis", "run", "-s", f"STORE={address}", "-s", f"DATA_DIR={folder}"]
    with (folder / "analysis.log").open("ab") as log:
        return subprocess.Popen(command, cwd=REPOSITORY, stdout=log, stderr=log)


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

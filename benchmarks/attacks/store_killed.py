"""The store's server is killed under the console and the analysis: 503 soon, 200 after its return, and the next analysis has all pages."""

import subprocess
import sys
import time
from contextlib import closing
from itertools import islice
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from benchmarks.attacks import SKIPPED, Trial, outcome
from benchmarks.console_pages import made_rows
from pipelines.stores.analysis_tables import COUNTED_PAGES
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from pipelines.waiting import waiting_rows
from testbed.console_server import console_process
from testbed.crawling import REPOSITORY
from testbed.servers import NoServerError, mongo_server

_PAGES = 300
_ANALYSIS_SECONDS = 90.0
_FAULT_SECONDS, _BACK_SECONDS = 15.0, 30.0


def attack(folder: Path, trial: Trial) -> str:
    """The analysis is killed after the server."""
    try:
        server = mongo_server(folder / "mongo").start()
    except NoServerError as error:
        return f"{SKIPPED}: {error}"
    address = f"{server.address}made?serverSelectionTimeoutMS=2000&connectTimeoutMS=2000&socketTimeoutMS=10000"
    try:
        with closing(open_store(address)) as store:
            _fill(store)
            with console_process(address, folder) as (port, _):
                first = _asked(port)[0]
                process = _analysis(address, folder)
                time.sleep(trial.chance().uniform(3.0, 8.0))
                server.kill()
                status, seconds = _asked(port)
                process.kill()
                process.wait()
                server.start()
                back = _until_answered(port)
            code, said = _again(address, folder)
            counted = store.count(COUNTED_PAGES)
    finally:
        server.kill()
    return outcome(
        f"{status} after {seconds:.1f} s, 200 {back:.1f} s after its return; {counted} of {_PAGES} pages analysed",
        f"status {first} before" if first != 200 else "",
        f"status {status}" if status not in (200, 503) else "",
        "too slow" if seconds > _FAULT_SECONDS or back > _BACK_SECONDS else "",
        "the analysis hangs" if code is None else f"the analysis ended with {code}: {said}" if code else "",
        "pages lost" if counted != _PAGES else "",
    )


def _again(address: str, folder: Path) -> tuple[int | None, str]:
    """Until the lease of the killed one has run out; the exit code, None if it hangs, and its last line."""
    ends, code = time.monotonic() + _ANALYSIS_SECONDS, 1
    while code and time.monotonic() < ends:
        process = _analysis(address, folder)
        if _hangs(process):
            return None, ""
        code = process.returncode
    return code, (folder / "analysis.log").read_text(errors="replace").strip().rpartition("\n")[2]


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

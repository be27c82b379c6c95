"""A crawl that cannot succeed ends with the exit code that says why, and its log and the table of runs agree."""

import signal
import socket
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.attacks import Trial
from crawler.exit_status import ExitCode, last_result
from pipelines.stores.base import StoreError
from pipelines.stores.tables import RUNS
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to
from testbed.servers import free_port, wait_until

_PAGES = 40
_SOON = 60.0
"""Seconds, on a busy machine."""
_SETTINGS = {"ALLOW_PRIVATE_ADDRESSES": True, "FRONTIER_HOST_DELAY": 0.05, "RETRY_DELAY": 0.1, "TITLES_ENABLED": False}


def attack(folder: Path, trial: Trial) -> str:
    """What each fault must end with, and what it did end with where that differs."""
    with HostileWeb({"127.0.0.1": _site}) as web:
        url = f"http://127.0.0.1:{web.port}/"
        return "; ".join(filter(None, (_differs(fault, folder / fault.__name__, url) for fault in _FAULTS)))


def _site(asked: Connection) -> None:
    number = asked.path.strip("/") or "0"
    if not number.isdigit():
        asked.answer("not here", 404)
    else:
        asked.answer(article(number, links_to(*(f"/{n}" for n in range(int(number), min(int(number) + 4, _PAGES))))))


def _differs(fault: Callable[[Path, str], Iterator[object]], folder: Path, url: str) -> str:
    """A fault yields the code that it must end with, and then the crawl that has ended."""
    expected, crawl = fault(folder, url)
    assert isinstance(crawl, Crawl)
    name, ending = fault.__name__, last_result(crawl.log)
    if fault in _ONLY_CODE:
        return "" if crawl.exit_code == expected else f"{name}: exit code {crawl.exit_code}, not {expected}"
    if _SAYS.get(name, "") not in crawl.log:
        return f"{name}: the log does not say {_SAYS[name]!r}"
    if crawl.exit_code != expected:
        return f"{name}: exit code {crawl.exit_code}, not {expected}"
    if expected != ExitCode.WRONG_ARGUMENTS and (ending is None or ending.code != expected) and fault not in _BEFORE:
        return f"{name}: the log says {ending}"
    if "Traceback" in crawl.log and "StoreError" not in crawl.log:
        return f"{name}: a traceback in the log"
    return "" if expected == ExitCode.WRONG_ARGUMENTS or fault in _BEFORE else _row_differs(name, crawl, int(expected))


def _row_differs(name: str, crawl: Crawl, expected: int) -> str:
    try:
        with crawl.store() as store:
            codes = {row["exit_code"] for row in store.select(RUNS)}
    except StoreError:
        return ""  # the store is what was broken
    return "" if expected in codes else f"{name}: the table of runs says {codes}"


def _crawl(folder: Path, url: str, arguments: dict[str, str] | None = None, **settings: object) -> Crawl:
    return Crawl(folder, [url], {"crawl": "mine", **(arguments or {})}, {**_SETTINGS, **settings})


def nothing_is_wrong(folder: Path, url: str) -> Iterator[object]:
    """The measure of the others."""
    yield ExitCode.DONE
    yield _crawl(folder, url).run()


def a_limit(folder: Path, url: str) -> Iterator[object]:
    """Pages that are asked for."""
    yield ExitCode.LIMIT
    yield _crawl(folder, url, {"max_pages": "5"}).run()


def in_use(folder: Path, url: str) -> Iterator[object]:
    """A second run while the first one works."""
    yield ExitCode.IN_USE
    first = _crawl(folder, url, FRONTIER_HOST_DELAY=0.5)
    process = first.start()
    wait_until(lambda: "Spider opened" in first.text(), "the first run", 60)
    second = _crawl(folder, url).run()
    process.kill()
    process.wait()
    yield second


def newer_frontier(folder: Path, url: str) -> Iterator[object]:
    """A file of a version to come."""
    yield ExitCode.UNUSABLE
    path = folder / "frontier" / "mine.db"
    path.parent.mkdir(parents=True)
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 1000")
    database.close()
    yield _crawl(folder, url).run()


def frontier_of_noise(folder: Path, url: str) -> Iterator[object]:
    """A file that is no database."""
    yield ExitCode.UNUSABLE
    (folder / "frontier").mkdir(parents=True)
    (folder / "frontier" / "mine.db").write_bytes(b"noise" * 10_000)
    yield _crawl(folder, url).run()


def frontier_away(folder: Path, url: str) -> Iterator[object]:
    """Nobody listens where Redis should be."""
    yield ExitCode.UNUSABLE
    yield _crawl(folder, url, FRONTIER="shared", REDIS_URL=f"redis://127.0.0.1:{free_port()}/0").run()


def store_of_noise(folder: Path, url: str) -> Iterator[object]:
    """A database that is none."""
    yield ExitCode.UNUSABLE
    folder.mkdir()
    (folder / "crawl.db").write_bytes(b"noise" * 10_000)
    yield _crawl(folder, url).run()


def store_breaks(folder: Path, url: str) -> Iterator[object]:
    """Its tables go while the crawl writes."""
    yield ExitCode.UNUSABLE
    crawl = _crawl(folder, url, FRONTIER_HOST_DELAY=0.2)
    process = crawl.start()
    wait_until(lambda: crawl.database.exists() and len(crawl.pages()) > 3, "the first pages", 60)
    database = sqlite3.connect(crawl.database, timeout=30)
    for table in ("pages", "links"):
        database.execute(f"DROP TABLE {table}")
    database.commit()
    database.close()
    yield crawl.wait(process)


def dead_start_page(folder: Path, url: str) -> Iterator[object]:
    """404."""
    yield ExitCode.NOTHING
    yield _crawl(folder, f"{url}gone").run()


def nobody_listens(folder: Path, url: str) -> Iterator[object]:
    """The connection is refused; known soon, however long the pauses between attempts are."""
    yield ExitCode.NOTHING
    yield _crawl(folder, f"http://127.0.0.1:{free_port()}/", RETRY_DELAY=600).run(_SOON)


def no_such_host(folder: Path, url: str) -> Iterator[object]:
    """The name leads nowhere."""
    yield ExitCode.NOTHING
    yield _crawl(folder, "http://nowhere.invalid/", RETRY_DELAY=600).run(_SOON)


def guessed_host(folder: Path, url: str) -> Iterator[object]:
    """The same without a scheme, so that both are tried."""
    yield ExitCode.NOTHING
    yield _crawl(folder, "nowhere.invalid", RETRY_DELAY=600).run(_SOON)


def silent_host(folder: Path, url: str) -> Iterator[object]:
    """The connection is made and nothing ever comes."""
    yield ExitCode.NOTHING
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        yield _crawl(folder, address, RETRY_DELAY=600, DOWNLOAD_TIMEOUT=3).run(_SOON)


def stopped(folder: Path, url: str) -> Iterator[object]:
    """Ctrl-C."""
    yield ExitCode.INCOMPLETE
    crawl = _crawl(folder, url, FRONTIER_HOST_DELAY=0.5)
    process = crawl.start()
    wait_until(lambda: " pages read  " in crawl.text(), "the first line of progress", 60)
    process.send_signal(signal.SIGINT)
    yield crawl.wait(process, 60)


def a_part_does_not_start(folder: Path, url: str) -> Iterator[object]:
    """An error in the program."""
    yield ExitCode.FAILED
    yield _crawl(folder, url, EXTENSIONS='{"crawler.no_such_module.Extension": 1}').run()


def database_gone(folder: Path, url: str) -> Iterator[object]:
    """The frontier knows pages that the database has not: the crawl goes on, and says how to begin afresh."""
    yield ExitCode.DONE
    _crawl(folder, url, {"max_pages": "5"}).run()
    for path in folder.glob("crawl.db*"):
        path.unlink()
    yield _crawl(folder, url).run()


def wrong_setting(folder: Path, url: str) -> Iterator[object]:
    """Found before the log begins."""
    yield ExitCode.WRONG_ARGUMENTS
    yield _crawl(folder, url, FRONTIER_HOST_DELAY="slow").run()


def wrong_argument(folder: Path, url: str) -> Iterator[object]:
    """A limit that is no number."""
    yield ExitCode.WRONG_ARGUMENTS
    yield _crawl(folder, url, {"max_pages": "many"}).run()


_FAULTS = (
    nothing_is_wrong, a_limit, in_use, newer_frontier, frontier_of_noise, frontier_away, store_of_noise, store_breaks,
    dead_start_page, nobody_listens, no_such_host, guessed_host, silent_host, stopped, a_part_does_not_start, database_gone,
    wrong_argument, wrong_setting,
)  # fmt: skip
_ONLY_CODE = (a_part_does_not_start,)
_SAYS = {"database_gone": "scrapy frontier purge", "nobody_listens": "refused", "no_such_host": "DNS lookup failed"}
_BEFORE = (frontier_away, store_of_noise)
"""Found before a crawl begins: the sentence goes to the terminal, or to the log of a job."""

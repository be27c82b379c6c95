"""`scrapy backup` while pages are written, and `scrapy restore` that is killed on its way: is every row of every table equal?

    python -m benchmarks.backup_killed [--pages 100000] [--kills 3]

A process writes a hundred pages a second into a store of pages with their sources while it is saved. The file is restored into
another folder; the command is killed with SIGKILL at growing moments, and then runs to its end. Prints times, sizes, and for each
table the rows of the copy, and those that differ from the original's. Exit code 1 if one differs, or if the copy lacks a page
that was stored before the backup began.
"""

import argparse
import multiprocessing
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from pipelines.stores.base import Row, Store, Table
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, SOURCES

_BATCH = 1_000
_AT_ONCE, _PAUSE_SECONDS = 20, 0.2
_FIRST_KILL_SECONDS = 4.0


def fill(store: Store, first: int, count: int) -> None:
    """Pages with texts that hardly compress, and their sources."""
    rows: list[tuple[Table, Row]] = []
    for number in range(first, first + count):
        key = f"k{number:08}"
        page = {
            "key": key,
            "url": f"http://a.example/{number}",
            "title": f"第{number}篇",
            "body": os.urandom(700).hex(),
        }
        rows += [(PAGES, page), (SOURCES, {"key": key, "body": os.urandom(2_000)})]
    store.write(rows).result()


def go_on(address: str, first: int) -> None:
    """A hundred pages a second, until this process is ended."""
    with closing(open_store(address)) as store:
        while True:
            fill(store, first, _AT_ONCE)
            first += _AT_ONCE
            time.sleep(_PAUSE_SECONDS)


def scrapy(folder: Path, *words: str) -> list[str]:
    given = ("-s", f"STORE=sqlite:///{folder}/a.db", "-s", f"DATA_DIR={folder}/data")
    return [sys.executable, "-m", "scrapy", *words, *given]


def saved(folder: Path, file: Path, pages: int) -> None:
    """Back up beside a writer, and print what it took."""
    writer = multiprocessing.Process(target=go_on, args=(f"sqlite:///{folder}/a.db", pages), daemon=True)
    writer.start()
    started = time.monotonic()
    subprocess.run(scrapy(folder, "backup", str(file)), check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - started
    writer.kill()
    writer.join()
    print(
        f"backup   {seconds:6.0f} s  {file.stat().st_size / 1e6:,.0f} MB of {(folder / 'a.db').stat().st_size / 1e6:,.0f} MB"
    )


def restored(folder: Path, file: Path, kills: int) -> None:
    """Restore with this number of kills, then to the end."""
    words = scrapy(folder, "restore", str(file))
    for number in range(1, kills + 1):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        time.sleep(number * _FIRST_KILL_SECONDS)
        print(
            f"restore  killed after {number * _FIRST_KILL_SECONDS:.0f} s"
            if process.poll() is None
            else "restore  had ended"
        )
        process.kill()
        process.wait()
    started = time.monotonic()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    print(f"restore  {time.monotonic() - started:6.0f} s to the end")


def differing(original: Path, copy: Path, pages: int) -> int:
    """Print a line for each table with rows; the rows of the copy that the original lacks, and old pages that the copy lacks."""
    with closing(sqlite3.connect(copy)) as database:
        database.execute("ATTACH ? AS original", (str(original),))
        found = database.execute(
            "SELECT name FROM original.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        wrong = 0
        for (name,) in found.fetchall():
            columns = ", ".join(row[1] for row in database.execute(f'PRAGMA original.table_info("{name}")'))
            (rows,) = database.execute(f'SELECT count(*) FROM main."{name}"').fetchone()
            (others,) = database.execute(
                f'SELECT count(*) FROM (SELECT {columns} FROM main."{name}" EXCEPT SELECT {columns} FROM original."{name}")'
            ).fetchone()
            wrong += others
            if rows:
                print(f"{name:16} {rows:9,} rows  {others} differ")
        (kept,) = database.execute("SELECT count(*) FROM main.pages WHERE key < ?", (f"k{pages:08}",)).fetchone()
    print(f"pages that were there before the backup: {kept:,} of {pages:,}")
    return wrong + pages - int(kept)


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--pages", type=int, default=100_000)
    ask.add_argument("--kills", type=int, default=3)
    given = ask.parse_args()
    with tempfile.TemporaryDirectory(prefix="topicrawl-backup-") as temporary:
        here, there, file = Path(temporary, "here"), Path(temporary, "there"), Path(temporary, "all.topicrawl")
        here.mkdir()
        there.mkdir()
        with closing(open_store(f"sqlite:///{here}/a.db")) as store:
            for first in range(0, given.pages, _BATCH):
                fill(store, first, min(_BATCH, given.pages - first))
        saved(here, file, given.pages)
        restored(there, file, given.kills)
        return int(differing(here / "a.db", there / "a.db", given.pages) > 0)


if __name__ == "__main__":
    sys.exit(main())

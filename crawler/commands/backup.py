"""`scrapy backup FILE`: database, queues, settings, rules and accounts in one file, also while a crawl runs."""

import argparse
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from scrapy.exceptions import UsageError

from crawler.command_line import QuietCommand, say, whole_file
from crawler.commands._backup_file import BackupWriter
from crawler.commands._checked_zip import CheckedZipError
from crawler.config.yaml_file import settings_folder
from crawler.frontier.opening import is_shared
from pipelines.stores.base import Store, StoreError
from pipelines.stores.opening import open_store, store_address
from pipelines.stores.people_tables import SECRET_TABLES, SESSIONS
from pipelines.stores.tables import TABLES

BACKED_UP = (*TABLES.values(), *(table for table in SECRET_TABLES if table is not SESSIONS))
"""People log in again."""
_DATABASES = ("frontier/*.db", "identities.db")
_FILES = ("health/*.json",)


class Command(QuietCommand):
    """Queues are copied before the database: a page that is stored between the two is fetched again, and none is lost."""

    examples = (
        "scrapy backup monday.topicrawl                                    everything on this machine",
        "SCRAPY_PROJECT=cluster scrapy backup monday.topicrawl             the MongoDB of a cluster",
        "scrapy backup move.topicrawl && cd ../new && scrapy restore ../old/move.topicrawl",
    )
    usage = "[options] FILE"
    summary = "Write database, queues, settings, rules and accounts to one file; crawls may run"
    takes_arguments = True

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError("Name the file: scrapy backup FILE", print_help=False)
        with self.reporting(OSError, sqlite3.Error, StoreError, CheckedZipError, stopped="stopped; there is no backup"):
            path = Path(args[0])
            if path.exists():
                raise CheckedZipError(f"{path} exists; name another file")
            counts = self._write(path)
            say(f"{counts.get('pages', 0):,} pages, {sum(counts.values()):,} rows in all: {path}, secret as a password")
            if is_shared(self.values):
                say("The queue in Redis is not in it: scrapy frontier rebuild makes it from the database.")

    def _write(self, path: Path) -> dict[str, int]:
        before = os.umask(0o077)  # it holds hashes of passwords, and sessions of identities
        try:
            with whole_file(str(path)) as out:
                writer = BackupWriter(out)
                self._add_files(writer, path.with_name(f"{path.name}.copy"))
                with self._still_store(path.with_name(f"{path.name}.copy")) as store:
                    for table in BACKED_UP:
                        writer.add_rows(table, store.select(table))
                writer.close(rows=writer.counts)
        finally:
            os.umask(before)
        return writer.counts

    def _add_files(self, writer: BackupWriter, copy: Path) -> None:
        data = Path(self.values["DATA_DIR"])
        for found in (path for pattern in _DATABASES for path in sorted(data.glob(pattern))):
            with copied(found, copy):
                writer.add_file(f"data/{found.relative_to(data).as_posix()}", copy)
        for found in (path for pattern in _FILES for path in sorted(data.glob(pattern))):
            writer.add_file(f"data/{found.relative_to(data).as_posix()}", found)
        folder = settings_folder(self.values)
        if isinstance(folder, Path):
            for found in sorted(folder.rglob("*.yaml")):
                writer.add_file(f"settings/{found.relative_to(folder).as_posix()}", found)

    @contextmanager
    def _still_store(self, copy: Path) -> Iterator[Store]:
        """The store as it is at one moment, if it is a file; MongoDB as it is while its rows are read."""
        address = store_address(self.values)
        with closing(open_store(address, must_exist=True)) as store:
            if not address.startswith("sqlite"):
                yield store
                return
            with copied(Path(store.location), copy), closing(open_store(f"sqlite:///{copy}")) as still:
                yield still


@contextmanager
def copied(database: Path, copy: Path) -> Iterator[None]:
    """A copy of a SQLite database at one moment; writers go on meanwhile."""
    copy.unlink(missing_ok=True)
    try:
        with (
            closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True, timeout=60)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
        yield
    finally:
        for suffix in ("", "-wal", "-shm"):
            copy.with_name(f"{copy.name}{suffix}").unlink(missing_ok=True)

"""`scrapy restore FILE`: what `scrapy backup` wrote, into an empty database of any kind and an empty folder."""

import argparse
import shutil
import sqlite3
from contextlib import closing
from itertools import islice
from pathlib import Path

from scrapy.exceptions import UsageError

from crawler.command_line import PassingLine, QuietCommand, say
from crawler.commands._backup_file import BackupReader
from crawler.commands._checked_zip import CheckedZipError
from crawler.commands.backup import BACKED_UP
from crawler.config.yaml_file import settings_folder
from crawler.frontier.opening import is_shared
from pipelines.stores.base import Store, StoreError
from pipelines.stores.opening import open_store, store_address

_ROWS_AT_ONCE = 200
_UNDER_WAY = "restoring"


class Command(QuietCommand):
    """Rows are merged by key, so the same command finishes what a kill interrupted."""

    examples = (
        "scrapy restore monday.topicrawl                              into the DATA_DIR and STORE of the settings",
        "SCRAPY_PROJECT=cluster scrapy restore monday.topicrawl       from one machine into a cluster's MongoDB",
    )
    usage = "[options] FILE"
    summary = "Restore a backup into an empty database and folder; every part of it is checked first"
    takes_arguments = True

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError("Name the file: scrapy restore FILE", print_help=False)
        stopped = "stopped; the same command goes on"
        with self.reporting(OSError, sqlite3.Error, StoreError, CheckedZipError, stopped=stopped):
            with closing(BackupReader(Path(args[0]))) as backup:
                self._restore(backup)
            say(f"{backup.count:,} rows restored. Next: scrapy doctor; scrapy analysis run")

    def _restore(self, backup: BackupReader) -> None:
        data = Path(self.values["DATA_DIR"])
        data.mkdir(parents=True, exist_ok=True)
        mark = data / _UNDER_WAY
        with closing(open_store(store_address(self.values))) as store:
            goes_on = mark.is_file() and mark.read_text(encoding="utf-8") == backup.digest
            if not goes_on:
                self._refuse_what_is_there(store, data)
            mark.write_text(backup.digest, encoding="utf-8")
            self._write_rows(store, backup)
        if not is_shared(self.values):
            _write_files(backup, "data", data)
        folder = settings_folder(self.values)
        _write_files(backup, "settings", folder if isinstance(folder, Path) else Path("settings"))
        mark.unlink()

    def _refuse_what_is_there(self, store: Store, data: Path) -> None:
        used = next((table.name for table in BACKED_UP if store.count(table, limit=1)), "")
        if used:
            raise CheckedZipError(f"{store.location} has rows of {used} already: restore into an empty database")
        if any(data.glob("frontier/*.db")):
            raise CheckedZipError(
                f"{data / 'frontier'} has queues already: restore into an empty folder, or move them away"
            )

    def _write_rows(self, store: Store, backup: BackupReader) -> None:
        line, count = PassingLine(), 0
        with closing((table, row) for table in BACKED_UP for row in backup.rows(table)) as waiting:
            while rows := list(islice(waiting, _ROWS_AT_ONCE)):
                store.write(rows).result()
                line.show("{:,} rows", count := count + len(rows))
        line.end()


def _write_files(backup: BackupReader, folder: str, target: Path) -> None:
    """Each file gets its name when it is whole. One of other content that is there is kept: the new one is FILE.restored."""
    for name, member in backup.files(folder):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        with part.open("wb") as out:
            shutil.copyfileobj(member, out)
        if path.is_file() and path.read_bytes() != part.read_bytes():
            path = path.with_name(f"{path.name}.restored")
            say(f"{path.name.removesuffix('.restored')} is there and differs: see {path}")
        part.replace(path)

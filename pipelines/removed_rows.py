"""Removed rows, exported to Parquet files by table and month.

FOLDER/TABLE/month=2026-04/PART.parquet: the layout that DuckDB, pyarrow and Spark read as one table with a column `month`.

A part holds the rows that one batch removes. Its files are written and synced, a journal names the files and the batch, the files get
their final names, the rows are removed, and the journal is deleted. After a kill, unfinished files without a journal are deleted, and a
batch with a journal is completed first: each row is in one file or in the store.
"""

import fcntl
import json
import os
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self

from pipelines.exporting import ParquetWriter
from pipelines.stores.base import MutableRow, StoreError, Table

_JOURNAL, _LOCK, _OPEN = "removing.json", ".lock", ".open"


class RemovedRows:
    """The folder, held by one process at a time.

    Raises:
        StoreError: the folder cannot be written, another process holds it, or pyarrow is not installed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._journal = folder, folder / _JOURNAL
        self._lock = _locked(folder)
        self._writers: dict[Path, tuple[IO[bytes], ParquetWriter]] = {}
        self._part = self._month = ""
        self.rows = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for file, writer in self._writers.values():
            with suppress(Exception):  # an uncommitted part: the first error matters
                writer.close()
            file.close()
        self._lock.close()

    def unfinished(self) -> dict[str, Any] | None:
        """The batch whose removal a kill interrupted, as passed to `commit`; without one, unfinished files are deleted."""
        if not self._journal.exists():
            for path in self._folder.glob(f"*/*/*{_OPEN}"):
                path.unlink()
            return None
        journal: dict[str, Any] = json.loads(self._journal.read_text("utf-8"))
        self._rename(self._folder / name for name in journal["files"])
        batch: dict[str, Any] = journal["batch"]
        return batch

    def begin(self, month: str) -> None:
        """Begin the next part, of this month (YYYY-MM)."""
        self._part, self._month = f"{time.time_ns():x}", month

    def write(self, table: Table, rows: Iterable[MutableRow]) -> None:
        """Add rows to the part; StoreError if they cannot be written."""
        try:
            for row in rows:
                self._writer(table).write(row)
                self.rows += 1
        except OSError as error:
            raise StoreError(f"{self._folder} cannot be written: {error}") from error

    def commit(self, batch: dict[str, Any]) -> None:
        """Sync the part to disk; after this the rows of the batch (plain values) may be removed."""
        try:
            for file, writer in self._writers.values():
                writer.close()
                os.fsync(file.fileno())
                file.close()
            paths = list(self._writers)
            self._writers.clear()
            names = [str(path.relative_to(self._folder)) for path in paths]
            _write_durably(self._journal, json.dumps({"files": names, "batch": batch}, ensure_ascii=False))
            self._rename(paths)
        except OSError as error:
            raise StoreError(f"{self._folder} cannot be written: {error}") from error

    def done(self) -> None:
        """Close the journal, once the rows of the part are removed."""
        self._journal.unlink(missing_ok=True)
        _to_disk(self._folder)

    def _writer(self, table: Table) -> ParquetWriter:
        path = self._folder / table.name / f"month={self._month}" / f"{self._part}.parquet"
        if path not in self._writers:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = open(f"{path}{_OPEN}", "wb")  # noqa: SIM115  # closed by `commit`
            self._writers[path] = file, ParquetWriter(file, table.columns)
        return self._writers[path][1]

    def _rename(self, paths: Iterable[Path]) -> None:
        for path in paths:
            unfinished = Path(f"{path}{_OPEN}")
            if unfinished.exists():
                unfinished.rename(path)
                _to_disk(path.parent)


def months(rows: Sequence[MutableRow], time_column: str) -> list[tuple[str, list[MutableRow]]]:
    """The rows by the month of a time such as 2026-04-03T10:00:00+00:00; "unknown" for those without one."""
    found: dict[str, list[MutableRow]] = {}
    for row in rows:
        found.setdefault(str(row[time_column] or "")[:7] or "unknown", []).append(row)
    return sorted(found.items())


def _locked(folder: Path) -> IO[str]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = open(folder / _LOCK, "w", encoding="ascii")  # noqa: SIM115  # held as long as the folder is used
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise StoreError(f"Another process is exporting to {folder}; wait for it, or name another folder.") from None
    return lock


def _write_durably(path: Path, text: str) -> None:
    unfinished = path.with_name(path.name + _OPEN)
    with unfinished.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(path)
    _to_disk(path.parent)


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""The file of `scrapy backup`: rows as msgpack, and files.

Rows do not depend on the kind of database: they are what `Store.select` yields.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

import msgpack

from crawler.commands._checked_zip import CheckedZipError, CheckedZipReader, CheckedZipWriter
from pipelines.stores.base import MutableRow, Row, Table

_ROWS = "rows/"
_MAX_ROW_BYTES = 512 * 2**20


class BackupWriter(CheckedZipWriter):
    """Writes one backup. `counts`: the rows of each table so far."""

    def __init__(self, out: BinaryIO) -> None:
        super().__init__(out, "backup")
        self.counts: dict[str, int] = {}

    def add_rows(self, table: Table, rows: Iterable[Row]) -> None:
        pack = msgpack.Packer(use_bin_type=True, unicode_errors="surrogatepass").pack
        self.counts[table.name] = 0

        def packed() -> Iterator[bytes]:
            for row in rows:
                self.counts[table.name] += 1
                yield pack({name: value for name, value in row.items() if value is not None})

        self.add(f"{_ROWS}{table.name}", packed())


class BackupReader(CheckedZipReader):
    """A backup whose every part was checked. Raises CheckedZipError like its base."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "backup")

    @property
    def count(self) -> int:
        """Rows of all tables."""
        return sum(self.facts["rows"].values())

    def rows(self, table: Table) -> Iterator[MutableRow]:
        """The rows of a table; none if the backup lacks it. Columns that are unknown now are left out."""
        if f"{_ROWS}{table.name}" not in self.archive.namelist():
            return
        with self.archive.open(f"{_ROWS}{table.name}") as member:
            for row in _unpacked(member):
                yield {name: value for name, value in row.items() if name in table.by_name}

    def files(self, folder: str) -> Iterator[tuple[PurePosixPath, IO[bytes]]]:
        """Files below a folder of the backup: their paths in it, which never lead out of it, and their bytes."""
        for name in self.archive.namelist():
            place = PurePosixPath(name)
            if place.parts[0] == folder and len(place.parts) > 1 and ".." not in place.parts:
                with self.archive.open(name) as member:
                    yield place.relative_to(folder), member


def _unpacked(member: IO[bytes]) -> Iterator[MutableRow]:
    unpacker = msgpack.Unpacker(member, raw=False, unicode_errors="surrogatepass", max_buffer_size=_MAX_ROW_BYTES)
    try:
        for row in unpacker:
            if not isinstance(row, dict):
                raise ValueError("a row has no names of columns")
            yield row
    except (ValueError, msgpack.UnpackException) as error:
        raise CheckedZipError(f"{member.name}: a row cannot be read: {error}") from None

"""The file of `scrapy backup`: a zip of rows as msgpack, of files, and of a list with the digest of each.

Rows do not depend on the kind of database: they are what `Store.select` yields.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any, BinaryIO
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import msgpack

from pipelines.stores.base import MutableRow, Row, Table

MANIFEST = "manifest.json"
_FORMAT = 1
_ROWS = "rows/"
_MAX_ROW_BYTES = 512 * 2**20
_MAX_MANIFEST_BYTES = 16 * 2**20
_CHUNK_BYTES = 2**20


class BackupError(Exception):
    """A backup cannot be read or restored; the message says why."""


class BackupWriter:
    """Writes one backup; without `close` the file has no list, and is refused."""

    def __init__(self, out: BinaryIO) -> None:
        self._zip = ZipFile(out, "w", ZIP_DEFLATED, compresslevel=1)
        self._digests: dict[str, str] = {}
        self.counts: dict[str, int] = {}

    def add_rows(self, table: Table, rows: Iterable[Row]) -> None:
        pack = msgpack.Packer(use_bin_type=True, unicode_errors="surrogatepass").pack
        count = 0

        def packed() -> Iterator[bytes]:
            nonlocal count
            for count, row in enumerate(rows, 1):  # noqa: B007  # the number of rows
                yield pack({name: value for name, value in row.items() if value is not None})

        self._add(f"{_ROWS}{table.name}", packed())
        self.counts[table.name] = count

    def add_file(self, name: str, path: Path) -> None:
        with path.open("rb") as file:
            self._add(name, iter(lambda: file.read(_CHUNK_BYTES), b""))

    def _add(self, name: str, parts: Iterable[bytes]) -> None:
        digest = hashlib.sha256()
        with self._zip.open(name, "w", force_zip64=True) as member:
            for part in parts:
                digest.update(part)
                member.write(part)
        self._digests[name] = digest.hexdigest()

    def close(self) -> None:
        manifest = {"format": _FORMAT, "made_at": datetime.now(UTC).isoformat(timespec="seconds")}
        self._zip.writestr(MANIFEST, json.dumps(manifest | {"rows": self.counts, "sha256": self._digests}, indent=1))
        self._zip.close()


class BackupReader:
    """A backup whose members all have the digests of its list.

    Attributes:
        counts: rows of each table. digest: of the list, thus of the whole.

    Raises:
        BackupError: it is no backup, of a newer version, or changed.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._zip = ZipFile(path)
        except (OSError, BadZipFile) as error:
            raise BackupError(f"{path} is not a whole backup: {error}") from None
        try:
            self._check(path)
        except BaseException:
            self._zip.close()
            raise

    def _check(self, path: Path) -> None:
        text = self._manifest_text(path)
        self.digest = hashlib.sha256(text).hexdigest()
        manifest: Mapping[str, Any] = {}
        with suppress(ValueError, RecursionError):
            manifest = json.loads(text)
        digests = manifest.get("sha256") if isinstance(manifest, dict) else None
        if not isinstance(digests, dict) or manifest.get("format") != _FORMAT:
            raise BackupError(f"{path} is a backup of another version, or damaged")
        self.counts: dict[str, int] = dict(manifest.get("rows") or {})
        if {*digests, MANIFEST} != {*self._zip.namelist()}:
            raise BackupError(f"{path} has members that its list lacks, or the reverse: it was changed")
        for name, digest in digests.items():
            if self._digest_of(name) != digest:
                raise BackupError(f"{path} was changed or damaged: {name} is not what was written")

    def _manifest_text(self, path: Path) -> bytes:
        try:
            with self._zip.open(MANIFEST) as member:
                return member.read(_MAX_MANIFEST_BYTES)
        except (KeyError, BadZipFile, OSError):
            raise BackupError(f"{path} is not a whole backup: it has no list") from None

    def _digest_of(self, name: str) -> str:
        digest = hashlib.sha256()
        try:
            with self._zip.open(name) as member:
                while part := member.read(_CHUNK_BYTES):
                    digest.update(part)
        except Exception:  # zlib, zipfile and the file each have their own
            return ""
        return digest.hexdigest()

    def rows(self, table: Table) -> Iterator[MutableRow]:
        """The rows of a table; none if the backup lacks it. Columns that are unknown now are left out."""
        if f"{_ROWS}{table.name}" not in self._zip.namelist():
            return
        with self._zip.open(f"{_ROWS}{table.name}") as member:
            for row in _unpacked(member):
                yield {name: value for name, value in row.items() if name in table.by_name}

    def files(self, folder: str) -> Iterator[tuple[PurePosixPath, IO[bytes]]]:
        """Files below a folder of the backup: their paths in it, which never lead out of it, and their bytes."""
        for name in self._zip.namelist():
            place = PurePosixPath(name)
            if place.parts[0] == folder and len(place.parts) > 1 and ".." not in place.parts:
                with self._zip.open(name) as member:
                    yield place.relative_to(folder), member

    def close(self) -> None:
        self._zip.close()


def _unpacked(member: IO[bytes]) -> Iterator[MutableRow]:
    unpacker = msgpack.Unpacker(member, raw=False, unicode_errors="surrogatepass", max_buffer_size=_MAX_ROW_BYTES)
    try:
        for row in unpacker:
            if not isinstance(row, dict):
                raise ValueError("a row has no names of columns")
            yield row
    except (ValueError, msgpack.UnpackException) as error:
        raise BackupError(f"{member.name}: a row cannot be read: {error}") from None

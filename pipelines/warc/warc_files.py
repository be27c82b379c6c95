"""Files of an archive: a file grows to a size under a name that ends in .open, and gets its final name when complete."""

import fcntl
import os
import zlib
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from socket import gethostname

_OPEN = ".open"
_CHUNK_BYTES = 1 << 20
_GZIP = 16 + zlib.MAX_WBITS


class WarcFiles:
    """Appends whole gzip members to the current file, and begins the next file at a size.

    A member that cannot be written leaves no trace in the file, so it can be written again later.
    """

    def __init__(self, folder: Path, max_bytes: int, first: Callable[[str], bytes]) -> None:
        """
        Args:
            max_bytes: a file that has reached this size is closed.
            first: makes the first member of each file from its name.
        """
        self._folder, self._max_bytes, self._first = folder, max_bytes, first
        self._descriptor: int | None = None
        self._path = folder
        self._size = 0
        self._number = 0

    def append(self, data: bytes) -> None:
        """Append a member completely or not at all; OSError on failure."""
        if self._size >= self._max_bytes:
            self.close()
        if self._descriptor is None:
            self._begin()
        self._write(data)

    def close(self) -> None:
        """Give the current file, if any, its final name; OSError on failure."""
        if self._descriptor is None:
            return
        descriptor, size = self._descriptor, self._size
        self._descriptor, self._size = None, 0
        try:
            os.ftruncate(descriptor, size)
            os.fsync(descriptor)
            self._path.rename(self._path.with_suffix(""))
        finally:
            os.close(descriptor)

    def _begin(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._number += 1
        stamp = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
        name = f"topicrawl-{stamp}-{gethostname()}-{os.getpid()}-{self._number:05}.warc.gz"
        self._path = self._folder / f"{name}{_OPEN}"
        self._descriptor, self._size = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), 0
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.fstat(self._descriptor).st_nlink:
                raise FileNotFoundError(f"{self._path} was removed")  # by a repair in another process
            self._write(self._first(name))
        except OSError:
            os.close(self._descriptor)
            self._descriptor = None
            self._path.unlink(missing_ok=True)
            raise

    def _write(self, data: bytes) -> None:
        assert self._descriptor is not None
        written = 0
        try:
            while written < len(data):
                written += os.pwrite(self._descriptor, memoryview(data)[written:], self._size + written)
        except OSError:
            with suppress(OSError):  # a torn member is cut off, or overwritten
                os.ftruncate(self._descriptor, self._size)
            raise
        self._size += len(data)


def repair(folder: Path) -> list[str]:
    """Complete files that killed processes left: cut them after the last whole member, and give them their final names.

    Files that a running process writes are left alone. OSError if a file cannot be changed.

    Returns:
        A sentence for each file.
    """
    return [sentence for path in sorted(folder.glob(f"*.warc.gz{_OPEN}")) if (sentence := _repair(path))]


def _repair(path: Path) -> str:
    with path.open("r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return ""
        if not path.exists():  # just completed by its process
            return ""
        size, whole, members = path.stat().st_size, *whole_members(path)
        if members < 2:  # the first member only describes the file
            path.unlink()
            return f"{path} had no complete record and was removed"
        file.truncate(whole)
        os.fsync(file.fileno())
        path.rename(path.with_suffix(""))
    return f"{path.with_suffix('')} is repaired: {size - whole:,} bytes of a torn record were cut off"


def whole_members(path: Path) -> tuple[int, int]:
    """Bytes up to the end of the last whole gzip member, and the number of whole members."""
    whole = members = position = 0
    with path.open("rb") as file:
        member, data = zlib.decompressobj(_GZIP), file.read(_CHUNK_BYTES)
        while data:
            position += len(data)
            try:
                _skim(member, data)
            except zlib.error:
                break
            data = member.unused_data
            position -= len(data)
            if member.eof:
                whole, members, member = position, members + 1, zlib.decompressobj(_GZIP)
            data = data or file.read(_CHUNK_BYTES)
    return whole, members


def _skim(member: "zlib._Decompress", data: bytes) -> None:
    """Decompress in bounded steps without keeping the result; zlib.error if damaged."""
    member.decompress(data, _CHUNK_BYTES)
    while member.unconsumed_tail:
        member.decompress(member.unconsumed_tail, _CHUNK_BYTES)

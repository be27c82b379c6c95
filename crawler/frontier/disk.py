"""Pauses the crawl on a nearly full disk, before a write fails."""

import logging
import os
import time
from collections.abc import Iterable
from pathlib import Path

from scrapy.settings import BaseSettings

from pipelines.stores.opening import store_address

logger = logging.getLogger(__name__)
_CHECK_SECONDS = 0.5
_MAX_RESERVED_SHARE = 0.05
_RESUME_FACTOR = 1.25
"""A crawl resumes at this multiple of the free space at which it paused."""


def free_and_reserved(folder: Path, reserve: int) -> tuple[int, int]:
    """Free bytes of the folder's disk, and the bytes that a crawl keeps free: `reserve`, or 5 % of a small disk."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize, int(min(reserve, disk.f_blocks * disk.f_frsize * _MAX_RESERVED_SHARE))


def data_folders(settings: BaseSettings) -> list[Path]:
    """The folders that a crawl writes to: DATA_DIR, frontier, SQLite database and archive, perhaps on different disks."""
    data = Path(settings.get("DATA_DIR") or "data").resolve()
    folders = [data, (data / "frontier").resolve()]
    address = store_address(settings)
    if address.startswith("sqlite:"):
        folders.append(Path(address.removeprefix("sqlite:").removeprefix("//").removeprefix("/")).resolve().parent)
    if settings["WARC_DIR"]:
        folders.append(Path(settings["WARC_DIR"]).resolve())
    return list(dict.fromkeys(folders))


class DiskWatch:
    """Checks disks for a minimum of free bytes.

    Attributes:
        free_bytes: of the fullest disk; None before the first check.
    """

    def __init__(self, folders: Iterable[Path], reserve: int) -> None:
        self._folders = list(folders)
        self._reserve = reserve
        self._checked_at = float("-inf")
        self._full = ""
        self.free_bytes: int | None = None

    def full(self) -> str:
        """A sentence if a disk is nearly full, else ""; cheap, as it checks at most twice a second."""
        if time.monotonic() < self._checked_at + _CHECK_SECONDS:
            return self._full
        self._checked_at = time.monotonic()
        self.free_bytes = None
        factor = _RESUME_FACTOR if self._full else 1.0
        self._full = next(filter(None, [self._check(folder, factor) for folder in self._folders]), "")
        return self._full

    def _check(self, folder: Path, factor: float) -> str:
        try:
            free, reserved = free_and_reserved(folder, self._reserve)
        except OSError:
            return ""
        self.free_bytes = free if self.free_bytes is None else min(free, self.free_bytes)
        return f"the disk of {folder} is nearly full" if free < reserved * factor else ""

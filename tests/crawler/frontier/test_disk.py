"""A disk that is nearly full is noticed before a write fails."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from scrapy.settings import Settings

from crawler.frontier import disk
from crawler.frontier.disk import DiskWatch, data_folders, free_and_reserved


def test_a_small_disk_keeps_a_share_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=100, f_frsize=1_000, f_blocks=1_000))
    assert free_and_reserved(Path("x"), 64_000_000) == (100_000, 50_000)
    assert free_and_reserved(Path("x"), 10_000) == (100_000, 10_000)


def test_it_pauses_below_the_reserve_and_resumes_with_more(monkeypatch: pytest.MonkeyPatch) -> None:
    room = SimpleNamespace(f_bavail=200, f_frsize=1_000, f_blocks=10_000)
    monkeypatch.setattr(os, "statvfs", lambda _: room)
    monkeypatch.setattr(disk, "_CHECK_SECONDS", 0.0)
    watch = DiskWatch([Path("data")], 100_000)
    states = []
    for room.f_bavail in (200, 99, 110, 126, 110):
        states.append(bool(watch.full()))
    assert states == [False, True, True, False, False]
    assert watch.free_bytes == 110_000


def test_each_folder_is_watched_where_it_really_is(tmp_path: Path) -> None:
    settings = Settings({"DATA_DIR": str(tmp_path / "a"), "STORE": f"sqlite:///{tmp_path}/b/crawl.db"})
    assert data_folders(settings) == [tmp_path / "a", tmp_path / "a" / "frontier", tmp_path / "b"]
    for name in ("a", "disk"):
        (tmp_path / name).mkdir()
    (tmp_path / "a" / "frontier").symlink_to(tmp_path / "disk")
    settings = Settings({"DATA_DIR": str(tmp_path / "a"), "STORE": "mongodb://h/d"})
    assert data_folders(settings) == [tmp_path / "a", tmp_path / "disk"]

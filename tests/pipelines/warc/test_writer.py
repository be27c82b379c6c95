"""An archive survives full disks and kills: what is in its files can be read, and only what a message names is missing."""

import errno
import logging
import os
import random
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pipelines.warc import warc_files as files_module
from pipelines.warc.exchange import Exchange
from pipelines.warc.warc_files import WarcFiles, repair, whole_members
from testbed.servers.processes import wait_until

pytest.importorskip("warcio")
from warcio.archiveiterator import ArchiveIterator

from pipelines.warc.writer import WarcOptions, WarcWriter


def exchange(number: int, body: bytes = b"") -> Exchange:
    body = body or b"%d" % number * 50
    return Exchange(f"http://a.example/{number}", datetime.now(UTC), "GET", (), b"", 200, (), body)


def writer(folder: Path, file_bytes: int = 1_000_000, queue_bytes: int = 1_000_000) -> WarcWriter:
    made = WarcWriter(WarcOptions(folder, file_bytes, queue_bytes, {"software": "topicrawl"}))
    made.start()
    return made


def urls(path: Path) -> list[str]:
    """Addresses of the answers in a file; fails if a digest is wrong."""
    with path.open("rb") as file:
        return [
            record.rec_headers["WARC-Target-URI"]
            for record in ArchiveIterator(file, check_digests="raise")
            if record.rec_type in ("response", "revisit") and record.raw_stream.read() is not None
        ]


def all_urls(folder: Path) -> list[str]:
    assert not list(folder.glob("*.open"))
    return [url for path in sorted(folder.glob("*.warc.gz")) for url in urls(path)]


def test_files_begin_again_at_a_size_and_hold_each_answer_once(tmp_path: Path) -> None:
    made = writer(tmp_path, file_bytes=3_000)
    for number in range(40):
        made.put(exchange(number, random.Random(number).randbytes(500)))
    made.close()
    assert len(list(tmp_path.iterdir())) > 5
    assert all_urls(tmp_path) == [f"http://a.example/{number}" for number in range(40)]
    assert (made.written, made.lost, made.delay()) == (40, 0, "")


def test_a_body_that_comes_again_is_kept_once(tmp_path: Path) -> None:
    made = writer(tmp_path)
    body = random.Random(1).randbytes(100_000)
    for number in range(5):
        made.put(exchange(number, body))
    made.close()
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 110_000
    assert len(all_urls(tmp_path)) == 5


def test_a_disk_that_fails_is_waited_for_and_nothing_is_lost_or_torn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("pipelines.warc.writer._RETRY_SECONDS", 0.01)
    room, write = [1_000], os.pwrite

    def pwrite(descriptor: int, data: Any, offset: int) -> int:
        if offset + len(data) <= room[0]:
            return write(descriptor, data, offset)
        if offset >= room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, data[: room[0] - offset], offset)

    monkeypatch.setattr(files_module.os, "pwrite", pwrite)
    made = writer(tmp_path, queue_bytes=2_000)
    with caplog.at_level(logging.INFO):
        for number in range(30):
            made.put(exchange(number))
        wait_until(lambda: "No space left" in made.delay(), "the fault")
        room[0] = 1_000_000
        wait_until(lambda: not made.delay(), "room")
    made.close()
    assert all_urls(tmp_path) == [f"http://a.example/{number}" for number in range(30)]
    assert caplog.text.count("No space left") == 1


def test_what_a_broken_disk_has_kept_out_is_counted_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made = writer(tmp_path, queue_bytes=100)
    made.put(exchange(1))
    wait_until(lambda: made.written == 1, "the first")

    def pwrite(*_: Any) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(files_module.os, "pwrite", pwrite)
    for number in (2, 3):
        made.put(exchange(number))
    made.close()
    assert (made.written, made.lost) == (1, 2)
    assert "2 answers are not in the archive" in caplog.text
    assert all_urls(tmp_path) == ["http://a.example/1"]


def test_a_pause_is_asked_for_while_more_waits_than_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = WarcWriter(WarcOptions(tmp_path, 1_000, 1_000, {}))
    for number in range(3):
        made.put(exchange(number, b"x" * 500))
    assert "archive" in made.delay()
    made.start()
    wait_until(lambda: not made.delay(), "the writer")
    made.close()


@pytest.mark.parametrize("tail", [b"", b"\x00" * 900, b"\x1f\x8b\x08\x00", b"no gzip"])
def test_a_torn_file_ends_with_its_last_whole_record(tmp_path: Path, tail: bytes) -> None:
    made = writer(tmp_path)
    for number in range(9):
        made.put(exchange(number))
    made.close()
    (path,) = tmp_path.iterdir()
    whole, members = path.read_bytes(), 19
    assert whole_members(path) == (len(whole), members)
    for cut in (len(whole), len(whole) - 1, len(whole) // 2):
        torn = path.with_name(path.name + ".open")
        path.rename(torn)
        torn.write_bytes(whole[:cut] + tail)
        (sentence,) = repair(tmp_path)
        assert "bytes of a torn record were cut off" in sentence
        found = all_urls(tmp_path)
        assert found == [f"http://a.example/{number}" for number in range(9)][: len(found)]
        assert len(found) >= (9 if cut >= len(whole) - 1 else 3)


def test_a_file_without_a_record_goes_and_one_that_is_being_written_stays(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz.open").write_bytes(b"\x1f\x8b")
    assert "removed" in repair(tmp_path)[0]
    busy = WarcFiles(tmp_path, 1_000, lambda name: name.encode())
    busy.append(b"x")
    assert repair(tmp_path) == []
    assert len(list(tmp_path.glob("*.open"))) == 1
    busy.close()


_KILLED = """
import sys
from tests.pipelines.warc.test_writer import Path, exchange, random, writer
made = writer(Path(sys.argv[1]), 200_000)
print("ready", flush=True)
for number in range(1_000_000):
    made.put(exchange(number, random.Random(number).randbytes(2_000)))
    while made.delay():
        pass
"""


def test_after_a_kill_the_next_start_completes_the_file(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", _KILLED, str(tmp_path)], stdout=subprocess.PIPE)
    try:
        wait_until(lambda: len(list(tmp_path.iterdir())) >= 3, "some files")
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    for torn in tmp_path.glob("*.open"):
        with torn.open("ab") as file:
            file.write(b"\x1f\x8b\x08torn")
    made = writer(tmp_path)
    made.put(exchange(-1))
    made.close()
    found = sorted(int(url.rpartition("/")[2]) for url in all_urls(tmp_path))
    assert len(found) > 100
    assert found == list(range(-1, len(found) - 1))

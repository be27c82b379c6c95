"""A job's log file is bounded."""

import logging
import resource
import signal
from pathlib import Path

import pytest

from crawler.extensions.logs import PatientHandler
from testbed.crawling import Crawl
from testbed.hostile import HostileWeb
from testbed.hostile.behaviours import article, links_to


def test_a_log_file_begins_again_and_ends_with_the_summary(tmp_path: Path) -> None:
    pages = [f"/{number}.html" for number in range(150)]
    with HostileWeb({"a.example": lambda asked: asked.answer(article("一", links_to(*pages)))}) as web:
        log = tmp_path / "job.log"
        settings = {
            "LOG_FILE": log,
            "LOG_FILE_MAX_MB": 0.05,
            "LOG_LEVEL": "DEBUG",
            "FRONTIER_HOST_DELAY": 0,
            "FRONTIER_HOST_CONCURRENCY": 8,
        }
        crawl = Crawl(tmp_path / "a", ["http://a.example/"], {}, settings, {"http_proxy": web.address}).run()
    assert crawl.exit_code == 0
    files = sorted(tmp_path.glob("job.log*"))
    assert [file.name for file in files] == ["job.log", "job.log.1"]
    assert all(file.stat().st_size <= 0.03 * 2**20 for file in files)
    told = "".join(file.read_text(encoding="utf-8") for file in files)
    assert "page http://a.example/" in told
    assert len(max(told.splitlines(), key=len)) < 2_000
    assert "Spider closed" in files[0].read_text(encoding="utf-8") or "Closing spider" in files[0].read_text(
        encoding="utf-8"
    )


def test_lines_that_a_full_disk_refuses_come_later_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    handler = PatientHandler(tmp_path / "job.log", "a", 0, 1, encoding="utf-8")
    record = logging.makeLogRecord({"msg": "a line"})
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit[1]))
        handler.emit(record)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, before)
    handler.emit(record)
    handler.close()
    assert (tmp_path / "job.log").read_text(encoding="utf-8").splitlines() == ["a line", "a line"]
    assert not capsys.readouterr().err

"""A command that fetches a page says so if its crawl cannot begin."""

import subprocess
import sys
from pathlib import Path

from testbed.crawling import REPOSITORY


def test_a_part_that_does_not_start_is_no_empty_answer(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scrapy", "extract", "http://some.example/", "-s", f"DATA_DIR={tmp_path}"]
    command += ["-s", 'EXTENSIONS={"crawler.no_such_module.Extension": 1}']
    ended = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 2
    assert "could not be made" in ended.stderr
    assert not ended.stdout

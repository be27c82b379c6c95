"""`scrapy engines` as users call it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from testbed.crawling import REPOSITORY


def engines(*words: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    command = [sys.executable, "-m", "scrapy", "engines", *words]
    return subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, timeout=240)


def test_all_samples_can_be_read() -> None:
    done = engines("test")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert len(lines) == 22
    assert all(" works " in line for line in lines)


@pytest.mark.parametrize(
    ("page", "word", "code"),
    [
        ("<title>x</title><p>There are no results for that", "empty", 0),
        ("<title>x</title><div class='g-recaptcha'></div>" + "." * 300, "blocked", 1),
        ("<title>x</title><form><input name=q></form>" + "<p>other things</p>" * 30, "layout changed", 1),
    ],
)
def test_a_saved_page(tmp_path: Path, page: str, word: str, code: int) -> None:
    saved = tmp_path / "page.html"
    saved.write_text(page, encoding="utf-8")
    done = engines("test", "bing", "--file", str(saved))
    assert word in done.stdout
    assert done.returncode == code


def test_mistakes_are_said() -> None:
    done = engines("test", "nosuch")
    assert "There is no engine 'nosuch'" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_engine_of_ones_own_reads_a_saved_page_and_dates_its_results(tmp_path: Path) -> None:
    (tmp_path / "engines").mkdir()
    text = "url: https://mine.example/s?q={query}\norder: 1\nhtml: li\nfields: {url: a, time: i}\n"
    (tmp_path / "engines" / "mine.yaml").write_text(text, encoding="utf-8")
    saved = tmp_path / "page.html"
    saved.write_text("<ul><li><a href='https://a.example/p'>A lake</a><i>2026-11-01</i></ul>", encoding="utf-8")
    folder = ("-s", f"TOPICRAWL_SETTINGS_DIR={tmp_path}")
    done = engines("test", "mine", "--file", str(saved), *folder)
    assert "works" in done.stdout
    assert "1  2026-11-01  https://a.example/p  A lake" in done.stdout
    listed = engines("list", *folder).stdout.splitlines()
    assert listed[0].split()[:3] == ["mine", "asked", "mine.example"]

"""What all commands share: where they work, how much they log, and the closing line of a crawl, which can be run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crawling import REPOSITORY
from tests.hostile import HostileWeb, behaviours

SCRAPY = Path(sys.executable).parent / "scrapy"


def run(*words: object, folder: Path = REPOSITORY, **environment: str) -> subprocess.CompletedProcess[str]:
    """The program as a shell finds it, without the virtual environment's folder on the PATH."""
    path = os.pathsep.join(
        part for part in os.environ["PATH"].split(os.pathsep) if Path(part).resolve() != SCRAPY.parent.resolve()
    )
    own = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return subprocess.run(
        list(map(str, words)),
        cwd=folder,
        env=own | {"PATH": path} | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("command", ["doctor", "extract", "schedule"])
def test_outside_the_project_a_command_says_where_it_works(tmp_path: Path, command: str) -> None:
    done = run(SCRAPY, command, folder=tmp_path)
    assert done.returncode == 2
    assert f"this command works in {REPOSITORY}: change to that folder" in done.stderr
    assert "Unknown command" not in done.stdout + done.stderr


@pytest.mark.parametrize(("level", "details"), [((), False), (("-L", "DEBUG"), True)])
def test_the_closing_line_of_a_crawl_can_be_run_and_details_are_for_debugging(
    tmp_path: Path, level: tuple[str, ...], details: bool
) -> None:
    with HostileWeb({"some.example": behaviours.plain}) as web:
        own = ("-s", f"STORE=sqlite:///{tmp_path}/own.db", "-s", f"DATA_DIR={tmp_path}")
        done = run(SCRAPY, "crawl", "site", "-a", "url=http://some.example/", *own, *level, http_proxy=web.address)
    assert done.returncode == 0, done.stderr
    assert ("Dumping Scrapy stats" in done.stderr) == details
    assert ("Versions:" in done.stderr) == details
    assert ("Overridden settings" in done.stderr) == details
    if not details:
        assert len(done.stderr.splitlines()) <= 8
    found = re.search(r"^Data: .*\((.* export .*) > articles.csv\)$", done.stderr, re.M)
    assert found, done.stderr
    written = run("sh", "-c", found[1])
    assert written.returncode == 0, written.stderr
    assert "http://some.example/" in written.stdout

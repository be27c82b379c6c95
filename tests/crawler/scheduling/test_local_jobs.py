"""Jobs of this machine are started, found again by another process, and stopped; no other process is ever touched."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy.settings import Settings

from crawler.scheduling import local_jobs
from crawler.scheduling.local_jobs import HERE, LocalJobs
from crawler.scheduling.local_process import begun_at
from crawler.scheduling.scrapyd import NodeError, NodeJob, Nodes
from testbed.servers import wait_until

FIELDS = [("project", "topicrawl"), ("spider", "site"), ("jobid", "news-20261128T101010-1"),
          ("url", "https://a.example/"), ("setting", "FRONTIER_HOST_DELAY=2")]  # fmt: skip
JOB = NodeJob(HERE, "news-20261128T101010-1", "running", "site", "topicrawl")
SLEEPER = [sys.executable, "-c", "import time; print('begun', flush=True); time.sleep(60)"]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    made = Settings({"DATA_DIR": str(tmp_path)})
    made.setdict({"DATA_DIR": str(tmp_path), "STORE": "sqlite:///x.db", "CONSOLE_PORT": 1}, priority="cmdline")
    return made


@pytest.fixture
def jobs(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalJobs]:
    monkeypatch.setattr(LocalJobs, "_command", lambda *_: SLEEPER)
    made = LocalJobs(settings)
    yield made
    for job in made.jobs():
        made.stop(job)


def test_a_job_is_found_by_another_console_and_stopped(jobs: LocalJobs, settings: Settings) -> None:
    nodes = Nodes([HERE], here=jobs)
    assert nodes.start(HERE, FIELDS) == JOB.identity
    other = Nodes([HERE], here=LocalJobs(settings))
    assert other.jobs(HERE) == [JOB]
    assert other.stop(JOB)
    wait_until(lambda: not other.jobs(HERE), "the end of the job")
    assert not other.stop(JOB)


def test_a_number_that_is_used_again_is_left_alone(jobs: LocalJobs, tmp_path: Path) -> None:
    """The record names a process that lives, but began at another time than this one."""
    stranger = subprocess.Popen(SLEEPER)
    try:
        jobs.start(FIELDS)
        jobs.stop(JOB)
        path = tmp_path / "jobs" / f"{JOB.identity}.json"
        record = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(record | {"pid": stranger.pid, "begun": "1" + record["begun"]}), encoding="utf-8")
        assert jobs.jobs() == []
        assert not jobs.stop(JOB)
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_process_is_known_by_its_start() -> None:
    assert begun_at(os.getpid()) == begun_at(os.getpid()) != begun_at(os.getppid())
    ended = subprocess.Popen([sys.executable, "-c", ""])
    wait_until(lambda: begun_at(ended.pid) == "", "a zombie counts as ended")
    ended.wait()


@pytest.mark.parametrize("wrong", ["../x", "a/b", "", "x" * 300])
def test_names_that_lead_out_of_the_folder_are_refused(jobs: LocalJobs, wrong: str, tmp_path: Path) -> None:
    with pytest.raises(NodeError, match="valid name"):
        jobs.start([("project", "p"), ("spider", "site"), ("jobid", wrong)])
    assert Nodes([HERE], here=jobs).log(HERE, "p", "site", wrong) is None
    assert not (tmp_path / "jobs").exists()


def test_damaged_records_are_passed_over(jobs: LocalJobs, tmp_path: Path) -> None:
    folder = tmp_path / "jobs"
    folder.mkdir()
    for number, text in enumerate(("", "[]", "{}", '{"pid": 1, "host": 2}', "x" * 9)):
        (folder / f"{number}.json").write_text(text, encoding="utf-8")
    assert jobs.jobs() == []


def test_only_so_many_run_at_once(jobs: LocalJobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_jobs, "_MAX_JOBS", 1)
    jobs.start(FIELDS)
    with pytest.raises(NodeError, match="stop one first"):
        jobs.start([*FIELDS[:2], ("jobid", "second")])


def test_the_command_has_the_settings_of_the_console_and_of_the_job(settings: Settings, tmp_path: Path) -> None:
    made = LocalJobs(settings)
    command = made._command("a", "site", FIELDS)
    assert command[:5] == [sys.executable, "-m", "scrapy", "crawl", "site"]
    assert "url=https://a.example/" in command
    assert {"STORE=sqlite:///x.db", "FRONTIER_HOST_DELAY=2", f"LOG_FILE={tmp_path / 'jobs' / 'a.log'}"} <= set(command)
    assert "CONSOLE_PORT=1" not in command
    analysis = made._command("a", "analysis", [])
    assert analysis[3:6] == ["analysis", "run", "--follow"]


def test_the_end_of_a_log_is_read_by_lines(jobs: LocalJobs, tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "a.log").write_text("one\ntwo\nthree\n", encoding="utf-8")
    part = Nodes([HERE], here=jobs).log(HERE, "p", "site", "a", most=8)
    assert part is not None
    assert (part.text, part.end, part.size) == ("three\n", 14, 14)

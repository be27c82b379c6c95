"""Plans are checked line by line; what was missed is said; a node that is away is tried again."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qs
from zoneinfo import ZoneInfo

import pytest

from crawler.scheduling.job_plan import PlanError, cron_trigger, read_plan
from crawler.scheduling.runner import Runner, last_outcome
from crawler.scheduling.scrapyd import Nodes
from testbed.crawling import REPOSITORY
from testbed.local_server import AnsweringHandler, serving
from testbed.servers import free_port, wait_until

GOOD = """timezone: Asia/Shanghai
nodes: [http://127.0.0.1:{port}]
jobs:
  news:
    spider: site
    cron: "0 */6 * * *"
    arguments: {{url: https://some.site/}}
  quiet:
    spider: site
    cron: "30 2 * * mon"
    missed: skip
"""


def plan_file(folder: Path, text: str = GOOD) -> Path:
    path = folder / "schedule.yaml"
    path.write_text(text.format(port=free_port()), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ('"0 */6 * * *"', '"0 99 * * *"', r"line 6, jobs.news.cron: "),
        ("spider: site\n    cron: \"30", "spidr: site\n    cron: \"30", r"line 9, jobs.quiet.spidr: is not known; there are arguments"),
        ("Asia/Shanghai", "Asia/Nowhere", r"line 1, timezone: is not a time zone"),
        ("missed: skip", "nodes: 0", r"line 11, jobs.quiet.nodes: .*1 or more"),
        ("jobs:", "jobs: [", r"is not YAML"),
    ],
)  # fmt: skip
def test_mistakes_are_named_by_line_and_key(
    tmp_path: Path, before: str, after: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SCRAPYD_NODES", raising=False)
    assert before in GOOD
    with pytest.raises(PlanError, match=sentence):
        read_plan(plan_file(tmp_path, GOOD.replace(before, after)))


def test_hours_are_those_of_the_zone(tmp_path: Path) -> None:
    trigger = read_plan(plan_file(tmp_path)).trigger("news")
    due = trigger.get_next_fire_time(None, datetime(2026, 11, 20, 1, tzinfo=UTC))
    assert due == datetime(2026, 11, 20, 4, tzinfo=UTC)  # noon in Shanghai


@pytest.mark.parametrize(
    ("cron", "days"),
    [("0 0 * * 0", "22"), ("0 0 * * 7", "22"), ("0 0 * * 1-5", "23 24 25 26 27"), ("0 0 * * sat,1", "21 23")],
)
def test_days_of_the_week_are_those_of_cron(cron: str, days: str) -> None:
    trigger, found, last = cron_trigger(cron, ZoneInfo("UTC")), list[str](), datetime(2026, 11, 21, tzinfo=UTC)
    while (due := trigger.get_next_fire_time(last if found else None, last)).day < 28:
        found.append(str(due.day))
        last = due
    assert " ".join(found) == days


def test_missed_runs_are_counted_and_said(tmp_path: Path) -> None:
    state, said = tmp_path / "state.json", list[str]()
    state.write_text(json.dumps({"news": {"due": "2026-11-19T00:30:00+00:00"}}))
    plan = read_plan(plan_file(tmp_path))
    missed = Runner(plan, Nodes(plan.nodes), state, said.append).missed(datetime(2026, 11, 20, 1, tzinfo=UTC))
    assert missed == {"news": 4}
    assert "news: 4 runs were missed" in said[0]


def test_nobody_answers_is_said_and_tried_again(tmp_path: Path) -> None:
    plan, said = read_plan(plan_file(tmp_path)), list[str]()
    runner = Runner(plan, Nodes(plan.nodes), tmp_path / "state.json", said.append)
    assert not runner.fire("news")
    assert "not started: no node accepts it (http://127.0.0.1:" in said[0]
    assert "retry in 60 s" in said[1]
    assert "not started" in json.loads((tmp_path / "state.json").read_text())["news"]["outcome"]


def test_a_runner_runs_late_jobs_once_and_stops(tmp_path: Path) -> None:
    state, said = tmp_path / "state.json", list[str]()
    past = {"due": "2026-01-01T00:00:00+00:00"}
    state.write_text(json.dumps({"news": past, "quiet": past}))
    plan = read_plan(plan_file(tmp_path))
    runner = Runner(plan, Nodes(plan.nodes), state, said.append)
    thread = threading.Thread(target=runner.run)
    thread.start()
    wait_until(lambda: any("quiet: missed runs are skipped" in each for each in said), "looking back")
    time.sleep(0.2)
    runner.stop()
    thread.join(10)
    assert not thread.is_alive()
    assert sum("news: run late, once" in each for each in said) == 1
    assert any("quiet: next run" in each for each in said)


def test_a_state_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    plan = read_plan(plan_file(tmp_path))
    (tmp_path / "file").write_text("")
    said = list[str]()
    assert not Runner(plan, Nodes(plan.nodes), tmp_path / "file" / "state.json", said.append).fire("quiet")
    (sentence,) = [each for each in said if "cannot be written" in each]
    assert "--state" in sentence


class FakeNode(AnsweringHandler):
    """As much of scrapyd as watching needs."""

    running: ClassVar[list[str]] = []
    logs: ClassVar[dict[str, str]] = {}

    def do_GET(self) -> None:  # the name that http.server calls
        if self.path == "/listjobs.json":
            self.answer(json.dumps({"status": "ok", "running": [{"id": each} for each in self.running]}))
        elif (text := self.logs.get(self.path)) is not None:
            self.answer(text)
        else:
            self.send_error(404)

    def do_HEAD(self) -> None:
        text = self.logs.get(self.path)
        self.send_response(404 if text is None else 200)
        self.send_header("Content-Length", str(len((text or "").encode())))
        self.end_headers()

    def do_POST(self) -> None:
        fields = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.running.append(fields["jobid"][0])
        self.answer(json.dumps({"status": "ok", "jobid": fields["jobid"][0]}))


@pytest.fixture
def fake_node() -> Iterator[int]:
    FakeNode.running, FakeNode.logs = [], {}
    with serving(FakeNode) as server:
        yield server.server_port


@pytest.mark.parametrize(
    ("log", "outcome"),
    [
        ("INFO: Ending: finished (exit code 0). Finished\n", "ended: Finished (exit code 0)"),
        ("INFO: Ending: max_pages (exit code 3). Reached max_pages\n", "ended: Reached max_pages (exit code 3)"),
        (
            "x" * 20_000 + "\nERROR: Ending: frontier_in_use (exit code 5). Another run uses this frontier: wait\n",
            "failed: Another run uses this frontier: wait (exit code 5)",
        ),
        ("INFO: 3 pages\n", "failed: its log has no result, so it was killed"),
    ],
    ids=["done", "limit", "in use", "killed"],
)
def test_how_a_job_ended_is_told_once_and_kept(tmp_path: Path, fake_node: int, log: str, outcome: str) -> None:
    path, state, said = tmp_path / "schedule.yaml", tmp_path / "state.json", list[str]()
    path.write_text(GOOD.format(port=fake_node), encoding="utf-8")
    plan = read_plan(path)
    assert Runner(plan, Nodes(plan.nodes), state, said.append).fire("news")
    (identity,) = FakeNode.running
    runner = Runner(plan, Nodes(plan.nodes), state, said.append)  # the scheduler was started again
    runner.watch()
    assert len(said) == 1
    FakeNode.running, FakeNode.logs = [], {f"/logs/topicrawl/site/{identity}.log": log}
    due = json.loads(state.read_text())["news"]["due"]
    runner.watch()
    runner.watch()
    assert [each for each in said[1:] if "next run" not in each] == [
        f"news: {identity} on http://127.0.0.1:{fake_node} {outcome}"
    ]
    assert last_outcome(state, "news").endswith(outcome)
    assert json.loads(state.read_text())["news"]["due"] == due


_CHECKED = GOOD.replace("missed: skip", "missed: skip\n    arguments: {{url: https://some.site/}}")


def _check(plan: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "scrapy", "schedule", "check", str(plan)]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)


def test_check_finds_nothing_in_a_plan_that_is_right(tmp_path: Path) -> None:
    done = _check(plan_file(tmp_path, _CHECKED))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("spider: site", "spider: sites", "quiet: There is no spider 'sites'. There are: metasearch, site, watch."),
        ("url: https", "ulr: https", "news: There is no argument 'ulr'."),
        ("url: https://some.site/", "topic: no-such-topic", "news: There is no topic no-such-topic"),
        ("missed: skip", "settings: {{FRONTIER_HOST_DELAI: 1}}", "quiet: There is no setting FRONTIER_HOST_DELAI."),
    ],
)
def test_check_names_unknown_spiders_arguments_and_settings(
    tmp_path: Path, before: str, after: str, sentence: str
) -> None:
    done = _check(plan_file(tmp_path, _CHECKED.replace(before, after)))
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_changed_plan_is_followed_and_a_wrong_one_is_said_once(tmp_path: Path) -> None:
    path, said = plan_file(tmp_path), list[str]()
    plan = read_plan(path)
    runner = Runner(plan, Nodes(plan.nodes), tmp_path / "state.json", said.append, path)
    runner.reload()
    assert said == []
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("quiet:", "later:"), encoding="utf-8")
    runner.reload()
    assert any(each.startswith("later: next run") for each in said)
    assert "quiet: no longer planned" in said
    assert not runner.fire("quiet")
    path.write_text("jobs: [", encoding="utf-8")
    before = len(said)
    runner.reload()
    runner.reload()
    assert [each.partition(":")[0] for each in said[before:]] == ["the plan is unchanged"]

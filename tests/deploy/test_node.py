"""A real node: scrapyd started as in a container, the project's egg deployed to it, a job run, the node stopped."""

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from crawler.frontier.base import Accounts
from crawler.frontier.opening import known_crawls, open_for_operator
from crawler.scheduling.job_plan import read_plan
from crawler.scheduling.runner import Runner
from crawler.scheduling.scrapyd import Nodes
from extractors.kernels import SWITCH, state
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from testbed.hostile.server import HostileWeb
from testbed.servers import free_port, listens, wait_until
from tests.pipelines.stores.test_store_away import PAGES_IN_ALL, site

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class RunningNode:
    """The node's process and its API."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    def ask(self, service: str, *fields: tuple[str, str], user: str = "crawl:pass%word") -> dict[str, Any]:
        body = urllib.parse.urlencode(fields).encode() if fields else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/{service}", body)
        request.add_header("Authorization", f"Basic {base64.b64encode(user.encode()).decode()}")
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=120) as answer:
            found: dict[str, Any] = json.load(answer)
        return found


@pytest.fixture
def node(tmp_path: Path, redis_url: str, mongo_uri: str) -> Iterator[RunningNode]:
    port, log = free_port(), tmp_path / "node.log"
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    environment |= {
        "NODE_DIR": str(tmp_path / "node"),
        "SCRAPYD_HTTP_PORT": str(port),
        "SCRAPYD_USERNAME": "crawl",
        "SCRAPYD_PASSWORD": "pass%word",
        "NODE_STOP_SECONDS": "100",
        "REDIS_URL": redis_url,
        "TOPICRAWL_STORE": mongo_uri,
    }
    with log.open("wb") as out:
        command = [sys.executable, str(ROOT / "deploy" / "node.py")]
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=out, stderr=out)
    try:
        wait_until(lambda: listens(port) or process.poll() is not None, "starting the node")
        yield RunningNode(process, port, log)
    finally:
        process.terminate()
        process.wait(120)


def deploy(node: RunningNode, folder: Path) -> None:
    """As an operator does, from a copy of the project."""
    copy = folder / "project"
    copy.mkdir()
    for room in (path.parent for path in ROOT.glob("*/py.typed")):
        shutil.copytree(room, copy / room.name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("setup.py", "pyproject.toml", "LICENSE", "NOTICE", "README.md"):
        shutil.copy(ROOT / name, copy / name)
    (copy / "scrapy.cfg").write_text(
        f"[settings]\ndefault = settings.base\n[deploy]\nurl = http://127.0.0.1:{node.port}/\nproject = topicrawl\n"
        "username = crawl\npassword = pass%%word\n"
    )
    done = subprocess.run(
        [str(Path(sys.executable).parent / "scrapyd-deploy")],
        cwd=copy,
        env={**os.environ, SWITCH: "" if state().module else "off"},  # never compiles: that takes too long here
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode() + node.log.read_text()
    assert b'"status": "ok"' in done.stdout


@pytest.mark.slow
def test_a_deployed_egg_crawls_and_a_stopped_node_gives_back(
    node: RunningNode, tmp_path: Path, mongo_uri: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(urllib.error.HTTPError, match="401"):
        node.ask("listjobs.json", user="crawl:wrong")
    deploy(node, tmp_path)
    store = open_store(mongo_uri)
    try:
        with HostileWeb({"127.0.0.1": site}) as web:
            failed_by_plan(node, tmp_path, monkeypatch)
            said = started_by_plan(node, f"http://127.0.0.1:{web.port}/", tmp_path, monkeypatch)
            wait_until(lambda: store.count(PAGES) >= 10, "the first pages")
            node.process.send_signal(signal.SIGTERM)
            assert node.process.wait(120) == 0
        found = store.count(PAGES)
    finally:
        store.close()
    assert "started news-" in said[0]
    assert "is still" in said[1]
    assert "ending job news-" in node.log.read_text()
    assert "all jobs have ended" in node.log.read_text()
    assert 10 <= found < PAGES_IN_ALL
    left = accounts(redis_url)
    assert left.leased == 0
    assert left.done >= found
    assert left.queued > 0


def accounts(redis_url: str) -> Accounts:
    settings = Settings()
    settings.setmodule("settings.cluster")
    settings.set("REDIS_URL", redis_url)
    (name,) = known_crawls(settings)
    frontier = open_for_operator(settings, name, to_change=False)
    try:
        return frontier.accounts()
    finally:
        frontier.close()


def started_by_plan(node: RunningNode, url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A plan starts the job, and does not start it again while it runs; what was said."""
    monkeypatch.setenv("SCRAPYD_USERNAME", "crawl")
    monkeypatch.setenv("SCRAPYD_PASSWORD", "pass%word")
    path, said = folder / "schedule.yaml", list[str]()
    path.write_text(
        f"nodes: [http://127.0.0.1:{node.port}]\njobs:\n  news:\n    spider: site\n    cron: '0 3 * * *'\n"
        f"    arguments: {{url: '{url}'}}\n    settings: {{ALLOW_PRIVATE_ADDRESSES: true, FRONTIER_HOST_DELAY: 0.1}}\n"
    )
    plan = read_plan(path)
    runner = Runner(plan, Nodes(plan.nodes), folder / "state.json", said.append)
    assert runner.fire("news")
    assert not runner.fire("news")
    return said


def failed_by_plan(node: RunningNode, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job whose arguments are wrong shows as failed, with the sentence."""
    monkeypatch.setenv("SCRAPYD_USERNAME", "crawl")
    monkeypatch.setenv("SCRAPYD_PASSWORD", "pass%word")
    path, said = folder / "wrong.yaml", list[str]()
    path.write_text(
        f"nodes: [http://127.0.0.1:{node.port}]\njobs:\n  wrong:\n    spider: site\n    cron: '0 3 * * *'\n"
        "    arguments: {url: 'http://a.example/', depth: deep}\n"
    )
    plan = read_plan(path)
    runner = Runner(plan, Nodes(plan.nodes), folder / "wrong.json", said.append)
    assert runner.fire("wrong")
    wait_until(lambda: runner.watch() or len(said) > 1, "the end of the job")
    assert "failed: Wrong arguments or settings: depth must be a whole number" in said[1]
    assert "(exit code 2)" in said[1]


def test_an_open_door_needs_a_password(tmp_path: Path) -> None:
    environment = {**os.environ, "SCRAPYD_BIND_ADDRESS": "0.0.0.0", "NODE_DIR": str(tmp_path)}
    environment.pop("SCRAPYD_PASSWORD", None)
    command = [sys.executable, str(ROOT / "deploy" / "node.py")]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=120, check=False)
    assert b"needs SCRAPYD_USERNAME and SCRAPYD_PASSWORD" in done.stderr
    assert done.returncode == 1

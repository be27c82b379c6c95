"""A node: scrapyd, set up from the environment and ended in order.

scrapyd leaves its spiders running when it ends, and a container then kills them. This wrapper handles SIGTERM and SIGINT: it
prevents new jobs, cancels the running ones, waits until they have given back their leases, and only then ends scrapyd.

NODE_DIR               folder of logs, eggs and queues (./node), with a subfolder for each node
NODE_EGG               an egg that is deployed at the start, so that a new node can work at once
NODE_MAX_JOBS          maximum concurrent jobs (2)
NODE_STOP_SECONDS      seconds for jobs to end before they are killed (60)
SCRAPYD_BIND_ADDRESS   127.0.0.1; another one needs SCRAPYD_USERNAME and SCRAPYD_PASSWORD
SCRAPYD_HTTP_PORT      6800

    NODE_DIR=/var/lib/topicrawl REDIS_URL=redis://… MONGO_HOSTS=… python deploy/node.py
"""

import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PROJECT = "topicrawl"
_FORGET_SECONDS = 14 * 86_400
_CONFIGURATION = """[scrapyd]
bind_address = {address}
http_port = {port}
username = {user}
password = {password}
max_proc = {jobs}
poll_interval = 1.0
eggs_dir = eggs
logs_dir = logs
dbs_dir = dbs
jobs_to_keep = 20
finished_to_keep = 200
jobstorage = scrapyd.jobstorage.SqliteJobStorage
"""


class Node:
    """scrapyd as a child process, with a client of its API."""

    def __init__(self) -> None:
        self.address = os.environ.get("SCRAPYD_BIND_ADDRESS", "127.0.0.1")
        self.port = int(os.environ.get("SCRAPYD_HTTP_PORT", "6800"))
        self.user = os.environ.get("SCRAPYD_USERNAME", "")
        self.password = os.environ.get("SCRAPYD_PASSWORD", "")
        self.stop_seconds = float(os.environ.get("NODE_STOP_SECONDS", "60"))
        self.folder = Path(os.environ.get("NODE_DIR", "node")).resolve() / socket.gethostname()
        self._stop = threading.Event()

    def run(self) -> int:
        """Run until a signal; returns 0 then, else scrapyd's exit code."""
        self._check()
        self._prepare()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop.set())
        # its own session, so that Ctrl-C on the terminal reaches only this process
        scrapyd = subprocess.Popen([sys.executable, "-m", "scrapyd"], cwd=self.folder, start_new_session=True)
        _say(f"scrapyd runs on {self.address}:{self.port}, its files are in {self.folder}")
        while scrapyd.poll() is None and not self._stop.wait(0.5):
            pass
        if scrapyd.poll() is not None:
            return scrapyd.returncode
        self._end_jobs()
        scrapyd.terminate()
        scrapyd.wait(20)
        return 0

    def _check(self) -> None:
        if find_spec("scrapyd") is None:
            sys.exit(
                "scrapyd is not installed: pip install 'topicrawl[node]'. The console alone runs crawls without it."
            )
        if self.address not in ("127.0.0.1", "::1", "localhost") and not (self.user and self.password):
            sys.exit(
                f"scrapyd runs any code that is sent to it: on {self.address} it needs SCRAPYD_USERNAME and SCRAPYD_PASSWORD"
            )

    def _prepare(self) -> None:
        for name in ("eggs", "logs", "dbs"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        os.utime(self.folder)
        values = {"address": self.address, "port": self.port, "user": self.user, "password": self.password}
        text = _CONFIGURATION.format(**values, jobs=os.environ.get("NODE_MAX_JOBS", "2")).replace("%", "%%")
        with open(os.open(self.folder / "scrapyd.conf", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)
        if egg := os.environ.get("NODE_EGG"):
            eggs = self.folder / "eggs" / PROJECT
            eggs.mkdir(exist_ok=True)
            shutil.copyfile(egg, eggs / "0.egg")  # any later deployed version is newer
        self._forget_old_nodes()

    def _forget_old_nodes(self) -> None:
        """Remove folders of nodes not started for two weeks, as each new container creates one."""
        for folder in self.folder.parent.iterdir():
            if (folder / "scrapyd.conf").exists() and time.time() - folder.stat().st_mtime > _FORGET_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)

    def _end_jobs(self) -> None:
        """Cancel running jobs, including ones that start later, and wait; after the deadline they are killed."""
        deadline, cancelled = time.monotonic() + self.stop_seconds, set[str]()
        while time.monotonic() < deadline:
            try:
                running = self._ask("listjobs.json")["running"]
                for job in running:
                    if job["id"] not in cancelled:
                        self._ask("cancel.json", project=job["project"], job=job["id"])
                        _say(f"ending job {job['id']} ({job['spider']})")
                        cancelled.add(job["id"])
            except OSError as error:
                _say(f"scrapyd does not answer: {error}")
                return
            if not running:
                _say("all jobs have ended")
                return
            time.sleep(0.5)
        _say(f"jobs have not ended within {self.stop_seconds:.0f} s; their leases will expire")

    def _ask(self, service: str, **data: str) -> Any:
        host = self.address if self.address not in ("0.0.0.0", "::") else "127.0.0.1"
        body = urllib.parse.urlencode(data).encode() if data else None
        request = urllib.request.Request(f"http://{host}:{self.port}/{service}", body)
        if self.user:
            token = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
            request.add_header("Authorization", f"Basic {token}")
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(request, timeout=10) as answer:
            return json.load(answer)


def _say(sentence: str) -> None:
    print(f"node: {sentence}", flush=True)


if __name__ == "__main__":
    sys.exit(Node().run())

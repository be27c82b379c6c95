"""Jobs of this machine: processes of `scrapy`, which outlive who started them and are found again."""

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from crawler.config.arguments import JOB
from crawler.scheduling.local_process import ask_to_end, begun_at
from crawler.scheduling.node_jobs import JOB_NAME, LogPart, NodeError, NodeJob, whole_lines

HERE = "local"
"""The address of this machine among nodes."""
ANALYSIS = "analysis"
"""The job name that starts the analysis of stored pages as they arrive, in place of a spider."""
_MAX_JOBS = 8
_KEPT_LOGS = 100
_NOT_PASSED_ON = ("LOG_", "CONSOLE_", "COMMANDS_MODULE")
_children: dict[int, "subprocess.Popen[bytes]"] = {}


class LocalJobs:
    """Starts, finds and stops jobs; their records and logs are in the folder `jobs` of DATA_DIR.

    Args:
        settings: those of the command line are passed on to the jobs.

    Attributes:
        given: these, NAME=VALUE.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self._folder = Path(settings["DATA_DIR"] or "data") / "jobs"
        self.given = list(_given_settings(settings))

    def jobs(self) -> list[NodeJob]:
        """The running jobs, the first started first."""
        return [
            NodeJob(HERE, record["identity"], "running", record["spider"], record["project"])
            for record in self._records()
        ]

    def start(self, fields: Iterable[tuple[str, str]]) -> str:
        """Start a job from the fields for scrapyd; returns its identity. Raises NodeError if it cannot be started."""
        given = list(fields)
        named = dict(given)
        identity = named["jobid"]
        if not JOB_NAME.fullmatch(identity):
            raise NodeError(f"{HERE}: {identity!r} is not a valid name of a job")
        if len(self.jobs()) >= _MAX_JOBS:
            raise NodeError(f"{HERE}: {_MAX_JOBS} jobs run on this machine already; stop one first")
        try:
            self._begin(identity, named["spider"], named["project"], self._command(identity, named["spider"], given))
        except OSError as error:
            raise NodeError(f"{HERE}: the job cannot be started: {error}") from None
        return identity

    def _command(self, identity: str, spider: str, given: Iterable[tuple[str, str]]) -> list[str]:
        settings = [*self.given, *(value for name, value in given if name == "setting")]
        words = [sys.executable, "-m", "scrapy"]
        if spider == ANALYSIS:
            words += ["analysis", "run", "--follow"]
        else:
            arguments = [
                (name, value) for name, value in given if name not in ("project", "spider", "jobid", "setting")
            ]
            words += ["crawl", spider, "-s", f"LOG_FILE={self._log(identity)}"]
            for name, value in [*arguments, (JOB, identity)]:
                words += ["-a", f"{name}={value}"]
        for setting in settings:
            words += ["-s", setting]
        return words

    def _begin(self, identity: str, spider: str, project: str, command: list[str]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._forget_old_logs()
        with open(self._log(identity), "ab") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, start_new_session=True
            )
        _children[process.pid] = process
        record = {
            "identity": identity, "spider": spider, "project": project,
            "host": socket.gethostname(), "pid": process.pid, "begun": begun_at(process.pid),
        }  # fmt: skip
        self._write(record)

    def stop(self, job: NodeJob) -> bool:
        """Stop a job in order, as Ctrl-C does; False if it no longer runs.

        A second request is not passed on: a crawl asked twice ends at once.
        """
        record = next((record for record in self._records() if record["identity"] == job.identity), None)
        if record is None:
            return False
        if record.get("stopping"):
            return True
        self._write(record | {"stopping": True})
        return ask_to_end(record["pid"], record["begun"])

    def log(self, identity: str, until: int, most: int) -> LogPart | None:
        """Lines of a job's log before a byte, or the last ones; None if it has no log."""
        try:
            with open(self._log(identity), "rb") as log:
                size = log.seek(0, os.SEEK_END)
                end = min(until, size) if until else size
                begin = log.seek(max(0, end - most))
                return whole_lines(log.read(end - begin), begin, size)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise NodeError(f"{HERE}: the log cannot be read: {error.strerror}") from None

    def _log(self, identity: str) -> Path:
        return self._folder / f"{identity}.log"

    def _write(self, record: dict[str, Any]) -> None:
        path = self._folder / f"{record['identity']}.json"
        draft = path.with_suffix(".new")
        draft.write_text(json.dumps(record), encoding="utf-8")
        os.replace(draft, path)

    def _records(self) -> Iterator[dict[str, Any]]:
        """Of jobs that run; a record whose process has ended is deleted."""
        for pid, child in list(_children.items()):
            if child.poll() is not None:  # else it would stay a zombie
                _children.pop(pid, None)
        for path in sorted(self._folder.glob("*.json"), key=_written_at):
            record = _read(path)
            if record is None or record["host"] != socket.gethostname():
                continue
            if begun_at(record["pid"]) == record["begun"] != "":
                yield record
            else:
                path.unlink(missing_ok=True)

    def _forget_old_logs(self) -> None:
        running = {job.identity for job in self.jobs()}
        logs = sorted(self._folder.glob("*.log"), key=_written_at)
        for path in logs[:-_KEPT_LOGS]:
            if path.stem not in running:
                path.unlink(missing_ok=True)


def _written_at(path: Path) -> float:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _read(path: Path) -> dict[str, Any] | None:
    kinds = {"identity": str, "spider": str, "project": str, "host": str, "pid": int, "begun": str}
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    is_whole = isinstance(record, dict) and all(isinstance(record.get(name), kind) for name, kind in kinds.items())
    return record if is_whole and record["pid"] > 1 else None


def _given_settings(settings: BaseSettings) -> Iterator[str]:
    """Settings of the command line as NAME=VALUE: what a job must have too to work on the same data."""
    for name in settings:
        if settings.getpriority(name) == SETTINGS_PRIORITIES["cmdline"] and not name.startswith(_NOT_PASSED_ON):
            value = settings.get(name)
            if isinstance(value, str | int | float):
                yield f"{name}={value}"

"""Jobs on nodes: those of scrapyd, by its API, and this machine."""

import base64
import json
import os
import socket
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Sequence
from typing import Any

from crawler.scheduling.local_jobs import ANALYSIS, HERE, LocalJobs
from crawler.scheduling.node_jobs import JOB_NAME, LogPart, NodeError, NodeJob, whole_lines

__all__ = ["ANALYSIS", "HERE", "LocalJobs", "LogPart", "NodeError", "NodeJob", "Nodes"]

_TIMEOUT_SECONDS = 30.0
_LOG_BYTES = 16_000


class Nodes:
    """All nodes; a name with several addresses (a scaled service) stands for several nodes.

    User and password come from SCRAPYD_USERNAME and SCRAPYD_PASSWORD.

    Args:
        addresses: of scrapyd; "local" is this machine, where jobs run without scrapyd.
        seconds: timeout of a node.
        here: the jobs of this machine.
    """

    def __init__(
        self, addresses: Sequence[str], seconds: float = _TIMEOUT_SECONDS, here: LocalJobs | None = None
    ) -> None:
        self._addresses = addresses
        self._local = here
        self._seconds = seconds
        user, password = os.environ.get("SCRAPYD_USERNAME", ""), os.environ.get("SCRAPYD_PASSWORD", "")
        self._authorization = base64.b64encode(f"{user}:{password}".encode()).decode() if user else ""
        self._open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open

    def at(self, addresses: Sequence[str]) -> "Nodes":
        """The same with other addresses."""
        return Nodes(addresses, self._seconds, self._local)

    @property
    def given(self) -> Sequence[str]:
        """Settings of the command line, NAME=VALUE, for what is started on this machine."""
        return self._local.given if self._local else ()

    @property
    def _here(self) -> LocalJobs:
        if self._local is None:
            raise NodeError(f"{HERE}: jobs cannot be started here")
        return self._local

    def addresses(self) -> list[str]:
        """The current addresses of all nodes."""
        return list(dict.fromkeys(each for address in self._addresses for each in _resolved(address)))

    def jobs(self, node: str) -> list[NodeJob]:
        """Running and pending jobs of a node. Raises NodeError if it does not answer."""
        if node == HERE:
            return self._here.jobs()
        found = self._ask(node, "listjobs.json")
        return [
            NodeJob(node, str(job["id"]), state, str(job.get("spider", "")), str(job.get("project", "")))
            for state in ("running", "pending")
            for job in found.get(state, ())
        ]

    def start(self, node: str, fields: Iterable[tuple[str, str]]) -> str:
        """Start a job; returns its identity. Raises NodeError if the node refuses."""
        if node == HERE:
            return self._here.start(fields)
        return str(self._ask(node, "schedule.json", fields)["jobid"])

    def stop(self, job: NodeJob) -> bool:
        """Stop a job in order; False if it no longer runs. Raises NodeError if the node refuses."""
        if job.node == HERE:
            return self._here.stop(job)
        fields = [("project", job.project), ("job", job.identity)]
        return bool(self._ask(job.node, "cancel.json", fields).get("prevstate"))

    def end_of_log(self, node: str, project: str, spider: str, identity: str) -> str:
        """The last kilobytes of a job's log, "" if it has none. Raises NodeError if the node does not answer."""
        part = self.log(node, project, spider, identity)
        return part.text if part else ""

    def log(
        self, node: str, project: str, spider: str, identity: str, until: int = 0, most: int = _LOG_BYTES
    ) -> LogPart | None:
        """Lines of a job's log before a byte, or the last ones; None if it has no log. Raises NodeError if the node does not answer."""
        if not all(JOB_NAME.fullmatch(name) for name in (project, spider, identity)):
            return None
        if node == HERE:
            return self._here.log(identity, until, most)
        url = f"{node}/logs/{project}/{spider}/{identity}.log"
        try:
            with self._open(self._request(url, method="HEAD"), timeout=self._seconds) as answer:
                size = int(answer.headers.get("Content-Length") or 0)
            end = min(until, size) if until else size
            begin = max(0, end - most)
            request = self._request(url)
            if begin or end < size:  # Twisted fails on a range "the last N bytes" of a shorter file
                request.add_header("Range", f"bytes={begin}-{end - 1}")
            with self._open(request, timeout=self._seconds) as answer:
                skipped = 0 if answer.status == 206 else begin  # a server without support for ranges
                return whole_lines(bytes(answer.read(end - begin + skipped))[skipped:], begin, size)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise NodeError(f"{node} refuses ({error.code})") from None
        except OSError as error:
            raise NodeError(f"{node} does not answer: {getattr(error, 'reason', error)}") from None

    def _request(self, url: str, body: bytes | None = None, method: str | None = None) -> urllib.request.Request:
        request = urllib.request.Request(url, body, method=method)
        if self._authorization:
            request.add_header("Authorization", f"Basic {self._authorization}")
        return request

    def _ask(self, node: str, service: str, fields: Iterable[tuple[str, str]] | None = None) -> dict[str, Any]:
        body = None if fields is None else urllib.parse.urlencode(list(fields)).encode()
        request = self._request(f"{node}/{service}", body)
        try:
            with self._open(request, timeout=self._seconds) as answer:
                found: dict[str, Any] = json.load(answer)
        except urllib.error.HTTPError as error:
            hint = "; check SCRAPYD_USERNAME and SCRAPYD_PASSWORD" if error.code == 401 else ""
            raise NodeError(f"{node} refuses ({error.code}{hint})") from None
        except (OSError, ValueError) as error:
            raise NodeError(f"{node} does not answer: {getattr(error, 'reason', error)}") from None
        if found.get("status") != "ok":
            raise NodeError(f"{node} refuses: {found.get('message', 'without a reason')}")
        return found


def _resolved(address: str) -> list[str]:
    if address == HERE:
        return [HERE]
    parts = urllib.parse.urlsplit(address if "://" in address else f"http://{address}")
    port = parts.port or 6800
    try:
        infos = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM, family=socket.AF_INET)
    except OSError:
        return [f"{parts.scheme}://{parts.hostname}:{port}"]
    found = sorted({str(info[4][0]) for info in infos})
    hosts = found if len(found) > 1 else [str(parts.hostname)]
    return [f"{parts.scheme}://{host}:{port}" for host in hosts]

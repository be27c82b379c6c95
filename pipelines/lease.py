"""The right to do one job, held by one process at a time, and what the job remembers between runs.

The node that holds it says so again while it works; when it has not for some time, another one may begin. A node that was only slow
finds its state changed by another: then nothing that it writes counts.
"""

import os
import socket
import time
import uuid
from collections.abc import Mapping
from typing import Any

from pipelines.stores.analysis_tables import ANALYSIS_JOBS
from pipelines.stores.base import Condition, Store

_SECONDS = 60.0
_NOBODY = ""


class LeaseLostError(Exception):
    """Another node does the job now."""


class Lease:
    """The right to do one job.

    Args:
        seconds: how long it lasts without `renew`; clocks of nodes may differ by much less.
    """

    def __init__(self, store: Store, name: str, seconds: float = _SECONDS) -> None:
        self._store, self.name, self._seconds = store, name, seconds
        self._me = f"{socket.gethostname()} {os.getpid()} {uuid.uuid4().hex[:8]}"
        self._version = ""
        self._until = 0.0

    def gain(self) -> bool:
        """Whether the job is ours now; it is not while another node holds it."""
        row = self._store.get(ANALYSIS_JOBS, self.name)
        if row is None:
            self._store.upsert(ANALYSIS_JOBS, [{"name": self.name}]).result()
            row = {"holder": None, "until": None, "version": None}
        if row["holder"] and row["holder"] != self._me and (row["until"] or 0.0) > time.time():
            return False
        return self._take([Condition("holder", "=", row["holder"]), Condition("until", "=", row["until"])])

    def is_held(self, margin: float = 0.0) -> bool:
        """Whether nobody else can gain it within `margin` seconds: it was renewed lately enough."""
        return time.time() < self._until - margin

    def renew(self) -> None:
        """Keep it for the next time; LeaseLostError if another node has it."""
        if time.time() < self._until - self._seconds / 2:
            return
        if not self._take([Condition("holder", "=", self._me)]):
            raise LeaseLostError(f"another node does the job {self.name!r} now")

    def release(self) -> None:
        """Let another node begin at once."""
        mine = [Condition("name", "=", self.name), Condition("holder", "=", self._me)]
        self._store.change(ANALYSIS_JOBS, mine, {"holder": _NOBODY, "until": 0.0}).result()
        self._until = 0.0

    def holder(self) -> str:
        """Host and process that hold it, or held it last; "" if nobody did."""
        row = self._store.get(ANALYSIS_JOBS, self.name) or {}
        return str(row.get("holder") or "")

    def state(self) -> dict[str, Any]:
        """What the job remembers; later `save`s replace this one."""
        row = self._store.get(ANALYSIS_JOBS, self.name) or {}
        self._version = row.get("version") or ""
        return dict(row.get("state") or {})

    def save(self, state: Mapping[str, Any]) -> None:
        """Replace what was read by `state` or saved last, in one step; LeaseLostError if another node has saved."""
        version = uuid.uuid4().hex
        known = Condition("version", "=", self._version or None)
        where = [Condition("name", "=", self.name), Condition("holder", "=", self._me), known]
        self._store.change(ANALYSIS_JOBS, where, {"version": version, "state": dict(state)}).result()
        row = self._store.get(ANALYSIS_JOBS, self.name) or {}
        if row.get("version") != version:
            raise LeaseLostError(f"another node has done the job {self.name!r} meanwhile")
        self._version = version

    def _take(self, where: list[Condition]) -> bool:
        until = time.time() + self._seconds
        where = [Condition("name", "=", self.name), *where]
        self._store.change(ANALYSIS_JOBS, where, {"holder": self._me, "until": until}).result()
        row = self._store.get(ANALYSIS_JOBS, self.name) or {}
        is_mine = bool(row.get("holder") == self._me)
        self._until = until if is_mine else 0.0
        return is_mine

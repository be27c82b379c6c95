"""A lease on one job: one process at a time holds it, and the job keeps its state between runs.

The holder renews the lease while it works; when it expires, another node may take it. A node that was only slow then finds the state
changed by the new holder, and its own writes are rejected.
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
_MAX_SECONDS = 600.0
_NO_HOLDER = ""


class LeaseLostError(Exception):
    """Another node holds the lease."""


class Lease:
    """A lease on one job.

    Args:
        seconds: how long it lasts without `renew`; clocks of nodes may differ by much less.
    """

    def __init__(self, store: Store, name: str, seconds: float = _SECONDS) -> None:
        self._store, self.name, self._seconds = store, name, seconds
        self._me = f"{socket.gethostname()} {os.getpid()} {uuid.uuid4().hex[:8]}"
        self._version = ""
        self._until = 0.0

    def gain(self) -> bool:
        """Try to take the lease; False while another node holds it. One that lasts much longer than any was taken before the
        clock was set back, and has ended."""
        row = self._store.get(ANALYSIS_JOBS, self.name)
        if row is None:
            self._store.upsert(ANALYSIS_JOBS, [{"name": self.name}]).result()
            row = {"holder": None, "until": None, "version": None}
        if row["holder"] and row["holder"] != self._me and 0.0 < (row["until"] or 0.0) - time.time() <= _MAX_SECONDS:
            return False
        return self._take([Condition("holder", "=", row["holder"]), Condition("until", "=", row["until"])])

    def is_held(self, margin: float = 0.0) -> bool:
        """Whether the lease lasts at least `margin` seconds more, so that no other process can take it until then."""
        return time.time() < self._until - margin

    def renew(self) -> None:
        """Extend the lease; LeaseLostError if another node has it."""
        left = self._until - time.time()
        if self._seconds / 2 < left <= self._seconds:  # more is left after the clock was set back
            return
        if not self._take([Condition("holder", "=", self._me)]):
            raise LeaseLostError(f"another node holds the lease of the job {self.name!r}")

    def release(self) -> None:
        """Give the lease up, so that another node can take it at once."""
        mine = [Condition("name", "=", self.name), Condition("holder", "=", self._me)]
        self._store.change(ANALYSIS_JOBS, mine, {"holder": _NO_HOLDER, "until": 0.0}).result()
        self._until = 0.0

    def holder(self) -> str:
        """Host and process of the present or last holder; "" if there was none."""
        row = self._store.get(ANALYSIS_JOBS, self.name) or {}
        return str(row.get("holder") or "")

    def state(self) -> dict[str, Any]:
        """The state of the job; `save` replaces it."""
        row = self._store.get(ANALYSIS_JOBS, self.name) or {}
        self._version = row.get("version") or ""
        return dict(row.get("state") or {})

    def save(self, state: Mapping[str, Any]) -> None:
        """Replace the state that was read or saved last, atomically; LeaseLostError if another node has saved."""
        version = uuid.uuid4().hex
        known = Condition("version", "=", self._version or None)
        where = [Condition("name", "=", self.name), Condition("holder", "=", self._me), known]
        self._store.change(ANALYSIS_JOBS, where, {"version": version, "state": dict(state)}).result()
        row = self._store.get(ANALYSIS_JOBS, self.name) or {}
        if row.get("version") != version:
            raise LeaseLostError(f"another node has taken over the job {self.name!r}")
        self._version = version

    def _take(self, where: list[Condition]) -> bool:
        until = time.time() + self._seconds
        where = [Condition("name", "=", self.name), *where]
        self._store.change(ANALYSIS_JOBS, where, {"holder": self._me, "until": until}).result()
        row = self._store.get(ANALYSIS_JOBS, self.name) or {}
        is_mine = bool(row.get("holder") == self._me)
        self._until = until if is_mine else 0.0
        return is_mine

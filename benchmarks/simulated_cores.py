"""Slow cores, made of shares of real ones: each process has at most one of them, and all together have no more than there are.

Needs root and the `cpu` controller of cgroups, version 1. Beside other programs the shares come first, up to their limit.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup/cpu")
_PERIOD = 20_000
"""Microseconds in which a share is used up at most once."""
_FIRST = 1 << 18
"""The weight of the group against other programs; theirs is 1024."""


class SimulatedCores:
    """The given number of cores with a share of a real one each, for processes that are added."""

    def __init__(self, folder: Path, share: float) -> None:
        self._folder, self._share = folder, share
        self._groups: dict[int, Path] = {}

    def add(self, pid: int) -> None:
        """Give a process, with the threads it has and will have, a core at most; nothing if it has one already."""
        if pid not in self._groups:
            self._groups[pid] = group = _made(self._folder / str(pid), self._share)
            (group / "cgroup.procs").write_text(str(pid))

    def throttled(self, pid: int) -> float:
        """Share of the periods in which the process wanted more than its core."""
        return _throttled(self._groups[pid])

    def all_throttled(self) -> float:
        """Share of the periods in which all of them wanted more than there is."""
        return _throttled(self._folder)

    def remove(self) -> None:
        for group in (*self._groups.values(), self._folder):
            group.rmdir()


@contextmanager
def simulated_cores(number: int, share: float) -> Iterator[SimulatedCores]:
    """They are gone afterwards; the processes must have ended by then."""
    if not (_ROOT / "cpu.cfs_quota_us").parent.is_dir() or os.geteuid() != 0:
        raise SystemExit(f"cores are simulated by cgroups, version 1: that needs root and {_ROOT}")
    cores = SimulatedCores(_made(_ROOT / f"topicrawl-{os.getpid()}", number * share), share)
    try:
        yield cores
    finally:
        cores.remove()


@contextmanager
def first_served(pid: int) -> Iterator[None]:
    """A process of the benchmark that is not measured gets what it wants before other programs."""
    group = _made(_ROOT / f"topicrawl-served-{pid}", 0)
    (group / "cgroup.procs").write_text(str(pid))
    try:
        yield
    finally:
        (_ROOT / "cgroup.procs").write_text(str(pid))
        group.rmdir()


def _made(folder: Path, share: float) -> Path:
    folder.mkdir()
    (folder / "cpu.shares").write_text(str(_FIRST))
    if share:
        (folder / "cpu.cfs_period_us").write_text(str(_PERIOD))
        (folder / "cpu.cfs_quota_us").write_text(str(int(_PERIOD * share)))
    return folder


def _throttled(group: Path) -> float:
    stat = dict(line.split() for line in (group / "cpu.stat").read_text().splitlines())
    return int(stat["nr_throttled"]) / max(1, int(stat["nr_periods"]))

"""Whether a crawl has work for more cores: its process is busy all the time, and other cores of the machine are not."""

import os
import time
from collections import deque
from math import ceil
from pathlib import Path

SAMPLE_SECONDS = 2.0
"""Between two looks."""
_BUSY_SAMPLES = 5
"""For so many of them, one after the other, the process must be busy."""
_MIN_BUSY_SHARE = 0.8
"""Share of a core from which a process is busy: the rest are the moments in which its loop turns to the network."""
_MAX_PROCESSES = 4
"""Processes that read pages, beyond which the crawl's own is what limits it."""
_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def usable_cores() -> int:
    """Those that this process may use; in a container as many as its quota makes."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = _QUOTA.read_text().split()
        return min(cores, max(1, ceil(int(quota) / int(period))))
    except (OSError, ValueError):  # there is no quota
        return cores


class WorkerDemand:
    """Asked every LOOK_SECONDS from the beginning of a crawl.

    A crawl that waits for its sites uses little of its core. One on a machine on which all cores have other work gets less than
    a whole core, and more processes would only take from the others.
    """

    def __init__(self, cores: int) -> None:
        self._cores = cores
        self._shares = deque[float](maxlen=_BUSY_SAMPLES)
        self._before = time.process_time(), time.monotonic()

    def workers(self) -> int:
        """How many processes should read pages from now on; 0: none as yet."""
        cpu, when = time.process_time(), time.monotonic()
        self._shares.append((cpu - self._before[0]) / max(when - self._before[1], 0.001))
        self._before = cpu, when
        is_busy = len(self._shares) == _BUSY_SAMPLES and min(self._shares) >= _MIN_BUSY_SHARE
        return min(self._cores, _MAX_PROCESSES) if is_busy and os.getloadavg()[0] < self._cores else 0

"""Decides whether a crawl needs worker processes: its own process is saturated, and other cores of the machine are idle."""

import os
import time
from collections import deque
from math import ceil
from pathlib import Path

SAMPLE_SECONDS = 2.0
"""Between two samples."""
_BUSY_SAMPLES = 5
"""Consecutive busy samples that start workers."""
_MIN_BUSY_SHARE = 0.8
"""Share of a core that counts as busy; the rest is time in which the loop polls the network."""
_MAX_PROCESSES = 4
"""With more worker processes the crawl's own process is the bottleneck."""
_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def usable_cores() -> int:
    """The number of cores available to this process, within the quota of its container."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = _QUOTA.read_text().split()
        return min(cores, max(1, ceil(int(quota) / int(period))))
    except (OSError, ValueError):  # there is no quota
        return cores


class WorkerDemand:
    """Sampled every SAMPLE_SECONDS from the start of a crawl.

    A crawl that waits for its sites uses little of its core. On a machine with other load it gets less than a core, and more
    processes would only compete.
    """

    def __init__(self, cores: int) -> None:
        self._cores = cores
        self._shares = deque[float](maxlen=_BUSY_SAMPLES)
        self._before = time.process_time(), time.monotonic()

    def workers(self) -> int:
        """The number of worker processes to start; 0: none yet."""
        cpu, when = time.process_time(), time.monotonic()
        self._shares.append((cpu - self._before[0]) / max(when - self._before[1], 0.001))
        self._before = cpu, when
        is_busy = len(self._shares) == _BUSY_SAMPLES and min(self._shares) >= _MIN_BUSY_SHARE
        return min(self._cores, _MAX_PROCESSES) if is_busy and os.getloadavg()[0] < self._cores else 0

"""Processes that read pages are started for a crawl that is busy while other cores are free, and for no other."""

import os
import time
from collections.abc import Sequence

import pytest

from crawler.parse_workers.autoscale import SAMPLE_SECONDS, WorkerDemand, usable_cores


@pytest.mark.parametrize(
    ("shares", "load", "cores", "expected"),
    [
        ([0.9] * 5, 1.2, 2, [0, 0, 0, 0, 2]),
        ([0.9] * 5, 1.2, 16, [0, 0, 0, 0, 4]),
        ([0.9, 0.9, 0.9, 0.9, 0.3, 0.9, 0.9, 0.9, 0.9, 0.9], 0.5, 2, [0] * 9 + [2]),  # the start is no demand
        ([0.3] * 10, 0.2, 2, [0] * 10),  # it waits for its sites
        ([0.9] * 10, 2.5, 2, [0] * 10),  # others have work for all cores
        ([0.9] * 10, 1.0, 1, [0] * 10),  # there is one core
    ],
)
def test_a_busy_crawl_gets_workers(
    shares: Sequence[float], load: float, cores: int, expected: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    cpu, now = 10.0, 500.0
    monkeypatch.setattr(time, "process_time", lambda: cpu)
    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    demand, found = WorkerDemand(cores), []
    for share in shares:
        cpu, now = cpu + share * SAMPLE_SECONDS, now + SAMPLE_SECONDS
        found.append(demand.workers())
    assert found == expected


def test_there_is_a_core_that_can_be_used() -> None:
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)

"""Titles whose search nodes divide among them: CPU of the busiest of one, two and four nodes for a title that comes in.

The nodes are in one process, each with an index of the made titles of `benchmarks.title_growth` and with the messages of one log;
what each of them does is timed by itself (CPU of the process). So a node has a core of its own, and the busiest one is what the
others wait for. Titles come in groups as pages do; each node prepares its share of them. All of a title's work counts: reading it,
messages as bytes and back, the search, the decision, and storing it. The client of Redis does not count, here or for one node,
nor does the first group: it makes all columns of a loaded index grow.
"""

import gc
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from benchmarks.title_growth import made_segments, made_titles, real_titles
from extractors.titles.answers import SHARES
from extractors.topic.words import Segmenter
from pipelines.titles.divided_replica import DividedReplica
from pipelines.titles.log import Entry, Snapshot
from pipelines.titles.messages import Message, fields_of, message_of
from pipelines.titles.replica import Replica
from pipelines.titles.stories import Decision

_T = TypeVar("_T")
_ASKED, _GROUP = 4_096, 512


def title_nodes(data: Path, size: int, nodes: Sequence[int] = (1, 2, 4)) -> None:
    """Prints a row for one node that divides nothing, and one for each number of nodes that divide so many titles."""
    names, real = real_titles(data)
    kept = Snapshot("1-0", tuple(made_segments(names, real, size)))
    made = made_titles(real, _ASKED + _GROUP, np.random.default_rng(7))
    entries = [
        Entry(f"{number:020x}", "".join(names[term] for term in title), "a.example", "", 20_000)
        for number, title in enumerate(made)
    ]
    one, wanted = _alone(kept, entries)
    print(f"{size:,} titles; one node that holds all: {one:.0f} µs of CPU a title")
    print(f"{'nodes':>6} {'µs busiest':>11} {'× one node':>11} {'decisions that differ':>22}")
    for count in nodes:
        busiest, told = _together(kept, entries, count)
        differ = sum(one != other for one, other in zip(wanted, told, strict=True))
        print(f"{count:>6} {busiest:>11.0f} {one / busiest:>11.2f} {differ:>22}", flush=True)


def _alone(kept: Snapshot, entries: list[Entry]) -> tuple[float, list[Decision]]:
    replica = Replica(segmenter=Segmenter())
    replica.start_from(kept)
    gc.freeze()
    told = [replica.apply(f"{number}-1", entry) for number, entry in enumerate(entries[:_GROUP], 2)]
    len(replica.index.store)  # as below
    begun = time.process_time()
    told += [replica.apply(f"{number}-1", entry) for number, entry in enumerate(entries[_GROUP:], 2 + _GROUP)]
    return (time.process_time() - begun) / _ASKED * 1e6, told


def _together(kept: Snapshot, entries: list[Entry], count: int) -> tuple[float, list[Decision]]:
    nodes = [_Node(kept, range(number, SHARES, count)) for number in range(count)]
    gc.freeze()
    log = list[dict[bytes, bytes]]()
    for start in range(0, len(entries), _GROUP):
        if start == _GROUP:
            for node in nodes:
                len(node.replica.index.store)  # puts the first group into the columns
                node.spent = 0.0
        for number, entry in enumerate(entries[start : start + _GROUP]):
            log.append(nodes[number % count].write(entry))
        while sum(node.read(log) for node in nodes):
            log += [said for node in nodes if (said := node.says()) is not None]
    return max(node.spent for node in nodes) / _ASKED * 1e6, nodes[0].told


class _Node:
    """A replica, the CPU that it has spent, and how far it has read."""

    def __init__(self, kept: Snapshot, shares: Sequence[int]) -> None:
        self.replica = DividedReplica(segmenter=Segmenter())
        self.replica.start_from(kept)
        self.replica.own = frozenset(shares)
        self.spent, self._read, self.told = 0.0, 0, list[Decision]()

    def _timed(self, call: Callable[[], _T]) -> _T:
        begun = time.process_time()
        found = call()
        self.spent += time.process_time() - begun
        return found

    def write(self, entry: Entry) -> dict[bytes, bytes]:
        return self._timed(lambda: _encoded(self.replica.prepared(entry)))

    def read(self, log: list[dict[bytes, bytes]]) -> bool:
        """Take what is new; whether there was anything, or is anything to say."""
        found, self._read = log[self._read :], len(log)
        self._timed(lambda: self._take(found))
        return bool(found)

    def _take(self, found: list[dict[bytes, bytes]]) -> None:
        start = self._read - len(found) + 2
        for number, fields in enumerate(found, start):
            self.told += self.replica.take(f"{number}-1", message_of(fields)).values()

    def says(self) -> dict[bytes, bytes] | None:
        return self._timed(self._said)

    def _said(self) -> dict[bytes, bytes] | None:
        said = self.replica.next_message()
        return None if said is None else _encoded(said)


def _encoded(message: Message) -> dict[bytes, bytes]:
    return {name.encode(): data for name, data in fields_of(message).items()}

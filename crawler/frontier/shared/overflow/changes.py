"""Chooses the requests that move between a host's head and blocks: the worst of a long head are packed, and the best block is
unpacked before the head is used up.

`work.lua` assigns the jobs and applies the changes, each atomically.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from crawler.frontier.shared.overflow.request_blocks import (
    MAX_BYTES,
    MAX_REQUESTS,
    Row,
    member_of,
    pack_rows,
    row_of,
    unpack_rows,
)
from crawler.priorities import BAND

_MIN_REQUESTS = 32
"""A smaller group shares a block with requests of the next band."""
_UNPACKS = 5
"""A large block from which the head takes little is split, with this many such portions in its first part."""
_ORDER_BYTES, _NAME_BYTES = 6, 8


@dataclass(frozen=True, slots=True)
class Block:
    """Packed requests of one host.

    Attributes:
        band: the highest band of its requests.
        ref: its entry in the queue: position in the band, name, size, marks of requests that may be promoted.
    """

    band: int
    ref: bytes
    packed: bytes


@dataclass(frozen=True, slots=True)
class BlockChange:
    """Moves of some requests of one host; see `work.lua`."""

    host: bytes
    stamps: Sequence[bytes] = ()
    entries: Sequence[tuple[int, bytes, bool]] = ()
    go: Sequence[bytes] = ()
    come: Sequence[Block] = ()
    promotion: bytes = b""

    def as_plain(self) -> list[Any]:
        """The arguments of the script."""
        come = [(block.band, block.ref, block.packed) for block in self.come]
        return [self.host, self.stamps, self.entries, self.go, come, self.promotion or False]


_Packed = tuple[int, bytes, bytes]
"""Band, reference, and the block."""


def change_for(job: Sequence[Any]) -> BlockChange:
    """The change for a job. Raises BlockError for an unreadable block."""
    kind, host, *more = job
    return _CHANGES[kind](host, *more)


def _unpack(host: bytes, most: int, next_band: int, block: _Packed) -> BlockChange:
    """Move the best requests of the best block to the head: those before the next block, and some more."""
    _, ref, packed = block
    rows = sorted(unpack_rows(packed), key=best_first)
    count = min(most, max(_MIN_REQUESTS, sum(_band(row) >= next_band for row in rows)))
    if len(rows) < count + min(_MIN_REQUESTS, most // 2):
        count = len(rows)
    entries = [_entry(row, row.priority, host) for row in rows[:count]]
    return BlockChange(host, entries=entries, go=[ref], come=list(_rest(rows[count:], count, ref[:_ORDER_BYTES])))


def _rest(rows: list[Row], count: int, order: bytes) -> Iterator[Block]:
    """The blocks for the rest of a block of which `count` went to the head; a large rest is split, so that the last part is
    not repacked each time."""
    if len(rows) >= 2 * _UNPACKS * count:
        yield _block(rows[: _UNPACKS * count], order)
        rows, order = rows[_UNPACKS * count :], (int.from_bytes(order, "big") + 1).to_bytes(_ORDER_BYTES, "big")
    if rows:
        yield _block(rows, order)


def _promote(host: bytes, promotion: bytes, key: bytes, priority: int, blocks: Sequence[_Packed]) -> BlockChange:
    """Move one request to the head with its new priority, if it is in one of these blocks."""
    for _, ref, packed in blocks:
        rows = unpack_rows(packed)
        found = next((row for row in rows if row.mark == key[:2] and row.own_key == key), None)
        if found is None:
            continue
        if found.priority >= priority:
            break
        rows.remove(found)
        rest = [_block(rows, ref[:_ORDER_BYTES])] if rows else []
        return BlockChange(host, entries=[_entry(found, priority, host)], go=[ref], come=rest, promotion=promotion)
    return BlockChange(host, promotion=promotion)


def _pack(host: bytes, members: Sequence[tuple[bytes, bytes, int]], blocks: Sequence[_Packed]) -> BlockChange:
    """Move requests from the head to blocks of their bands with free space, or to new ones."""
    stamps = [member[:7] + score for member, score, _ in members]
    rows = [
        row_of(member, -int(float(score)), host.decode(), movable=bool(movable)) for member, score, movable in members
    ]
    come: list[Block] = []
    for group, joined in _joined(list(_groups(rows)), blocks):
        every = group + [row for _, _, packed in joined for row in unpack_rows(packed)]
        every.sort(key=best_first)
        order = min((ref[:_ORDER_BYTES] for _, ref, _ in joined), default=b"")
        portions = list(_portions(every))
        come += [_block(portion, b"" if place else order) for place, portion in enumerate(portions)]
    return BlockChange(host, stamps, go=[ref for _, ref, _ in blocks], come=come)


_CHANGES: Mapping[bytes, Callable[..., BlockChange]] = {b"unpack": _unpack, b"promote": _promote, b"pack": _pack}


def _portions(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The rows split into parts that each fit into a block."""
    portion: list[Row] = []
    size = 0
    for row in rows:
        length = len(row.url) + len(row.other) + len(row.payload)
        if portion and (len(portion) == MAX_REQUESTS or size + length > MAX_BYTES):
            yield portion
            portion, size = [], 0
        portion.append(row)
        size += length
    if portion:
        yield portion


def _groups(rows: list[Row]) -> Iterator[list[Row]]:
    """The rows of each band, joined with small lower bands; best first."""
    some: list[Row] = []
    for _, found in groupby(sorted(rows, key=best_first), key=_band):
        some += found
        if len(some) >= _MIN_REQUESTS:
            yield some
            some = []
    if some:
        yield some


def _joined(groups: Sequence[list[Row]], blocks: Sequence[_Packed]) -> Iterator[tuple[list[Row], list[_Packed]]]:
    """Each group with the blocks of its bands, down to the band of the next group; the last one with all remaining blocks."""
    ends = [*(_band(group[0]) for group in groups[1:]), float("-inf")]
    begin = float("inf")
    for group, end in zip(groups, ends, strict=True):
        yield group, [block for block in blocks if end < block[0] <= begin]
        begin = end


def _band(row: Row) -> int:
    return row.priority // BAND


def best_first(row: Row) -> tuple[int, int]:
    return -row.priority, row.number


def _entry(row: Row, priority: int, host: bytes) -> tuple[int, bytes, bool]:
    return priority, member_of(row, host.decode()), bool(row.mark)


def _block(rows: Sequence[Row], order: bytes) -> Block:
    """A new block, at position `order` in its band, or after blocks with earlier requests."""
    order = order or min(row.number for row in rows).to_bytes(_ORDER_BYTES, "big")
    marks = b"".join(row.mark for row in rows)
    ref = order + os.urandom(_NAME_BYTES) + len(rows).to_bytes(2, "big") + marks
    return Block(max(map(_band, rows)), ref, pack_rows(rows))

"""The columns of a block of queued requests as few bytes, and back.

Numbers and texts are compressed apart, since each then has a code of its own for what is frequent in it: a tenth less. Of the numbers of a
column all lowest bytes come first, then all second ones, and so on: the higher ones are mostly alike.
"""

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgpack
import zstandard

from pipelines.zstd import Zstd

_FORMAT = b"\x02"
"""The first byte of a block, which a change of the layout changes."""
_MAX_UNPACKED, _MAX_NUMBERS = 64_000_000, 1_000_000
_LENGTH_BYTES, _NUMBER_BYTES = 4, 8
_zstd = Zstd(9, checksum=True)


class BlockColumns(NamedTuple):
    """Of rows in the order of their numbers; `blocks.Row` says what they are.

    Attributes:
        steps: from each row's number to the next one's, from 0 to the first.
        marks, keys, payloads: of those rows that have one.
        urls: separated by line ends.
        kinds: different values of `other`.
        others: each row's place in `kinds`.
    """

    steps: Sequence[int]
    attempts: bytes
    priorities: Sequence[int]
    have_marks: bytes
    marks: bytes
    ways: bytes
    keys: bytes
    urls: str
    kinds: Sequence[bytes]
    others: Sequence[int]
    payloads: Sequence[bytes]


def pack_columns(columns: BlockColumns) -> bytes:
    """At least one row."""
    least = min(columns.priorities)
    above = _planes([priority - least for priority in columns.priorities])
    c = columns
    numbers = [_planes(c.steps), c.attempts, least, above, c.have_marks, c.marks, c.ways, c.keys, _planes(c.others)]
    first, second = (_zstd.compress(msgpack.packb(part)) for part in (numbers, [c.urls, c.kinds, c.payloads]))
    return _FORMAT + len(first).to_bytes(_LENGTH_BYTES, "big") + first + second


def unpack_columns(packed: bytes) -> BlockColumns:
    """What `pack_columns` was given; ValueError, TypeError, LookupError, struct.error or one of msgpack or zstandard for other
    bytes, which cannot make this use much memory."""
    if packed[:1] != _FORMAT:
        raise ValueError("not the layout of this version")
    end = 1 + _LENGTH_BYTES + int.from_bytes(packed[1 : 1 + _LENGTH_BYTES], "big")
    numbers = _plain(packed[1 + _LENGTH_BYTES : end], _MAX_NUMBERS)
    steps, attempts, least, above, have_marks, marks, ways, keys, others = numbers
    urls, kinds, payloads = _plain(packed[end:])
    priorities = [least + more for more in _numbers(above)]
    flags = attempts, priorities, have_marks, marks, ways, keys
    return BlockColumns(_numbers(steps), *flags, urls, kinds, _numbers(others), payloads)


def _plain(frame: bytes, most: int = _MAX_UNPACKED) -> Any:
    if not 0 <= zstandard.frame_content_size(frame) <= most:
        raise ValueError("too large")
    return msgpack.unpackb(_zstd.decompress(frame))


def _planes(numbers: Sequence[int]) -> list[bytes]:
    """From numbers of 0 or more: their lowest bytes, their second ones, up to the last that are not all 0."""
    whole = struct.pack(f"<{len(numbers)}Q", *numbers)
    return [whole[place::_NUMBER_BYTES] for place in range((max(numbers).bit_length() + 7) // 8)] or [
        bytes(len(numbers))
    ]


def _numbers(planes: Sequence[bytes]) -> Sequence[int]:
    """What `_planes` was given."""
    whole = bytearray(_NUMBER_BYTES * len(planes[0]))
    for place, plane in enumerate(planes):
        whole[place::_NUMBER_BYTES] = plane
    return struct.unpack(f"<{len(planes[0])}Q", whole)

"""Compresses the columns of a block of queued requests.

Numbers and texts are compressed separately, so that each gets its own entropy code. The bytes of a column of numbers are
grouped by significance, as the higher ones are mostly equal.
"""

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgpack
import zstandard

from pipelines.zstd import Zstd

_FORMAT = b"\x02"
"""The first byte of a block; change it with the layout."""
_MAX_UNPACKED, _MAX_NUMBERS = 64_000_000, 1_000_000
_LENGTH_BYTES, _NUMBER_BYTES = 4, 8
_zstd = Zstd(9, checksum=True)


class BlockColumns(NamedTuple):
    """Columns of rows in the order of their numbers; see `blocks.Row`.

    Attributes:
        steps: differences between successive numbers, starting from 0.
        marks, keys, payloads: only of rows that have one.
        urls: separated by newlines.
        kinds: distinct values of `other`.
        others: each row's index in `kinds`.
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
    """The packed columns of at least one row."""
    least = min(columns.priorities)
    above = _planes([priority - least for priority in columns.priorities])
    c = columns
    numbers = [_planes(c.steps), c.attempts, least, above, c.have_marks, c.marks, c.ways, c.keys, _planes(c.others)]
    first, second = (_zstd.compress(msgpack.packb(part)) for part in (numbers, [c.urls, c.kinds, c.payloads]))
    return _FORMAT + len(first).to_bytes(_LENGTH_BYTES, "big") + first + second


def unpack_columns(packed: bytes) -> BlockColumns:
    """The inverse of `pack_columns`. Raises ValueError, TypeError, LookupError, struct.error or an error of msgpack or
    zstandard for other bytes; memory is bounded for any bytes."""
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
    """The bytes of non-negative numbers by significance, lowest first, up to the last that are not all 0."""
    whole = struct.pack(f"<{len(numbers)}Q", *numbers)
    return [whole[place::_NUMBER_BYTES] for place in range((max(numbers).bit_length() + 7) // 8)] or [
        bytes(len(numbers))
    ]


def _numbers(planes: Sequence[bytes]) -> Sequence[int]:
    """The inverse of `_planes`."""
    whole = bytearray(_NUMBER_BYTES * len(planes[0]))
    for place, plane in enumerate(planes):
        whole[place::_NUMBER_BYTES] = plane
    return struct.unpack(f"<{len(planes[0])}Q", whole)

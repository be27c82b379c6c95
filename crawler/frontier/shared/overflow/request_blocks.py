"""A block: many queued requests of one host in few bytes.

The requests are stored by columns and compressed together: addresses of one host are similar, and the other values (callback,
referrer, depth) mostly repeat those of the previous request. A key that follows from its address is omitted. Rows can move
from block to block without being deserialised.
"""

import hashlib
import json
import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import msgpack
import zstandard
from w3lib.url import canonicalize_url

from crawler.frontier.base import FrontierError
from crawler.frontier.requests import pack, unpack
from crawler.frontier.shared.overflow.block_columns import BlockColumns, pack_columns, unpack_columns

MAX_REQUESTS, MAX_BYTES = 512, 4_000_000
"""Limits of a block, which may also hold a single larger request."""
_MARK_BYTES, _KEY_BYTES = 2, 8
_STORED = 255


class BlockError(FrontierError):
    """Bytes that are not from `pack_rows`."""


class Row(NamedTuple):
    """A queued request.

    Attributes:
        number: the order among requests of one priority.
        attempts: number made so far.
        mark: the first two bytes of the key of a request that may be promoted, else empty.
        key: 8 bytes; or one byte, the number of the function that derives it from the address.
        url, other: the address, and all other values except the priority; both empty for a request with a payload.
        payload: the request as bytes, if it cannot be rebuilt from its parts.
    """

    number: int
    attempts: int
    priority: int
    mark: bytes
    key: bytes
    url: str
    other: bytes
    payload: bytes

    @property
    def own_key(self) -> bytes:
        """The key, 8 bytes."""
        return self.key if len(self.key) == _KEY_BYTES else _WAYS[self.key[0]](self.url)


def row_of(member: bytes, priority: int, host: str, *, movable: bool) -> Row:
    """The row of a member of the host's queue: number (6 bytes), attempts (1), key (8), payload."""
    number, attempts, key, payload = int.from_bytes(member[:6], "big"), member[6], member[7:15], member[15:]
    mark = key[:_MARK_BYTES] if movable else b""
    try:
        values = unpack(payload, host)
        url = values.pop("url")
        if url and "\n" not in url:
            if values.get("priority", 0) == priority:
                values.pop("priority", None)
            else:
                values.setdefault("priority", 0)
            return Row(number, attempts, priority, mark, _shortened(key, url), url, msgpack.packb(values), b"")
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    return Row(number, attempts, priority, mark, key, "", b"", payload)


def member_of(row: Row, host: str) -> bytes:
    """The inverse of `row_of`."""
    return row.number.to_bytes(6, "big") + bytes([row.attempts]) + row.own_key + payload_of(row, host)


def payload_of(row: Row, host: str) -> bytes:
    """The request as bytes."""
    if not row.url:
        return row.payload
    values = {"url": row.url, **msgpack.unpackb(row.other, strict_map_key=False)}
    if row.priority and "priority" not in values:
        values["priority"] = row.priority
    return pack(values, host)


def pack_rows(rows: Sequence[Row]) -> bytes:
    """A block of at most `MAX_REQUESTS` rows, in any order; they are unpacked in the order of their numbers."""
    ordered = sorted(rows, key=lambda row: row.number)
    kinds = {other: place for place, other in enumerate(dict.fromkeys(row.other for row in ordered))}
    columns = BlockColumns(
        steps=[after - before for before, after in pairwise([0, *(row.number for row in ordered)])],
        attempts=bytes(row.attempts for row in ordered),
        priorities=[row.priority for row in ordered],
        have_marks=bytes(bool(row.mark) for row in ordered),
        marks=b"".join(row.mark for row in ordered),
        ways=bytes(row.key[0] if len(row.key) == 1 else _STORED for row in ordered),
        keys=b"".join(row.key for row in ordered if len(row.key) == _KEY_BYTES),
        urls="\n".join(row.url for row in ordered),
        kinds=list(kinds),
        others=[kinds[row.other] for row in ordered],
        payloads=[row.payload for row in ordered if not row.url],
    )
    return pack_columns(columns)


def unpack_rows(packed: bytes) -> list[Row]:
    """The rows of a block. Raises BlockError for other bytes; memory is bounded for any bytes."""
    try:
        return list(_rows(unpack_columns(packed)))
    except _FAULTS as error:
        text = "a block of queued requests cannot be read; all nodes must be of the same version"
        raise BlockError(f"{text}: {error!r}") from error


_FAULTS = (
    zstandard.ZstdError,
    msgpack.UnpackException,
    struct.error,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    RuntimeError,  # an iterator of marks, keys or payloads that ends too early
)


def _rows(columns: BlockColumns) -> Iterator[Row]:
    if any(way >= len(_WAYS) and way != _STORED for way in columns.ways):
        raise ValueError("it names its keys in an unknown way")
    next_mark, next_key = _pieces(columns.marks, _MARK_BYTES), _pieces(columns.keys, _KEY_BYTES)
    next_payload, kinds = iter(columns.payloads), columns.kinds
    numbers, urls = accumulate(columns.steps), columns.urls.split("\n")
    flags = columns.attempts, columns.priorities, columns.have_marks, columns.ways
    for number, tried, priority, has_mark, way, url, other in zip(numbers, *flags, urls, columns.others, strict=True):
        mark, key = next(next_mark) if has_mark else b"", next(next_key) if way == _STORED else bytes([way])
        yield Row(number, tried, priority, mark, key, url, kinds[other], b"" if url else next(next_payload))


def _pieces(blob: bytes, size: int) -> Iterator[Any]:
    return (blob[place : place + size] for place in range(0, len(blob), size))


def _shortened(key: bytes, url: str) -> bytes:
    """See `Row.key`."""
    return next((bytes([way]) for way, key_of in enumerate(_WAYS) if key_of(url) == key), key)


def _plain_key(url: str) -> bytes:
    """The key of a page by Scrapy's rules for an address in canonical form, which most are; the full rules are slow."""
    text = json.dumps({"body": "", "headers": {}, "method": "GET", "url": url})
    return hashlib.sha1(text.encode(), usedforsecurity=False).digest()[:_KEY_BYTES]


def _canonical_key(url: str) -> bytes:
    return _plain_key(canonicalize_url(url))


_WAYS: tuple[Callable[[str], bytes], ...] = (_plain_key, _canonical_key)
"""Blocks refer to these by number, so only append."""

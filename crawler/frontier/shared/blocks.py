"""Many queued requests of one host in few bytes: a block of the tail of its queue.

The requests are laid out by columns, and compressed together: addresses of one host resemble each other, and what else
belongs to a request (callback, referrer, depth) is mostly that of the request before. A key that follows from its address is
left out. Rows can pass from block to block without being made requests again.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import msgpack
import zstandard
from w3lib.url import canonicalize_url

from crawler.frontier.base import FrontierError
from crawler.frontier.requests import pack, unpack
from pipelines.zstd import Zstd

MAX_REQUESTS, MAX_BYTES = 512, 4_000_000
"""Of one block, which may have one request that is larger."""
_FORMAT = b"\x01"
_MAX_UNPACKED = 64_000_000
_MARK_BYTES, _KEY_BYTES = 2, 8
_STORED = 255
_zstd = Zstd(6, checksum=True)


class BlockError(FrontierError):
    """Bytes that `pack_rows` did not make."""


class Row(NamedTuple):
    """A queued request.

    Attributes:
        number: by which requests of one priority are ordered.
        attempts: that were made.
        mark: the first two bytes of the key of a request that may be promoted, else empty.
        key: 8 bytes; or one, the number of the way in which it follows from the address.
        url, other: the address, and all else but the priority; both empty for a request that has a payload.
        payload: the request as bytes, if it cannot be put together from its parts.
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
    """From a member of the host's queue: number (6 bytes), attempts (1), key (8), payload."""
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
    """The member of the host's queue; see `row_of`."""
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
    """At most `MAX_REQUESTS` rows, in any order; they come back in the order of their numbers."""
    ordered = sorted(rows, key=lambda row: row.number)
    kinds = {other: place for place, other in enumerate(dict.fromkeys(row.other for row in ordered))}
    columns = [
        [after - before for before, after in pairwise([0, *(row.number for row in ordered)])],
        bytes(row.attempts for row in ordered),
        [row.priority for row in ordered],
        bytes(bool(row.mark) for row in ordered),
        b"".join(row.mark for row in ordered),
        bytes(row.key[0] if len(row.key) == 1 else _STORED for row in ordered),
        b"".join(row.key for row in ordered if len(row.key) == _KEY_BYTES),
        "\n".join(row.url for row in ordered),
        list(kinds),
        [kinds[row.other] for row in ordered],
        [row.payload for row in ordered if not row.url],
    ]
    return _FORMAT + _zstd.compress(msgpack.packb(columns))


def unpack_rows(packed: bytes) -> list[Row]:
    """The rows of a block; BlockError for other bytes, which cannot make this use much memory."""
    try:
        return list(_rows(packed))
    except (zstandard.ZstdError, msgpack.UnpackException, ValueError, TypeError, LookupError, StopIteration) as error:
        raise BlockError(f"a block of queued requests cannot be read: {error}") from error


def _rows(packed: bytes) -> Iterator[Row]:
    if packed[:1] != _FORMAT or not 0 <= zstandard.frame_content_size(packed[1:]) <= _MAX_UNPACKED:
        raise BlockError("a block of queued requests has an unknown format; all nodes must be of the same version")
    columns = msgpack.unpackb(_zstd.decompress(packed[1:]))
    steps, attempts, priorities, have_marks, marks, ways, keys, urls, kinds, others, payloads = columns
    if any(way >= len(_WAYS) and way != _STORED for way in ways):
        raise BlockError(
            "a block of queued requests names its keys in an unknown way; all nodes must be of the same version"
        )
    next_mark, next_key, next_payload = _pieces(marks, _MARK_BYTES), _pieces(keys, _KEY_BYTES), iter(payloads)
    each = zip(accumulate(steps), attempts, priorities, have_marks, ways, urls.split("\n"), others, strict=True)
    for number, tried, priority, has_mark, way, url, other in each:
        mark, key = next(next_mark) if has_mark else b"", next(next_key) if way == _STORED else bytes([way])
        yield Row(number, tried, priority, mark, key, url, kinds[other], b"" if url else next(next_payload))


def _pieces(blob: bytes, size: int) -> Iterator[Any]:
    return (blob[place : place + size] for place in range(0, len(blob), size))


def _shortened(key: bytes, url: str) -> bytes:
    """See `Row.key`."""
    return next((bytes([way]) for way, key_of in enumerate(_WAYS) if key_of(url) == key), key)


def _plain_key(url: str) -> bytes:
    """The key of a page by Scrapy's rules, if its address is in their canonical form: so are most, and the rules are slow."""
    text = json.dumps({"body": "", "headers": {}, "method": "GET", "url": url})
    return hashlib.sha1(text.encode(), usedforsecurity=False).digest()[:_KEY_BYTES]


def _canonical_key(url: str) -> bytes:
    return _plain_key(canonicalize_url(url))


_WAYS: tuple[Callable[[str], bytes], ...] = (_plain_key, _canonical_key)
"""Blocks refer to them by number: append further ones."""

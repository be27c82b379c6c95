"""Messages between a crawl and its worker processes: the number of bytes, then the bytes."""

import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from crawler.parse_workers.values import pack, unpack

HEAD = struct.Struct("<I")
MAX_BYTES = 1 << 28


@dataclass(frozen=True, slots=True)
class ParseTask:
    """A page to parse.

    Attributes:
        made_at: when the server created it, ISO 8601; see `Document`.
        names: of the values to compute, see `crawler.parse_workers.reads`.
        memory: of the page's host, from `SiteMemory.to_bytes`; empty: keep the boilerplate.
        rules: name and declaration of the rules of the page's site, see `site_rules`; empty for none.
    """

    url: str
    body: bytes
    content_type: str
    made_at: str
    names: tuple[str, ...]
    memory: bytes = b""
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """The values of a page.

    Attributes:
        values: packed, by name; failed ones are missing.
        mended: packed: keys of the page's lines, of its records, and the values that differ without boilerplate, packed by
            name; see `crawler.parse_workers.host_boilerplate`. Empty if not requested.
        failures: (failed step, text of the error).
    """

    values: dict[str, bytes]
    failures: tuple[tuple[str, str], ...]
    mended: bytes = b""


def dump_task(task: ParseTask) -> bytes:
    """The complete message."""
    return _message((task.url, task.body, task.content_type, task.made_at, task.names, task.memory, task.rules))


def load_task(data: bytes) -> ParseTask:
    return ParseTask(*unpack(data))


def dump_parsed(reading: ParsedPage) -> bytes:
    """The complete message."""
    return _message((reading.values, reading.failures, reading.mended))


def load_parsed(data: bytes) -> ParsedPage:
    """The values in a message. Raises ValueError or TypeError for an invalid one."""
    values, failures, mended = unpack(data)
    return ParsedPage(values, failures, mended)


def received(channel: socket.socket) -> Iterator[bytes]:
    """The received messages, until the other side closes its end."""
    with channel.makefile("rb") as stream:
        while len(head := stream.read(HEAD.size)) == HEAD.size:
            size = HEAD.unpack(head)[0]
            if len(data := stream.read(size)) < size:
                return
            yield data


def _message(values: Any) -> bytes:
    data = pack(values)
    return HEAD.pack(len(data)) + data

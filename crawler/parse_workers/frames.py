"""Messages between a crawl and the processes that read its pages: the number of bytes, then the bytes."""

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
    """A page to be read.

    Attributes:
        made_at: when the server made it, ISO 8601; see `Document`.
        names: of what is to be read, see `crawler.parse_workers.reads`.
        memory: what is known of the page's host, by `SiteMemory.to_bytes`; empty: nothing is taken out of the page.
    """

    url: str
    body: bytes
    content_type: str
    made_at: str
    names: tuple[str, ...]
    memory: bytes = b""


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """What was read of a page.

    Attributes:
        values: packed, by name; what could not be read is missing.
        mended: packed: keys of the page's lines, of its records, and the values that are others without what its host
            repeats, packed by name; see `crawler.parse_workers.boilerplate`. Empty if nobody wants that.
        failures: the step that failed, and the error's text.
    """

    values: dict[str, bytes]
    failures: tuple[tuple[str, str], ...]
    mended: bytes = b""


def dump_task(task: ParseTask) -> bytes:
    """A whole message."""
    return _message((task.url, task.body, task.content_type, task.made_at, task.names, task.memory))


def load_task(data: bytes) -> ParseTask:
    return ParseTask(*unpack(data))


def dump_parsed(reading: ParsedPage) -> bytes:
    """A whole message."""
    return _message((reading.values, reading.failures, reading.mended))


def load_parsed(data: bytes) -> ParsedPage:
    """ValueError or TypeError for what is none."""
    values, failures, mended = unpack(data)
    return ParsedPage(values, failures, mended)


def received(channel: socket.socket) -> Iterator[bytes]:
    """The messages that come, until the other side closes its end."""
    with channel.makefile("rb") as stream:
        while len(head := stream.read(HEAD.size)) == HEAD.size:
            size = HEAD.unpack(head)[0]
            if len(data := stream.read(size)) < size:
                return
            yield data


def _message(values: Any) -> bytes:
    data = pack(values)
    return HEAD.pack(len(data)) + data

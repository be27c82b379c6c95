"""What nodes that divide the search write into the log, between the titles."""

from dataclasses import dataclass

import msgpack

from pipelines.titles.log import Entry, pack, unpack


@dataclass(frozen=True, slots=True)
class Cut:
    """The titles after the place `begin`, up to the place `end`, are one batch. Of several with one beginning the first counts."""

    begin: str
    end: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What the holder of these shares says of the batch that ends there, see `extractors.titles.answers`."""

    end: str
    shares: tuple[int, ...]
    data: bytes


Message = Entry | Cut | Answered


def fields_of(message: Message) -> dict[str, bytes]:
    """As the fields of an entry of a stream."""
    if isinstance(message, Entry):
        return {"e": pack(message)}
    if isinstance(message, Cut):
        return {"c": msgpack.packb((message.begin, message.end))}
    return {"a": msgpack.packb((message.end, message.shares, message.data))}


def message_of(fields: dict[bytes, bytes]) -> Message:
    """The message with these fields; ValueError for others."""
    if b"e" in fields:
        return unpack(fields[b"e"])
    if b"c" in fields:
        return Cut(*msgpack.unpackb(fields[b"c"]))
    if b"a" in fields:
        end, shares, data = msgpack.unpackb(fields[b"a"])
        return Answered(end, tuple(shares), data)
    raise ValueError("the log of titles has a message of a later version")

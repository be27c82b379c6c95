"""The log of titles that several nodes share: a Redis Stream."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from typing import Any

import msgpack
import redis
from scrapy.settings import BaseSettings

from pipelines.redis_client import connect, may_pass
from pipelines.stores.base import StoreAwayError
from pipelines.titles.chain import Kept, Segment, Span, with_spans
from pipelines.titles.log import BATCH, Entry, LogGapError, Snapshot, pack
from pipelines.titles.messages import Message, fields_of, message_of

_APPEND = """
local function is_gone(place)
    return redis.call('HGET', KEYS[2], 'place') ~= place and #redis.call('XRANGE', KEYS[1], place, place) == 0
end
if ARGV[1] ~= '' and is_gone(ARGV[1]) then return false end
local places = {}
for at = 2, #ARGV do places[at - 1] = redis.call('XADD', KEYS[1], '*', 'e', ARGV[at]) end
return places
"""
"""In one step, so that a node that has read entries which the server then lost learns of it before it adds new ones."""

_RENAME = (
    "redis.call('HSET', KEYS[1], ARGV[1], redis.call('HGET', KEYS[1], 'data')) redis.call('HDEL', KEYS[1], 'data')"
)
"""The whole snapshot of an earlier version becomes the first segment; nodes of that version stop there."""
_TRIES = 10


@contextmanager
def _redis_errors() -> Iterator[None]:
    try:
        yield
    except redis.RedisError as error:
        if not may_pass(error):
            raise
        raise StoreAwayError(f"the log of titles is away ({error})") from error


class RedisLog:
    """For several nodes: a Redis Stream, and a hash with the segments of the snapshot.

    Each method raises StoreAwayError while the server does not answer.
    """

    start = "0-0"

    def __init__(self, client: Any, key: str = "{titles}") -> None:
        slot = key if "{" in key else f"{{{key}}}"  # one slot of a Redis Cluster for all keys
        self._client = client
        self._stream, self._kept, self._config = f"{slot}:log", f"{slot}:snapshot", f"{slot}:terms"
        self._shares = f"{slot}:shares"
        self._append = client.register_script(_APPEND)

    def check_config(self, config: str, *, replace: bool = False) -> None:
        with _redis_errors():
            self._client.set(self._config, config, nx=not replace)
            others = (self._client.get(self._config) or b"").decode()
        if others != config:
            raise ValueError(
                f"The other nodes compare titles with {others}, this node with {config}. Give all nodes the same "
                "settings, stop them, and run `scrapy titles rebuild` with these settings."
            )

    def append(self, entries: Sequence[Entry], behind: str = "") -> list[str]:
        with _redis_errors():
            places = self._append([self._stream, self._kept], [behind, *map(pack, entries)])
        if places is None:
            raise LogGapError
        return [place.decode() for place in places]

    def read(self, place: str) -> list[tuple[str, Entry]]:
        """See `TitleLog.read`; messages of nodes that divide the search are passed over."""
        while True:
            found = self.messages(place)
            entries = [(at, message) for at, message in found if isinstance(message, Entry)]
            if entries or not found:
                return entries
            place = found[-1][0]

    def messages(self, place: str) -> list[tuple[str, Message]]:
        """All that is in the log after this place; LogGapError if it was cut off after it, or the server has lost its end."""
        with _redis_errors(), self._client.pipeline(transaction=True) as pipe:
            pipe.hget(self._kept, "place")
            pipe.xrange(self._stream, min=place or "-", count=BATCH + 1)
            kept, rows = pipe.execute()
        covered = kept.decode() if kept is not None else ""
        if _order(covered) > _order(place):
            raise LogGapError
        if place and covered != place:
            if not rows or rows[0][0].decode() != place:
                raise LogGapError
            del rows[0]
        return [(number.decode(), message_of(fields)) for number, fields in rows]

    def send(self, message: Message) -> None:
        """Add a message at the end."""
        with _redis_errors():
            self._client.xadd(self._stream, dict(fields_of(message)))

    def wait(self, place: str, seconds: float) -> None:
        """Until there is something after this place, at most so long."""
        with _redis_errors():
            self._client.xread({self._stream: place or RedisLog.start}, count=1, block=int(seconds * 1_000))

    def gone(self, places: Sequence[str]) -> set[str]:
        """Those of the places that are not in the log any more."""
        with _redis_errors(), self._client.pipeline(transaction=True) as pipe:
            for place in places:
                pipe.xrange(self._stream, min=place, max=place)
            return {place for place, row in zip(places, pipe.execute(), strict=True) if not row}

    def script(self, text: str) -> Callable[[Sequence[Any]], Any]:
        """A script that is given the key of the leases of shares."""
        script = self._client.register_script(text)

        def run(arguments: Sequence[Any]) -> Any:
            with _redis_errors():
                return script([self._shares], arguments)

        return run

    def lost(self, places: Sequence[str]) -> set[str]:
        """See `TitleLog.lost`; a server that ended without a copy on disk, or was replaced by another, loses the latest."""
        with _redis_errors(), self._client.pipeline(transaction=True) as pipe:
            pipe.hget(self._kept, "place")
            for place in places:
                pipe.xrange(self._stream, min=place, max=place)
            kept, *rows = pipe.execute()
        covered = _order(kept.decode() if kept is not None else "")
        return {place for place, row in zip(places, rows, strict=True) if not row and _order(place) > covered}

    def snapshot(self) -> Snapshot | None:
        """See `TitleLog.snapshot`; read again where another node has merged segments meanwhile."""
        for _ in range(_TRIES):
            chain = self.spans()
            parts = self.parts(chain)
            if parts is not None:
                return Snapshot(chain[-1].end, tuple(parts)) if chain else None
        raise StoreAwayError("the log of titles changes faster than it is read")

    def spans(self) -> list[Span]:
        with _redis_errors(), self._client.pipeline(transaction=True) as pipe:
            pipe.hmget(self._kept, "place", "chain")
            pipe.hstrlen(self._kept, "data")
            (place, chain), size = pipe.execute()
        return _spans(place, chain, size)

    def parts(self, spans: Sequence[Span]) -> list[bytes] | None:
        with _redis_errors():
            found = [self._client.hget(self._kept, _field(span)) for span in spans]
            if found and found[0] is None and not spans[0].begin:
                found[0] = self._client.hget(self._kept, "data")  # of an earlier version
        return None if None in found else found

    def keep(self, segments: Sequence[Segment]) -> Kept:
        """See `TitleLog.keep`; in one transaction, so that a slow node never takes the place of what is later."""
        with _redis_errors():
            kept: Kept = self._client.transaction(
                lambda pipe: self._keep(pipe, segments), self._kept, value_from_callable=True
            )
        return kept

    def _keep(self, pipe: Any, segments: Sequence[Segment]) -> Kept:
        place, chain = pipe.hmget(self._kept, "place", "chain")
        known = _spans(place, chain, pipe.hstrlen(self._kept, "data"))
        said, new, old = with_spans(known, [segment.span for segment in segments], _order)
        pipe.multi()
        if said == "kept":
            if known and chain is None:
                pipe.eval(_RENAME, 1, self._kept, _field(known[0]))
            self._write(pipe, new, old, segments)
        return said

    def replace(self, segments: Sequence[Segment]) -> None:
        with _redis_errors(), self._client.pipeline(transaction=True) as pipe:
            pipe.delete(self._kept)
            self._write(pipe, [segment.span for segment in segments], [], segments)
            pipe.execute()

    def _write(self, pipe: Any, chain: Sequence[Span], old: Sequence[Span], segments: Sequence[Segment]) -> None:
        if old:
            pipe.hdel(self._kept, *map(_field, old))
        for segment in segments:
            pipe.hset(self._kept, _field(segment.span), segment.data)
        place, packed = chain[-1].end, msgpack.packb([astuple(span) for span in chain])
        pipe.hset(self._kept, mapping={"place": place, "chain": packed})
        pipe.xtrim(self._stream, minid=_next(place), approximate=False)

    def close(self) -> None:
        self._client.close()


def _field(span: Span) -> str:
    return f"{span.begin}>{span.end}"


def _spans(place: bytes | None, chain: bytes | None, size: int) -> list[Span]:
    """The chain that is stored, or one segment where an earlier version has stored a whole snapshot."""
    if chain is not None:
        return [Span(str(begin), str(end), int(size)) for begin, end, size in msgpack.unpackb(chain)]
    return [] if place is None else [Span("", place.decode() or RedisLog.start, size)]


def _order(place: str) -> tuple[int, int]:
    milliseconds, _, number = (place or "0-0").partition("-")
    return int(milliseconds), int(number or 0)


def _next(place: str) -> str:
    milliseconds, number = _order(place)
    return f"{milliseconds}-{number + 1}"


def open_stream(settings: BaseSettings) -> RedisLog:
    """The log under TITLES_KEY on the Redis that the settings name; ValueError if they make no sense."""
    return RedisLog(connect(settings), settings["TITLES_KEY"] or "{titles}")

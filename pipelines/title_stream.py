"""The log of titles that several nodes share: a Redis Stream."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import redis

from pipelines.stores.base import StoreAwayError
from pipelines.title_log import BATCH, Entry, LogGapError, Snapshot, pack, unpack


@contextmanager
def _reached() -> Iterator[None]:
    try:
        yield
    except (redis.ConnectionError, redis.TimeoutError) as error:
        raise StoreAwayError(f"the log of titles is away ({error})") from error


class RedisLog:
    """For several nodes: a Redis Stream, and the snapshot in a hash beside it.

    StoreAwayError from each method while the server does not answer.
    """

    def __init__(self, client: Any, key: str = "{titles}") -> None:
        self._client, self._stream, self._kept = client, f"{key}:log", f"{key}:snapshot"

    def append(self, entries: Sequence[Entry]) -> list[str]:
        """See `TitleLog.append`."""
        with self._client.pipeline(transaction=False) as pipe:
            for entry in entries:
                pipe.xadd(self._stream, {b"e": pack(entry)})
            return [place.decode() for place in pipe.execute()]

    def read(self, place: str) -> list[tuple[str, Entry]]:
        """See `TitleLog.read`."""
        with self._client.pipeline(transaction=True) as pipe:
            pipe.hget(self._kept, "place")
            pipe.xrange(self._stream, min=f"({place}" if place else "-", count=BATCH)
            kept, rows = pipe.execute()
        if kept is not None and _order(kept.decode()) > _order(place):
            raise LogGapError
        return [(number.decode(), unpack(fields[b"e"])) for number, fields in rows]

    def snapshot(self) -> Snapshot | None:
        """See `TitleLog.snapshot`."""
        with _reached():
            place, data = self._client.hmget(self._kept, "place", "data")
        return Snapshot(place.decode(), data) if place is not None else None

    def keep(self, snapshot: Snapshot) -> None:
        """See `TitleLog.keep`."""
        with self._client.pipeline(transaction=True) as pipe:
            pipe.hset(self._kept, mapping={"place": snapshot.place, "data": snapshot.data})
            pipe.xtrim(self._stream, minid=_next(snapshot.place), approximate=False)
            pipe.execute()

    def close(self) -> None:
        """See `TitleLog.close`."""
        self._client.close()


def _order(place: str) -> tuple[int, int]:
    milliseconds, _, number = (place or "0-0").partition("-")
    return int(milliseconds), int(number or 0)


def _next(place: str) -> str:
    milliseconds, number = _order(place)
    return f"{milliseconds}-{number + 1}"


def open_stream(url: str, parameters: dict[str, Any], key: str) -> RedisLog:
    """The log under this key of the Redis at this address."""
    return RedisLog(redis.Redis.from_url(url, **parameters), key)

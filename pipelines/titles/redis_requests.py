"""Requests of a cluster's nodes to the process that decides on titles, and its answers, through Redis.

Requests are a list, and so are the answers to each group of them; both expire. All keys have one hash tag, as a Redis Cluster needs.
Their loss is harmless: a page without an answer is stored without a verdict, and decided from the store.
"""

import logging
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import msgpack
from scrapy.settings import BaseSettings

from pipelines.lease import Lease
from pipelines.stores.base import Store
from pipelines.titles.opening import JOB, generation_of
from pipelines.titles.title_requests import TitleRequest

_MAX_REQUESTS = 4_096
"""Longest list; the oldest requests are dropped, since their nodes do not wait for them any more."""
_MAX_REQUEST_BYTES = 32_000
_EXPIRE_SECONDS = 60
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TitleQuestion:
    """A request and the key of the list for its answer."""

    request: TitleRequest
    reply: str


class TitleInbox(Protocol):
    """Requests of other nodes, for the process that decides."""

    def take(self, count: int, seconds: float, ended: threading.Event) -> list[TitleQuestion]:
        """The oldest requests, which stay in the inbox; waits for one, at most `seconds`."""

    def answer(self, waiting: Sequence[TitleQuestion], verdicts: Mapping[str, str]) -> None:
        """Send verdicts to the nodes that wait for them, and remove the requests that were taken."""


class NoInbox:
    """The inbox of a crawl on one machine, always empty."""

    def take(self, count: int, seconds: float, ended: threading.Event) -> list[TitleQuestion]:
        """See `TitleInbox`."""
        ended.wait(seconds)
        return []

    def answer(self, waiting: Sequence[TitleQuestion], verdicts: Mapping[str, str]) -> None:
        """See `TitleInbox`."""


class RedisInbox:
    """An inbox in Redis; empty while Redis is unavailable."""

    def __init__(self, client: Any, generation: str) -> None:
        self._client, self._key = client, _key(generation)
        self._is_available, self._taken = True, 0

    def take(self, count: int, seconds: float, ended: threading.Event) -> list[TitleQuestion]:
        """See `TitleInbox`."""
        from redis import RedisError

        try:
            self._client.blmove(self._key, self._key, seconds, "LEFT", "LEFT")  # waits, and changes nothing
            found = self._client.lrange(self._key, 0, count - 1)
            self._is_available = True
        except RedisError as error:
            if self._is_available:
                _logger.warning("No titles of other nodes can be decided while Redis is unavailable: %s", error)
            self._is_available, found = False, []
            ended.wait(seconds)
        self._taken = len(found)
        return [asked for data in found if (asked := _unpacked(data)) is not None]

    def answer(self, waiting: Sequence[TitleQuestion], verdicts: Mapping[str, str]) -> None:
        """See `TitleInbox`."""
        from redis import RedisError

        if not self._taken:
            return
        try:
            with self._client.pipeline(transaction=True) as pipe:
                for asked in waiting:
                    if asked.request.page in verdicts:
                        pipe.rpush(asked.reply, msgpack.packb([asked.request.page, verdicts[asked.request.page]]))
                for reply in {asked.reply for asked in waiting}:
                    pipe.expire(reply, _EXPIRE_SECONDS)
                pipe.ltrim(self._key, self._taken, -1)
                pipe.execute()
        except RedisError as error:
            _logger.warning("Verdicts on titles cannot be sent: %s", error)


class RedisAsker:
    """Sends a node's requests to the process that decides."""

    def __init__(self, client: Any, store: Store) -> None:
        self._client, self._lease, self._generation = client, Lease(store, JOB), ""

    def ask(self, requests: Sequence[TitleRequest], seconds: float) -> dict[str, str]:
        """Verdicts by page, as far as they arrive within `seconds`."""
        from redis import RedisError

        self._generation = self._generation or generation_of(self._lease)
        if not self._generation:
            return {}
        key, verdicts = _key(self._generation), dict[str, str]()
        reply = f"{key}:{uuid.uuid4().hex}"
        try:
            sent = self._send(key, reply, requests)
            self._receive(reply, sent, time.monotonic() + seconds, verdicts)
        except RedisError as error:
            _logger.debug("No verdicts on titles: %s", error)
        if len(verdicts) < len(requests):
            self._generation = ""  # the titles may have been compared again
        return verdicts

    def _send(self, key: str, reply: str, requests: Sequence[TitleRequest]) -> set[str]:
        """Returns the pages of the requests that were sent; very large requests are not."""
        packed = {each.page: msgpack.packb([reply, dict(each.facts), each.text]) for each in requests}
        packed = {page: data for page, data in packed.items() if len(data) <= _MAX_REQUEST_BYTES}
        if packed:
            with self._client.pipeline(transaction=True) as pipe:
                pipe.rpush(key, *packed.values())
                pipe.ltrim(key, -_MAX_REQUESTS, -1)
                pipe.expire(key, _EXPIRE_SECONDS)
                pipe.execute()
        return set(packed)

    def _receive(self, reply: str, pages: set[str], until: float, verdicts: dict[str, str]) -> None:
        while pages - verdicts.keys() and (left := until - time.monotonic()) > 0:
            found = self._client.blpop(reply, timeout=max(0.01, left))
            if found is not None:
                page, verdict = msgpack.unpackb(found[1])
                verdicts[page] = verdict

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


def is_cluster(settings: BaseSettings) -> bool:
    """Whether the nodes of a crawl share their frontier, and so Redis."""
    return bool(settings["FRONTIER"] == "shared")


@contextmanager
def open_inbox(settings: BaseSettings, generation: str) -> Iterator[TitleInbox]:
    """An inbox in Redis in a cluster, else an empty one."""
    if not is_cluster(settings):
        yield NoInbox()
        return
    from pipelines.redis_client import connect  # slow to import, and unused on one machine

    client = connect(settings)
    try:
        yield RedisInbox(client, generation)
    finally:
        client.close()


def open_asker(settings: BaseSettings, store: Store) -> RedisAsker | None:
    """None for a crawl on one machine: if another process decides, it finds the pages in the store."""
    if not is_cluster(settings):
        return None
    from pipelines.redis_client import connect

    return RedisAsker(connect(settings), store)


def _key(generation: str) -> str:
    return f"{{titles:{generation}}}"


def _unpacked(data: bytes) -> TitleQuestion | None:
    try:
        reply, facts, text = msgpack.unpackb(data)
    except (ValueError, TypeError, msgpack.UnpackException) as error:
        _logger.warning("A request of another version is ignored: %s", error)
        return None
    return TitleQuestion(TitleRequest(facts, text), reply)

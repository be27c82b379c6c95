"""Identities that nodes share: one hash each in Redis, by the clock of the server."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from crawler.identities.base import (
    TURN_SECONDS,
    Backoff,
    Busy,
    IdentitiesUnavailableError,
    Key,
    NewerSession,
    PlainCookie,
    Session,
    Turn,
)


class RedisIdentities:
    """See `IdentityStore`.

    Args:
        client: from `pipelines.redis_client.connect`.
        prefix: of all keys; with a hash tag, to keep them in one slot of a Redis Cluster.
    """

    def __init__(self, client: Redis, prefix: str) -> None:
        self._client, self._prefix = client, prefix
        script = (resources.files(__package__) / "turn.lua").read_text(encoding="utf-8")
        self._script = client.register_script(script)

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except RedisError as error:
            raise IdentitiesUnavailableError(
                f"Redis, which keeps the identities, does not answer: {type(error).__name__}"
            ) from None

    def _run(self, key: Key, *arguments: object) -> Any:
        with self._translated_errors():
            return self._script(keys=[self._hash(key)], args=[str(argument) for argument in arguments])

    def _hash(self, key: Key) -> str:
        return f"{self._prefix}:{json.dumps(key, ensure_ascii=False)}"

    def session(self, key: Key) -> Session:
        with self._translated_errors():
            found: Any = self._client.hgetall(self._hash(key))
        return _session({name.decode(): value.decode() for name, value in found.items()})

    def take_turn(self, key: Key, seen: int, *, at_once: bool = False) -> Turn | Busy | NewerSession | Backoff:
        answer, *values = self._run(key, "take", seen, int(TURN_SECONDS * 1000), int(at_once))
        if answer == b"newer":
            return NewerSession()
        if answer == b"busy":
            return Busy(values[0] / 1000)
        return Turn(values[0]) if answer == b"turn" else Backoff(values[0] / 1000, values[1].decode())

    def finish(self, key: Key, turn: Turn, session: Session) -> int:
        return max(0, int(self._run(key, "finish", turn.fence, 1, *_fields(session))))

    def put(self, key: Key, cookies: tuple[PlainCookie, ...]) -> int:
        return int(self._run(key, "finish", "", 1, *_fields(Session(cookies=cookies))))

    def keep(self, key: Key, generation: int, cookies: tuple[PlainCookie, ...]) -> bool:
        return int(self._run(key, "keep", generation, "cookies", json.dumps(cookies, ensure_ascii=False))) >= 0

    def fail(self, key: Key, turn: Turn, said: str, backoff: float) -> None:
        self._run(key, "fail", turn.fence, int(backoff * 1000), said)

    def release(self, key: Key, turn: Turn) -> None:
        self._run(key, "finish", turn.fence, 0)

    def close(self) -> None:
        self._client.close()


def _fields(session: Session) -> tuple[object, ...]:
    cookies = json.dumps(session.cookies, ensure_ascii=False)
    return "cookies", cookies, "check", session.check, "form_tells", int(session.form_tells)


def _session(found: dict[str, str]) -> Session:
    return Session(
        generation=int(found.get("generation", 0)),
        cookies=tuple(json.loads(found.get("cookies", "[]"))),
        check=found.get("check", ""),
        form_tells=found.get("form_tells", "1") == "1",
        since=int(found.get("since", 0)) / 1000,
        failures=int(found.get("failures", 0)),
        rests_until=int(found.get("rests_until", 0)) / 1000,
        said=found.get("said", ""),
    )

"""The seen-set of the shared frontier: exact, and as small as arrays of integers, however many there are."""

import random

import redis

from crawler.frontier.base import QueueEntry
from tests.crawler.frontier.direct import DirectFrontier

QUEUE, SEEN = "{q}:requests", "{q}:seen"


def marks(keys: list[int]) -> list[QueueEntry]:
    return [QueueEntry(key, "a", 0, b"") for key in keys]


def test_what_was_seen_stays_so_while_the_buckets_become_more(redis_url: str) -> None:
    rng = random.Random(7)
    keys = [rng.randrange(-(2**63), 2**63) for _ in range(5000)] + [-(2**63), 2**63 - 1, 0, -1]
    with redis.Redis.from_url(redis_url) as client:
        frontier = DirectFrontier(client, QUEUE, SEEN)
        frontier.begin()
        client.hset(QUEUE, "buckets", 3)
        for place in range(0, len(keys), 1000):
            frontier.push(marks(keys[place : place + 1000]))
        assert not any(frontier.push([QueueEntry(key, "a", 0, b"x") for key in keys]))
        assert all(frontier.find(key, "a") for key in keys[::500])
        buckets = int(client.hget(QUEUE, "buckets") or 0)
        names = [f"{SEEN}:{bucket}" for bucket in range(buckets)]
        assert buckets > 10
        assert sum(client.scard(name) for name in names) == len(set(keys))
        assert {client.object("encoding", name) for name in names} == {b"intset"}
        frontier.purge()
        assert not list(client.scan_iter(f"{SEEN}:*"))
        frontier.close()

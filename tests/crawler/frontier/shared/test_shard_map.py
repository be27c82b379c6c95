"""How many shards a crawl has: fixed when it begins, whatever the settings say later."""

import redis

from crawler.frontier.shared.shard_map import ShardMap


def test_the_number_is_that_of_the_begin_until_it_is_forgotten(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:

        def opened() -> ShardMap:
            return ShardMap(client, "{{{}}}:requests".format, "site")

        assert opened().count == 1
        first = opened()
        first.begin(4)
        second = opened()
        second.begin(8)
        assert first.count == second.count == opened().count == 4
        assert {second.of(f"h{number}") for number in range(100)} == set(range(4))
        client.delete("{site|0}:requests:shards")
        assert opened().count == 4
        opened().forget()
        assert opened().count == 1
        assert not client.keys()


def test_a_crawl_that_was_begun_in_one_piece_stays_so(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        client.hset("{site}:requests", "queued", 3)
        shards = ShardMap(client, "{{{}}}:requests".format, "site")
        shards.begin(16)
        assert shards.count == 1
        client.hset("{site}:requests", "queued", 0)
        shards.begin(16)
        assert shards.count == 16
        assert shards.names()[:2] == ["site|0", "site|1"]

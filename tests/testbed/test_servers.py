"""The servers of the tests are real, and end when told to."""

import contextlib

import redis
from pymongo import MongoClient

from testbed.servers import ServerProcess, listens


def test_redis_keeps_its_data_over_a_kill(own_redis: ServerProcess) -> None:
    with redis.Redis.from_url(own_redis.address) as client:
        client.set("a", "1")
        client.config_set("appendfsync", "always")
        client.set("b", "2")
        own_redis.kill()
        assert not listens(own_redis.port)
        own_redis.start()
        assert client.get("b") == b"2"
    own_redis.stop()
    assert not listens(own_redis.port)


def test_mongo_speaks_the_wire_protocol(mongo_uri: str) -> None:
    with contextlib.closing(MongoClient[dict[str, object]](mongo_uri)) as client:
        things = client.get_default_database()["things"]
        things.insert_one({"_id": 1, "name": "值"})
        assert things.find_one({"name": "值"}) == {"_id": 1, "name": "值"}


def test_a_database_is_gone_after_its_test(mongo_uri: str) -> None:
    with contextlib.closing(MongoClient[dict[str, object]](mongo_uri)) as client:
        assert client.get_default_database().list_collection_names() == []

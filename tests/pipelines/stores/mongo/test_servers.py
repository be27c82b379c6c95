"""The MongoDB servers that people run: behind TLS, and a replica set whose primary moves."""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pipelines.stores.base import Column, StoreError, Table, WriteBuffer
from pipelines.stores.mongo.store import MongoStore
from testbed.servers import Door, ReplicaSet, make_certificates, wait_until

THINGS = Table("things", (Column("key"), Column("name")), key=("key",))
QUICK = "serverSelectionTimeoutMS=500&connectTimeoutMS=500&heartbeatFrequencyMS=500"
# PyMongo forgets to close the socket of an attempt to connect that is broken off
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def test_many_nodes_open_a_new_database_at_once(mongo_uri: str) -> None:
    with ThreadPoolExecutor(16) as nodes:
        for round_ in range(6):
            stores = list(nodes.map(MongoStore, [f"{mongo_uri}{round_}"] * 16, [[THINGS]] * 16))
            stores[0].upsert(THINGS, [{"key": "a"}]).result(120)
            assert stores[-1].count(THINGS) == 1
            for store in stores:
                store.close()


def test_tls_with_an_authority_of_ones_own(mongo_uri: str, tmp_path: Path) -> None:
    certificates = make_certificates(tmp_path)
    database = mongo_uri.rpartition("/")[2]
    with Door(mongo_uri, certificates) as door:
        address = f"{door.address}{database}?tls=true&{QUICK}"
        store = MongoStore(f"{address}&tlsCAFile={certificates.authority}", [THINGS])
        store.upsert(THINGS, [{"key": "a", "name": "值"}]).result(120)
        assert store.get(THINGS, "a") == {"key": "a", "name": "值"}
        store.close()
        with pytest.raises(StoreError, match="certificate is not trusted: set tlsCAFile="):
            MongoStore(address, [THINGS])


@pytest.fixture
def replica_set(mongo_uri: str) -> Iterator[tuple[ReplicaSet, str]]:
    before, _, database = mongo_uri.rpartition("/")
    with ReplicaSet(before) as members:
        yield members, members.address.replace("/?", f"/{database}?") + f"&{QUICK}"


def test_writes_go_on_at_the_next_primary(
    replica_set: tuple[ReplicaSet, str], caplog: pytest.LogCaptureFixture
) -> None:
    members, address = replica_set
    store = MongoStore(address, [THINGS], WriteBuffer(20.0, 20_000))
    assert store.server_facts().replica_set == "rs0"
    store.upsert(THINGS, [{"key": "before"}]).result(120)
    with caplog.at_level(logging.INFO, "pipelines"):
        members.step_down()
        waiting = [store.upsert(THINGS, [{"key": str(number), "name": "x"}]) for number in range(10)]
        wait_until(lambda: store.away, "noticing")
        assert not any(future.done() for future in waiting)
        members.elect(1)
        for future in waiting:
            future.result(120)
    assert sum(member.refused for member in members.members) > 0
    assert not store.away
    assert store.count(THINGS) == 11
    assert len([record for record in caplog.records if record.levelno >= logging.WARNING]) == 1
    members.elect(0)
    store.upsert(THINGS, [{"key": "after"}]).result(120)
    assert store.count(THINGS) == 12
    store.close()


def test_reading_goes_on_at_the_next_primary(replica_set: tuple[ReplicaSet, str]) -> None:
    members, address = replica_set
    store = MongoStore(address, [THINGS])
    store.upsert(THINGS, [{"key": "a"}]).result(120)
    members.elect(1)
    assert store.get(THINGS, "a") is not None
    assert [row["key"] for row in store.select(THINGS)] == ["a"]
    store.close()

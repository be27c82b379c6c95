"""MongoDB goes away and comes back: what is to be stored waits, and nobody is told that it is durable before it is."""

import gc
import logging
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from pymongo import MongoClient, _csot
from scrapy.settings import Settings

from crawler.checks.servers import mongo
from pipelines.stores.base import Column, Store, StoreAwayError, StoreError, Table, WriteBuffer
from pipelines.stores.mongo.connection import _DEFAULT_OPTIONS
from pipelines.stores.mongo.store import MongoStore
from testbed.servers import ServerProcess, free_port, wait_until
from testbed.servers.doors import Door, _message

THINGS = Table("things", (Column("key"), Column("name"), Column("first_seen", first=True)), key=("key",))
# PyMongo forgets to close the socket of an attempt to connect that is broken off
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
QUICK = "serverSelectionTimeoutMS=300&connectTimeoutMS=300"


@pytest.fixture(autouse=True)
def forgotten_sockets() -> Iterator[None]:
    yield
    gc.collect()


def opened(server: ServerProcess, seconds: float, memory: int = 20_000) -> MongoStore:
    return MongoStore(f"{server.address}away?{QUICK}", [THINGS], WriteBuffer(seconds, memory))


@pytest.fixture
def store(own_mongo: ServerProcess) -> Iterator[MongoStore]:
    made = opened(own_mongo, 20.0)
    yield made
    own_mongo.start()
    made.close()


def test_writes_wait_for_the_server(
    store: MongoStore, own_mongo: ServerProcess, caplog: pytest.LogCaptureFixture
) -> None:
    store.upsert(THINGS, [{"key": "before"}]).result(120)
    own_mongo.kill()
    with caplog.at_level(logging.INFO):
        waiting = [store.upsert(THINGS, [{"key": f"{n}", "name": "x"}]) for n in range(10)]
        wait_until(lambda: store.away, "noticing")
        assert not any(future.done() for future in waiting)
        own_mongo.start()
        for future in waiting:
            future.result(120)
    assert not store.away
    assert store.count(THINGS) == 11
    own = [record.message for record in caplog.records if record.name.startswith("pipelines")]
    assert len([message for message in own if "away" in message or "waits" in message]) == 1
    own_mongo.stop()


def test_no_more_wait_than_memory_allows(store: MongoStore, own_mongo: ServerProcess) -> None:
    own_mongo.kill()
    first = store.upsert(THINGS, [{"key": "a"}])
    wait_until(lambda: store.away, "noticing")
    refused = store.upsert(THINGS, [{"key": "b", "name": "x" * 20_000}])
    with pytest.raises(StoreAwayError):
        refused.result(5)
    own_mongo.start()
    first.result(120)
    assert store.get(THINGS, "b") is None
    own_mongo.stop()


def test_patience_ends_and_the_server_is_found_again_by_itself(own_mongo: ServerProcess) -> None:
    store = opened(own_mongo, 1.0)
    own_mongo.kill()
    lost = store.upsert(THINGS, [{"key": "a"}])
    with pytest.raises(StoreAwayError, match="1 s"):
        lost.result(120)
    assert store.away
    own_mongo.start()
    wait_until(lambda: not store.away, "coming back")
    store.upsert(THINGS, [{"key": "a"}]).result(120)
    assert store.count(THINGS) == 1
    store.close()


def test_a_hanging_server_is_away_too(own_mongo: ServerProcess) -> None:
    store = MongoStore(f"{own_mongo.address}away?{QUICK}&socketTimeoutMS=500", [THINGS])
    own_mongo.pause()
    waiting = store.upsert(THINGS, [{"key": "a"}])
    wait_until(lambda: store.away, "noticing")
    own_mongo.resume()
    waiting.result(120)
    store.close()


class SilentDoor(Door):
    """Passes everything on until `is_silent`; then only what a client asks to find the server."""

    is_silent = False

    def _between(self, client: socket.socket, server: socket.socket) -> None:
        while request := _message(client):
            server.sendall(request)
            answer = _message(server)
            if not self.is_silent or b"hello" in request or b"ismaster" in request.lower():
                client.sendall(answer)


def test_a_server_that_accepts_and_never_answers_is_away_and_nothing_is_lost(
    mongo_uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(_DEFAULT_OPTIONS, "socketTimeoutMS", 300)
    with SilentDoor(mongo_uri) as door:
        store = MongoStore(f"{door.address}{urlsplit(mongo_uri).path[1:]}", [THINGS])
        door.is_silent = True
        waiting = store.upsert(THINGS, [{"key": "a"}])
        for read in (lambda: store.get(THINGS, "a"), lambda: store.count(THINGS)):
            with pytest.raises(StoreAwayError, match=r"does not answer in time: .* socketTimeoutMS"):
                read()
        wait_until(lambda: store.away, "noticing")
        door.is_silent = False
        waiting.result(120)
        assert store.count(THINGS) == 1
        store.close()


def test_an_index_may_take_longer_than_an_answer(mongo_uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []

    async def slow(*_: object, **__: object) -> None:
        seen.append(_csot.remaining() or 0.0)

    monkeypatch.setattr("pymongo.asynchronous.collection.AsyncCollection.create_index", slow)
    MongoStore(mongo_uri, [Table("t", (Column("a"), Column("b")), ("a",), (("b",),))]).close()
    assert min(seen) > 3600


def test_what_cannot_be_read_now_can_be_read_later(store: MongoStore, own_mongo: ServerProcess) -> None:
    store.upsert(THINGS, [{"key": "a"}]).result(120)
    own_mongo.kill()
    for read in (lambda: store.get(THINGS, "a"), lambda: store.count(THINGS), lambda: list(store.select(THINGS))):
        with pytest.raises(StoreAwayError, match=r"no server answers|connection"):
            read()
    own_mongo.start()
    assert store.count(THINGS) == 1
    own_mongo.stop()


def test_closing_while_it_is_away_ends(own_mongo: ServerProcess) -> None:
    store = opened(own_mongo, 1.0)
    own_mongo.kill()
    lost = store.upsert(THINGS, [{"key": "a"}])
    store.close()
    with pytest.raises(StoreAwayError):
        lost.result(1)


def test_no_server_is_said_in_a_sentence() -> None:
    with pytest.raises(StoreError, match=r"mongodb://127.0.0.1:\d+/x cannot be used: no server answers") as raised:
        MongoStore(f"mongodb://me:secret@127.0.0.1:{free_port()}/x?{QUICK}", [THINGS])
    assert "secret" not in str(raised.value)


def test_a_socket_that_never_answers_is_no_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(StoreError, match="no server answers"):
        MongoStore(f"mongodb://127.0.0.1:{silent.getsockname()[1]}/x?{QUICK}", [THINGS])


def test_a_newer_schema_is_refused(mongo_uri: str) -> None:
    with MongoClient[dict[str, object]](mongo_uri) as client:
        client.get_default_database()["topicrawl"].insert_one({"_id": "schema", "version": 99})
    with pytest.raises(StoreError, match="update topicrawl"):
        MongoStore(mongo_uri, [THINGS])


def test_the_write_concern_is_majority_unless_the_address_says_otherwise(mongo_uri: str) -> None:
    for address, expected in ((mongo_uri, "majority"), (f"{mongo_uri}?w=1", 1)):
        store = MongoStore(address, [THINGS])
        assert store.write_concern == expected
        store.close()


def test_indexes_are_made(whole_mongo_uri: str) -> None:
    table = Table("posts", (Column("page"), Column("key"), Column("time")), ("page", "key"), (("time",),))
    store: Store = MongoStore(whole_mongo_uri, [table])
    store.close()
    with MongoClient[dict[str, object]](whole_mongo_uri) as client:
        names = set(client.get_default_database()["posts"].index_information())
    assert names == {"_id_", "page_key", "time"}


def test_a_single_key_ends_its_indexes(whole_mongo_uri: str) -> None:
    table = Table("pages", (Column("key"), Column("time")), ("key",), (("time", "key"),))
    MongoStore(whole_mongo_uri, [table]).close()
    with MongoClient[dict[str, object]](whole_mongo_uri) as client:
        pages = client.get_default_database()["pages"]
        assert pages.index_information()["time__id"]["key"] == [("time", 1), ("_id", 1)]


def test_what_an_operator_wants_to_know(whole_mongo_uri: str) -> None:
    findings = {each.subject: each for each in mongo(Settings({"STORE": whole_mongo_uri}))}
    assert findings["MongoDB write concern"].message == "w=majority"
    assert findings["MongoDB version"].state == "ok"
    assert "Clock" not in findings
    assert mongo(Settings({"STORE": "sqlite:///x.db"})) == []
    with pytest.raises(StoreError, match="Remove w=0"):
        MongoStore(f"{whole_mongo_uri}?w=0", [THINGS])


def test_a_server_that_does_not_say_its_version_is_a_warning(mongo_uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(*_: object, **__: object) -> dict[str, object]:
        return {"ok": 1.0}

    monkeypatch.setattr("pymongo.AsyncMongoClient.server_info", nothing)
    (version,) = [each for each in mongo(Settings({"STORE": mongo_uri})) if each.subject == "MongoDB version"]
    assert (version.state, version.message) == ("warning", "the server does not report its version")

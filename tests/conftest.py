"""Servers that tests share: one of each kind a session, empty at the start of every test."""

import asyncio
import contextlib
import gc
import os
import socket
import sqlite3
import subprocess
import sys
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
import redis
from hypothesis import settings as hypothesis_settings
from pymongo import MongoClient
from scrapy.cmdline import execute
from scrapy.settings import Settings

from pipelines.stores.base import Store
from pipelines.stores.mongo import writing as mongo_writing
from pipelines.stores.opening import open_store
from pipelines.stores.sqlite import store as sqlite_store
from testbed.servers import (
    NoServerError,
    RedisClusterServers,
    ServerProcess,
    given_mongo,
    given_redis,
    is_small_stand_in,
    mongo_server,
    redis_server,
    which_servers,
)
from testbed.shared_data import skip_without_shared

# the suite tries the same cases every time; `HYPOTHESIS_PROFILE=hunt python -m tests` looks for new ones
hypothesis_settings.register_profile("repeatable", deadline=None, derandomize=True)
hypothesis_settings.register_profile("hunt", deadline=None, max_examples=2000, print_blob=True)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files of few and long tests come first and those of many short ones last, so that no process waits for one at the end."""
    items.sort(key=lambda item: (item.nodeid.startswith("tests/extractors/"), item.nodeid.count("/") > 1))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """See `skip_without_shared`."""
    skip_without_shared(item)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which servers the tests talk to."""
    for line in which_servers():
        terminalreporter.write_line(line)


def _shared(name: str, given: str, folder: Path) -> Iterator[str]:
    if given:
        yield given
        return
    with started(redis_server if name == "Redis" else mongo_server, folder) as server:
        yield server.address


@contextlib.contextmanager
def started(build: Callable[..., ServerProcess], folder: Path, *options: str) -> Iterator[ServerProcess]:
    """A server with its files in this folder, stopped in the end; the test is skipped where there is no such server."""
    try:
        server = build(folder, *options)
    except NoServerError as error:
        pytest.skip(str(error))
    try:
        yield server.start()
    finally:
        server.stop()


@pytest.fixture(scope="session", autouse=True)
def stores_that_write_at_once() -> Iterator[None]:
    """Stores wait a moment for more writes to come; tests wait for each write, one after the other."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in (
            (sqlite_store, "GROUP_SECONDS"),
            (sqlite_store, "_BUSY_GROUP_SECONDS"),
            (mongo_writing, "GROUP_SECONDS"),
        ):
            patch.setattr(module, name, 0.0)
        yield


@pytest.fixture(scope="session")
def shared_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of the session's Redis."""
    given = urlsplit(given_redis())
    number = int(given.path.strip("/") or 0) + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    own = urlunsplit(given._replace(path=f"/{number}")) if given.netloc else ""  # each process empties its own database
    yield from _shared("Redis", own, tmp_path_factory.mktemp("redis"))


@pytest.fixture
def redis_url(shared_redis: str) -> str:
    """The URL of an empty Redis database."""
    with redis.Redis.from_url(shared_redis) as client:
        client.flushdb()
    return shared_redis


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[ServerProcess]:
    """A Redis (append-only file, fsync every second) of this test's own, which it may kill, pause and start again."""
    options = "--appendonly", "yes", "--maxmemory-policy", "noeviction"
    with started(redis_server, tmp_path / "redis", *options) as server:
        yield server


@pytest.fixture(scope="session")
def shared_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisClusterServers]:
    """The session's Redis Cluster."""
    try:
        cluster = RedisClusterServers(tmp_path_factory.mktemp("cluster"))
    except NoServerError as error:
        pytest.skip(str(error))
    yield cluster
    cluster.stop()


@pytest.fixture
def redis_cluster(shared_cluster: RedisClusterServers) -> RedisClusterServers:
    """A Redis Cluster without keys, whose servers a test may kill, pause and start again."""
    shared_cluster.restore()
    return shared_cluster


@pytest.fixture(scope="session")
def shared_mongo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URI of the session's MongoDB server."""
    yield from _shared("MongoDB", given_mongo(), tmp_path_factory.mktemp("mongo"))


@pytest.fixture
def mongo_uri(shared_mongo: str) -> Iterator[str]:
    """The URI of a MongoDB database that does not exist yet; it is dropped after the test."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    base, _, options = shared_mongo.partition("?")
    yield f"{base.rstrip('/')}/{name}" + (f"?{options}" if options else "")
    with MongoClient[dict[str, object]](shared_mongo) as client:
        client.drop_database(name)


@pytest.fixture
def whole_mongo_uri(mongo_uri: str) -> str:
    """The same, of a server that has GridFS, names of indexes and a version; skips where there is none such."""
    if is_small_stand_in(mongo_uri):
        pytest.skip("nx-27017 has no GridFS, names of indexes or version: install mongod, or build FerretDB")
    return mongo_uri


@pytest.fixture
def own_mongo(tmp_path: Path) -> Iterator[ServerProcess]:
    """A MongoDB server of this test's own, which it may kill, pause and start again."""
    with started(mongo_server, tmp_path / "mongo") as server:
        yield server


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Modules marked `every_store` have each test of a `store` on each kind of database."""
    if metafunc.definition.get_closest_marker("every_store") and "store" in metafunc.fixturenames:
        metafunc.parametrize("store", ["sqlite", "mongodb"], indirect=True)


@pytest.fixture
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty database: a.db in the test's folder, or the kind that the test is parametrized with."""
    is_mongo = getattr(request, "param", "sqlite") == "mongodb"
    with closing(
        open_store(request.getfixturevalue("mongo_uri") if is_mongo else f"sqlite:///{tmp_path}/a.db")
    ) as opened:
        yield opened


@pytest.fixture
def scrapy(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[str, str, int]]:
    """Calls a command with these settings in this process: its output, what it says to the person, its exit code."""

    def call(*words: str, **settings: Any) -> tuple[str, str, int]:
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", *words], Settings({"COMMANDS_MODULE": "console.commands"} | settings))
        sys.stdout.flush()
        return *capfd.readouterr(), int(ended.value.code or 0)

    return call


def pytest_configure() -> None:
    """Warnings of unclosed things are shown at interpreter exit too, where pytest's own filters no longer hold."""
    warnings.simplefilter("default", ResourceWarning)


def _is_open(thing: object) -> bool:
    if isinstance(thing, socket.socket):
        return thing.fileno() >= 0
    if isinstance(thing, asyncio.BaseEventLoop):
        return not thing.is_closed()
    if isinstance(thing, sqlite3.Connection):
        with contextlib.suppress(sqlite3.ProgrammingError):  # of a closed one, or of another thread's
            return thing.total_changes >= 0
    return False


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """The session fails if it leaves a socket, an event loop or a database open; of a worker, `python -m tests` fails."""
    sys.unraisablehook = sys.__unraisablehook__  # pytest's own keeps what it catches, and a worker loses that
    for thing in gc.get_objects():
        if isinstance(thing, subprocess.Popen):
            thing.poll()  # one that ended after the event loop that waited for it does not run any more
    gc.collect()
    if left := [repr(thing) for thing in gc.get_objects() if _is_open(thing)]:
        sys.stderr.write("\nleft open at the end of the session:\n  " + "\n  ".join(left) + "\n")
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED

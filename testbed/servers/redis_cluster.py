"""A Redis Cluster of processes on loopback: three masters, each with a replica."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import redis
from redis.crc import key_slot

from testbed.servers.finding import redis_server
from testbed.servers.processes import ServerProcess, wait_until

_FAILOVER_MS = 1_000
_CALM_MS = 60_000
"""Silence of a busy machine's server that is no reason for a failover, which may lose the last writes."""
_OPTIONS = (
    *("--cluster-enabled", "yes", "--cluster-node-timeout", str(_FAILOVER_MS), "--cluster-require-full-coverage", "no"),
    *("--appendonly", "yes", "--appendfsync", "no", "--repl-diskless-sync-delay", "0"),
)
_MASTERS, _SLOTS = 3, 16_384


class RedisClusterServers:
    """Six servers, of which the first three are masters at first."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._additions = folder, 0
        self._ids: dict[int, str] = {}
        self.servers = [redis_server(folder / str(place), *_OPTIONS).start() for place in range(2 * _MASTERS)]
        masters, replicas = self.servers[:_MASTERS], self.servers[_MASTERS:]
        for place, server in enumerate(masters):
            slots = range(place * _SLOTS // _MASTERS, (place + 1) * _SLOTS // _MASTERS)
            self.ask(server, "CLUSTER", "ADDSLOTS", *slots)
            self.ask(server, "CLUSTER", "SET-CONFIG-EPOCH", place + 1)
        for server in self.servers[1:]:
            self.ask(server, "CLUSTER", "MEET", "127.0.0.1", masters[0].port)
        for master, replica in zip(masters, replicas, strict=True):
            wait_until(lambda r=replica, m=master: self.id_of(m) in self.ask(r, "CLUSTER", "NODES").decode(), "meeting")
            self.ask(replica, "CLUSTER", "REPLICATE", self.id_of(master))
        self.wait_until_whole()
        self._fail_over_after(_CALM_MS)

    @property
    def address(self) -> str:
        """REDIS_URL: all servers, between commas."""
        return ",".join(server.address for server in self.servers)

    def ask(self, server: ServerProcess, *words: Any) -> Any:
        """The plain answer of one server."""
        with redis.Redis(port=server.port, socket_timeout=5) as client:
            client.response_callbacks.clear()
            return client.execute_command(*words)

    def id_of(self, server: ServerProcess) -> str:
        """Its name in the cluster, which it keeps when it is started again."""
        if server.port not in self._ids:
            self._ids[server.port] = self.ask(server, "CLUSTER", "MYID").decode()
        return self._ids[server.port]

    def masters(self) -> list[ServerProcess]:
        """Those that have slots, as the living servers see it."""
        ids = {entry[2][2].decode() for entry in self.ask(next(self._living()), "CLUSTER", "SLOTS")}
        return [server for server in self._living() if self.id_of(server) in ids]

    def _living(self) -> Iterator[ServerProcess]:
        return (server for server in self.servers if server.is_running)

    def owner(self, slot: int) -> ServerProcess:
        """The master of this slot."""
        slots = self.ask(next(self._living()), "CLUSTER", "SLOTS")
        name = next(entry[2][2].decode() for entry in slots if entry[0] <= slot <= entry[1])
        return next(server for server in self._living() if self.id_of(server) == name)

    def replica_of(self, master: ServerProcess) -> ServerProcess:
        name = self.id_of(master)
        return next(
            server
            for server in self._living()
            if any(
                b"myself" in line and name.encode() in line
                for line in self.ask(server, "CLUSTER", "NODES").split(b"\n")
            )
            and server is not master
        )

    def add(self) -> ServerProcess:
        """A further master, without slots."""
        self._additions += 1
        added = redis_server(self._folder / f"added{self._additions}", *_OPTIONS).start()
        self.ask(added, "CLUSTER", "MEET", "127.0.0.1", self.servers[0].port)
        self.servers.append(added)
        name = self.id_of(added).encode()
        wait_until(lambda: all(name in self.ask(each, "CLUSTER", "NODES") for each in self._living()), "meeting")
        wait_until(lambda: b"cluster_state:ok" in self.ask(added, "CLUSTER", "INFO"), "joining")
        self.ask(added, "CONFIG", "SET", "cluster-node-timeout", _CALM_MS)
        return added

    def remove(self, server: ServerProcess) -> None:
        """Its slots go to the first master."""
        for slot in self._slots_of(server):
            self.move(slot, self.servers[0], 0.0)
        name = self.id_of(server)
        server.stop()
        self.servers.remove(server)
        for each in self._living():
            self.ask(each, "CLUSTER", "FORGET", name)

    def _slots_of(self, server: ServerProcess) -> list[int]:
        name, view = self.id_of(server).encode(), self.ask(server, "CLUSTER", "SLOTS")
        return [slot for entry in view if entry[2][2] == name for slot in range(entry[0], entry[1] + 1)]

    def move(self, slot: int, target: ServerProcess, pause: float) -> None:
        """As `redis-cli --cluster reshard` does it, with a pause while the slot's keys lie on both servers."""
        source = self.owner(slot)
        self.ask(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", self.id_of(source))
        self.ask(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", self.id_of(target))
        while keys := self.ask(source, "CLUSTER", "GETKEYSINSLOT", slot, 8):
            self.ask(source, "MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *keys)
            time.sleep(pause)
            pause = 0.0
        for server in (target, source, *self.masters()):
            with contextlib.suppress(redis.ResponseError):  # a master becomes a replica when its last slot has gone
                self.ask(server, "CLUSTER", "SETSLOT", slot, "NODE", self.id_of(target))

    def wait_until_whole(self) -> None:
        """Until all servers that run agree, every slot has a living master, and replicas have caught up."""
        wait_until(self._is_whole, "the cluster")

    def _is_whole(self) -> bool:
        living = list(self._living())
        views = [sorted(entry[:3] for entry in self.ask(server, "CLUSTER", "SLOTS")) for server in living]
        names = {self.id_of(server).encode() for server in living}
        covered = sum(last - first + 1 for first, last, master in views[0] if master[2] in names)
        states = b"".join(
            self.ask(server, "CLUSTER", "INFO") + self.ask(server, "INFO", "replication") for server in living
        )
        agreed = all([entry[2][2] for entry in view] == [entry[2][2] for entry in views[0]] for view in views)
        is_ill = any(word in states for word in (b"cluster_state:fail", b"master_link_status:down"))
        return covered == _SLOTS and agreed and not is_ill

    def fail_over_soon(self) -> None:
        """Replace a master that is silent for a second, until `restore`."""
        self._fail_over_after(_FAILOVER_MS)

    def _fail_over_after(self, milliseconds: int) -> None:
        for server in self._living():
            self.ask(server, "CONFIG", "SET", "cluster-node-timeout", milliseconds)

    def restore(self) -> None:
        """All servers run, and have no keys."""
        self.fail_over_soon()
        for server in self.servers:
            if not server.is_running:
                server.start()
        self.wait_until_whole()
        self._fail_over_after(_CALM_MS)
        for server in self.masters():
            self.ask(server, "FLUSHALL")

    def stop(self) -> None:
        for server in self.servers:
            server.stop()


def slot_of(key: str) -> int:
    """The slot of a key."""
    return int(key_slot(key.encode()))

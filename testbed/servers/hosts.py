"""Several hosts on one machine: network namespaces on a bridge, each with an address of its own, whose traffic can be cut.

Needs root and iproute2; `can_make_hosts` tells.
"""

import random
import shutil
import subprocess
from collections.abc import Sequence
from typing import Self


def can_make_hosts() -> bool:
    """Whether this machine lets us."""
    if not shutil.which("ip"):
        return False
    name = _random_name("t")
    made = _ip("netns", "add", name, check=False)
    if made:
        _ip("netns", "del", name, check=False)
    return made


class Host:
    """One namespace.

    Attributes:
        address: its IPv4 address; all hosts of a network reach each other.
    """

    def __init__(self, name: str, address: str) -> None:
        self.name, self.address = name, address

    def command(self, words: Sequence[str]) -> list[str]:
        """The same command, run on this host."""
        return ["ip", "netns", "exec", self.name, *words]

    def cut_off(self, other: "Host") -> None:
        """What this host would answer to the other is swallowed, as a broken cable does."""
        _ip("-n", self.name, "route", "add", "blackhole", f"{other.address}/32")

    def heal(self, other: "Host") -> None:
        """Undo `cut_off`."""
        _ip("-n", self.name, "route", "del", "blackhole", f"{other.address}/32")


class Network:
    """`count` hosts and this machine itself, at `address`, on one bridge; all gone when the block ends."""

    def __init__(self, count: int) -> None:
        self._bridge = _random_name("b")
        subnet = f"10.{random.SystemRandom().randrange(180, 250)}.{random.SystemRandom().randrange(1, 250)}"
        self.address = f"{subnet}.1"
        self.hosts = [Host(_random_name("h"), f"{subnet}.{number + 10}") for number in range(count)]

    def __enter__(self) -> Self:
        _ip("link", "add", self._bridge, "type", "bridge")
        _ip("addr", "add", f"{self.address}/24", "dev", self._bridge)
        _ip("link", "set", self._bridge, "up")
        for host in self.hosts:
            self._connect(host)
        return self

    def _connect(self, host: Host) -> None:
        _ip("netns", "add", host.name)
        _ip("link", "add", f"{host.name}v", "type", "veth", "peer", "name", "eth0", "netns", host.name)
        _ip("link", "set", f"{host.name}v", "master", self._bridge, "up")
        for words in (("addr", "add", f"{host.address}/24", "dev", "eth0"), ("link", "set", "eth0", "up")):
            _ip("-n", host.name, *words)
        _ip("-n", host.name, "link", "set", "lo", "up")

    def __exit__(self, *_: object) -> None:
        for host in self.hosts:
            _ip("netns", "del", host.name, check=False)
        _ip("link", "del", self._bridge, check=False)


def _random_name(kind: str) -> str:
    return f"tc{kind}{random.SystemRandom().randrange(16**6):06x}"


def _ip(*words: str, check: bool = True) -> bool:
    done = subprocess.run(["ip", *words], capture_output=True, text=True)
    if check and done.returncode:
        raise RuntimeError(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done.returncode == 0

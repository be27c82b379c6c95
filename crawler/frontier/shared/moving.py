"""Moves parts of a crawl between servers while nodes work on it; a move that was broken off is completed by the next.

A part moves whole: queue, leases, paces and seen addresses. First the other server keeps nodes waiting, and its own sends them there,
so that nobody finds it at neither and begins it anew; then all keys are copied; with
the last of them the other server may be worked on; then the first server forgets all but where the part went, and at last the
table is changed. So the part is worked on at one server at most, and is whole at one at least.
"""

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgpack
from redis import Redis

from crawler.frontier.base import FrontierError
from crawler.frontier.shared.parts import Parts, PartsTable
from crawler.frontier.shared.server import Scripts, literal, redis_errors
from crawler.frontier.shared.servers import Servers

Keys = Callable[[int], tuple[str, str]]
_NAMES, _MEMBERS, _FIELDS = 100, 2000, 500
"""Keys of one round trip; members of a host's queue, and fields of a hash, that are copied at once."""
_BYTES = 4_000_000
"""Of one script: a longer one keeps nodes that work on other parts waiting."""


@dataclass(frozen=True, slots=True)
class Move:
    """A part that shall go to another server; addresses."""

    part: int
    source: str
    target: str


def wanted_moves(homes: Sequence[str], addresses: Sequence[str]) -> list[Move]:
    """The fewest moves after which these servers, and no others, have the same number of parts, or one more."""
    shares = {address: homes.count(address) for address in addresses}
    most = sorted(shares, key=lambda address: -shares[address])[: len(homes) % len(addresses)]
    room = {address: len(homes) // len(addresses) + (address in most) for address in addresses}
    over = []
    for part, home in enumerate(homes):
        if room.get(home, 0) > 0:
            room[home] -= 1
        else:
            over.append(part)
    places = (address for address in addresses for _ in range(room[address]))
    return [Move(part, homes[part], target) for part, target in zip(over, places, strict=True)]


class Mover:
    """Carries out moves of one crawl.

    Args:
        keys: from a part's number to its queue key and the beginning of its seen-set's keys.
    """

    def __init__(self, servers: Servers, table: PartsTable, keys: Keys) -> None:
        self._servers = servers
        self._table = table
        self._keys = keys

    def unfinished(self, parts: Parts) -> list[Move]:
        """Moves that were broken off. A server that waits for a part which is not to come stops waiting."""
        found = []
        for part, home in enumerate(parts.homes):
            with redis_errors():
                moved: Any = self._servers.client(home).hget(self._keys(part)[0], "moved")
            if moved and moved.startswith(b"?"):
                self._stop_waiting(part, home)
            elif moved:
                found.append(Move(part, home, moved.decode()))
        return found

    def _stop_waiting(self, part: int, home: str) -> None:
        """A server waits for a part only before the table names it as the part's home."""
        parts = self._table.read()
        if parts and parts.homes[part] == home:
            with redis_errors():
                self._servers.client(home).hdel(self._keys(part)[0], "moved")

    def carry_out(self, move: Move, parts: Parts) -> tuple[Parts, int]:
        """The table after the move, and how many keys were copied. FrontierError if another move of the part is under way."""
        source, target = self._servers.client(move.source), self._servers.client(move.target)
        leaving, arriving = Scripts(source), Scripts(target)
        keys, mark, copied = self._keys(move.part)[:1], f"?{uuid.uuid4().hex}", 0
        is_there = not arriving.run("move", keys, ["expect", mark])
        with redis_errors():
            sent_to: Any = source.hget(keys[0], "moved")
        if is_there and sent_to != move.target.encode():
            raise FrontierError(f"Part {move.part} is on {move.source} and on {move.target}; nothing was changed")
        if not leaving.run("move", keys, ["leave", move.target]):
            raise FrontierError(f"Part {move.part} is being moved to another server; run the command again")
        if not is_there:
            for items in _portions(source, self._names(source, move.part)):
                _allowed(arriving.run("move", keys, ["take", mark, _packed(items)]))
                copied += len(items)
            with redis_errors():
                fields: Any = source.hgetall(keys[0])
            main = [word for field in fields.items() for word in field]
            _allowed(arriving.run("move", keys, ["settle", mark, _packed(main)]))
        names = self._names(source, move.part)
        while some := list(islice(names, _NAMES)):
            _allowed(leaving.run("move", keys, ["clear", move.target, _packed(some)]))
        _allowed(leaving.run("move", keys, ["clear", move.target, _packed(False)]))
        parts = parts.moved(move.part, move.target)
        self._table.write(parts)
        return parts, copied

    def _names(self, client: Redis, part: int) -> Iterator[bytes]:
        """All keys of the part on this server but its main one."""
        for beginning in self._keys(part):
            with redis_errors():
                yield from client.scan_iter(match=f"{literal(beginning)}:*", count=1000)


def _portions(client: Redis, names: Iterator[bytes]) -> Iterator[list[Any]]:
    """What `move.lua` takes, in portions of a bounded size."""
    portion: list[Any] = []
    size = 0
    for item, length in _items(client, names):
        portion.append(item)
        size += length
        if size > _BYTES:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def _items(client: Redis, names: Iterator[bytes]) -> Iterator[tuple[list[Any], int]]:
    """Each key with its dump, or long queues in portions; and the size in bytes."""
    while some := list(islice(names, _NAMES)):
        with redis_errors():
            kinds = dict(zip(some, _ask(client, "TYPE", some), strict=True))
            lengths = _long_ones(client, kinds, b"zset", "ZCARD", _MEMBERS) | _long_ones(
                client, kinds, b"hash", "HLEN", _FIELDS
            )
            small = [name for name in some if name not in lengths]
            for name, dump in zip(small, _ask(client, "DUMP", small), strict=True):
                if dump is not None:
                    yield [name, dump], len(dump)
            for name, length in lengths.items():
                yield from _ranges(client, name, length) if kinds[name] == b"zset" else _fields(client, name)


def _long_ones(client: Redis, kinds: dict[bytes, bytes], kind: bytes, command: str, most: int) -> dict[bytes, int]:
    """Those of this kind that have more than so many members, with the number."""
    names = [name for name, found in kinds.items() if found == kind]
    return {name: found for name, found in zip(names, _ask(client, command, names), strict=True) if found > most}


def _ranges(client: Redis, name: bytes, length: int) -> Iterator[tuple[list[Any], int]]:
    for first in range(0, length, _MEMBERS):
        found: Any = client.zrange(name, first, first + _MEMBERS - 1, withscores=True)
        pairs = [word for member, score in found for word in (repr(score), member)]
        yield [name, pairs], sum(map(len, pairs))


def _fields(client: Redis, name: bytes) -> Iterator[tuple[list[Any], int]]:
    pairs: list[bytes] = []
    size = 0
    for field, value in client.hscan_iter(name, count=_FIELDS):
        pairs += (field, value)
        size += len(field) + len(value)
        if size > _BYTES or len(pairs) >= 2 * _FIELDS:
            yield [name, pairs, True], size
            pairs, size = [], 0
    if pairs:
        yield [name, pairs, True], size


def _ask(client: Redis, command: str, names: Sequence[bytes]) -> list[Any]:
    pipe: Any = client.pipeline(transaction=False)
    for name in names:
        pipe.execute_command(command, name)
    return list(pipe.execute())


def _packed(value: Any) -> bytes:
    packed: bytes = msgpack.packb(value, use_bin_type=False)
    return packed


def _allowed(answer: int) -> None:
    if not answer:
        raise FrontierError("Another command moves this part; let it end")

"""Which node searches for which shares of the titles: leases in Redis, renewed by a thread, given out evenly."""

import logging
import threading
from typing import Any
from uuid import uuid4

from extractors.titles.answers import SHARES
from pipelines.stores.base import StoreAwayError
from pipelines.titles.stream import RedisLog

LEASE_SECONDS = 15.0
_CLAIM = """
local id, lease, shares, leaves = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known, nodes, live, holders = redis.call('HGETALL', KEYS[1]), {}, {}, {}
for at = 1, #known, 2 do
    local kind, name = known[at]:sub(1, 1), known[at]:sub(3)
    if kind == 'p' then
        holders[tonumber(name)] = known[at + 1]
    elseif name == id or tonumber(known[at + 1]) <= now then
        redis.call('HDEL', KEYS[1], known[at])
    else
        live[name] = true
        nodes[#nodes + 1] = name
    end
end
if not leaves then
    redis.call('HSET', KEYS[1], 'n:' .. id, now + lease)
    nodes[#nodes + 1] = id
    table.sort(nodes)
end
local share, own = 0, {}
for rank, name in ipairs(nodes) do
    if name == id then share = math.floor(shares / #nodes) + (rank <= shares % #nodes and 1 or 0) end
end
for number = 0, shares - 1 do
    if holders[number] == id then
        if #own < share then own[#own + 1] = number else redis.call('HDEL', KEYS[1], 'p:' .. number) end
    end
end
for number = 0, shares - 1 do
    if #own < share and holders[number] ~= id and not live[holders[number] or ''] then
        redis.call('HSET', KEYS[1], 'p:' .. number, id)
        own[#own + 1] = number
    end
end
return own
"""
"""A node renews its own lease, gives up what is more than its share, and takes what nobody alive holds up to its share."""
_LIVE = """
local time, live = redis.call('TIME'), 0
local known = redis.call('HGETALL', KEYS[1])
for at = 1, #known, 2 do
    if known[at]:sub(1, 1) == 'n' and tonumber(known[at + 1]) > time[1] * 1000 then live = live + 1 end
end
return live
"""
_logger = logging.getLogger(__name__)


def dividing_nodes(log: RedisLog) -> int:
    """How many nodes divide the search for titles of this log among them now."""
    return int(log.script(_LIVE)(()))


class ShareLeases:
    """The shares of one node.

    Attributes:
        own: the shares that are this node's now.
    """

    def __init__(self, log: RedisLog, seconds: float = LEASE_SECONDS) -> None:
        self._script, self._seconds, self._id = log.script(_CLAIM), seconds, uuid4().hex
        self._ended = threading.Event()
        self.own = self._claim()
        self._thread = threading.Thread(target=self._renew, name="titles-leases", daemon=True)
        self._thread.start()

    def _claim(self, *, leaves: bool = False) -> frozenset[int]:
        arguments: list[Any] = [self._id, int(self._seconds * 1_000), SHARES, int(leaves)]
        return frozenset(map(int, self._script(arguments)))

    def _renew(self) -> None:
        while not self._ended.wait(self._seconds / 5):
            try:
                self.own = self._claim()
            except StoreAwayError as error:  # whoever takes these shares meanwhile says the same of them
                _logger.info("Leases of titles are not renewed: %s", error)

    def close(self) -> None:
        """Give all shares to the other nodes."""
        self._ended.set()
        self._thread.join()
        try:
            self._claim(leaves=True)
        except StoreAwayError:
            _logger.info("The leases of titles were not given up; they end by themselves")

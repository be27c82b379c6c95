"""From settings to the shared frontier, with scrapy-redis's names and defaults."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy_redis import defaults

from crawler.config.crawl_names import crawl_name
from crawler.frontier.base import Frontier, FrontierError, ManagedFrontier
from crawler.frontier.local.opening import open_private_frontier
from crawler.frontier.pacing import host_pace
from crawler.frontier.shared.block_places import open_blocks
from crawler.frontier.shared.buffered import BufferedFrontier
from crawler.frontier.shared.divided import DividedFrontier
from crawler.frontier.shared.lease_owner import new_owner
from crawler.frontier.shared.moving import Mover, wanted_moves
from crawler.frontier.shared.overview import DividedQueue
from crawler.frontier.shared.parts import Parts, PartsTable, part_name
from crawler.frontier.shared.redis import RedisFrontier
from crawler.frontier.shared.server import AwayError, literal, redis_errors
from crawler.frontier.shared.servers import DEFAULT_PARTS, Servers


def open_frontier(crawler: Crawler) -> Frontier:
    """A node's side of the frontier that nodes share.

    Besides the settings of `Servers` it reads SCHEDULER_QUEUE_KEY, SCHEDULER_DUPEFILTER_KEY, SCHEDULER_PERSIST,
    SCHEDULER_FLUSH_ON_START, FRONTIER_LEASE_SECONDS, FRONTIER_PARTS, FRONTIER_TAILS and CONCURRENT_REQUESTS. FrontierError if Redis is
    away. A spider that `has_own_frontier` gets one of this process alone.
    """
    settings = crawler.settings
    if getattr(crawler.spidercls, "has_own_frontier", False):
        return open_private_frontier(crawler)
    servers, name, capacity = Servers(settings), crawl_name(crawler), settings.getint("CONCURRENT_REQUESTS")
    count = settings.getint("FRONTIER_PARTS") or (DEFAULT_PARTS if len(servers.addresses) > 1 else 1)
    parts = PartsTable(servers, _keys(settings, name)[0]).read_or_begin(count)
    make = partial(
        _remote,
        settings,
        servers,
        owner=new_owner(),
        lease_seconds=max(120.0, settings.getfloat("FRONTIER_LEASE_SECONDS", 180.0)),
        persist=settings.getbool("SCHEDULER_PERSIST", True),
        afresh=settings.getbool("SCHEDULER_FLUSH_ON_START"),
    )
    if parts is None:
        return BufferedFrontier(make(name, servers.addresses[0]), capacity)
    remotes = _each_part(make, name, parts)
    return DividedFrontier(remotes, parts.homes, parts.of, capacity)


def _remote(settings: BaseSettings, servers: Servers, name: str, address: str, **more: Any) -> RedisFrontier:
    client, keys, blocks = servers.client(address), _keys(settings, name), open_blocks(settings)
    return RedisFrontier(client, *keys, host_pace(settings), elsewhere=servers.client, blocks=blocks, **more)


def _each_part(make: Callable[..., RedisFrontier], name: str, parts: Parts) -> list[RedisFrontier]:
    return [make(part_name(name, part), home, whole=False) for part, home in enumerate(parts.homes)]


def open_for_operator(settings: BaseSettings, name: str, *, to_change: bool) -> ManagedFrontier:
    servers = Servers(settings)
    table = PartsTable(servers, _keys(settings, name)[0])
    make = partial(_remote, settings, servers)
    if (parts := table.read()) is None:
        return make(name, servers.addresses[0])
    return DividedQueue(_each_part(make, name, parts), parts.of, table.forget)


def rebalance(settings: BaseSettings, name: str, progress: Callable[[str], None]) -> None:
    """Spread the crawl's parts evenly over the servers of the settings; `progress` gets a sentence for each move.

    FrontierError for a crawl that is not divided, or if a server is away.
    """
    servers = Servers(settings)
    table = PartsTable(servers, _keys(settings, name)[0])
    if (parts := table.read()) is None:
        raise FrontierError(
            f"The crawl {name} is in one piece. To divide one, name the servers in FRONTIER_SERVERS, or set FRONTIER_PARTS, "
            "before it begins"
        )
    mover = Mover(servers, table, lambda part: _keys(settings, part_name(name, part)))
    for moves in (mover.unfinished, lambda parts: wanted_moves(parts.homes, servers.addresses)):
        for move in moves(parts):
            parts, copied = mover.carry_out(move, parts)
            progress(f"part {move.part}: {move.source} to {move.target}, {copied:,} keys")
    servers.close()


def homes(settings: BaseSettings, name: str) -> tuple[str, ...]:
    """The address of the server of each part; nothing for a crawl in one piece."""
    servers = Servers(settings)
    parts = PartsTable(servers, _keys(settings, name)[0]).read()
    servers.close()
    return parts.homes if parts else ()


def known_crawls(settings: BaseSettings) -> list[str]:
    """Names of the crawls on all servers that answer; AwayError if none does."""
    before, _, after = _queue_pattern(settings).partition("%(spider)s")
    servers = Servers(settings)
    names: set[str] = set()
    away: list[AwayError] = []
    for address in servers.addresses:
        try:
            with redis_errors():
                found = servers.client(address).scan_iter(
                    match=f"{literal(before)}*{literal(after)}", count=1000, _type="hash"
                )
                names |= {key.decode()[len(before) : len(key.decode()) - len(after)] for key in found}
        except AwayError as error:
            away.append(error)
    servers.close()
    if len(away) == len(servers.addresses):
        raise away[0]
    return sorted({re.sub(r"\|\d+$", "", name) for name in names if not re.search(r"[{}:]", name)})


def crawl_key(settings: BaseSettings, name: str) -> str:
    """What all keys of the crawl of this name begin with, if it is in one piece."""
    return _keys(settings, name)[0]


def check(settings: BaseSettings) -> None:
    """FrontierError if no server answers, or the settings do not go together."""
    open_blocks(settings)
    servers = Servers(settings)
    away: list[AwayError] = []
    for address in servers.addresses:
        try:
            with redis_errors():
                servers.client(address).ping()
        except AwayError as error:
            away.append(error)
    servers.close()
    if len(away) == len(servers.addresses):
        raise FrontierError(
            f"{away[0]}. Start it, or set REDIS_URL; without SCRAPY_PROJECT=cluster no Redis is needed."
        ) from away[0]


def _keys(settings: BaseSettings, name: str) -> tuple[str, str]:
    seen = settings.get("SCHEDULER_DUPEFILTER_KEY") or defaults.SCHEDULER_DUPEFILTER_KEY
    return _queue_pattern(settings) % {"spider": name}, str(seen) % {"spider": name}


def _queue_pattern(settings: BaseSettings) -> str:
    return str(settings.get("SCHEDULER_QUEUE_KEY") or defaults.SCHEDULER_QUEUE_KEY)

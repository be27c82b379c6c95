"""The servers of a shared frontier: one, or several among which the parts of a crawl are divided."""

from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from redis import Redis
from redis.connection import parse_url
from scrapy.settings import BaseSettings

from crawler.frontier.base import FrontierError
from crawler.frontier.shared.server import connect

DEFAULT_PARTS = 16


class Servers:
    """Clients by address, connected when they are first asked for.

    Reads FRONTIER_SERVERS, the URLs of the servers; without it the server that `connect` finds is the only one. An
    address is host:port/database, without user and password.

    Raises:
        FrontierError: the settings make no sense.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self._settings = settings
        self._clients: dict[str, Redis] = {}
        urls = settings.getlist("FRONTIER_SERVERS")
        if urls and settings.getlist("REDIS_SENTINELS"):
            raise FrontierError("FRONTIER_SERVERS names the servers themselves; it does not go with REDIS_SENTINELS.")
        self._urls = {_address(url): url for url in urls}
        if len(self._urls) < len(urls):
            raise FrontierError("FRONTIER_SERVERS names a server twice.")
        self.addresses = tuple(self._urls) or (self._only_server(),)

    def _only_server(self) -> str:
        client = connect(self._settings)
        named: dict[str, Any] = (
            getattr(client, "connection_pool", None) and client.connection_pool.connection_kwargs
        ) or {}
        address = f"{named.get('host', 'redis')}:{named.get('port', 6379)}/{named.get('db') or 0}"
        self._clients[address] = client
        return address

    def client(self, address: str) -> Redis:
        """Also of a server that the settings do not name: a part may have moved there since."""
        if address not in self._clients:
            self._clients[address] = connect(self._settings, self._urls.get(address) or self._like_the_first(address))
        return self._clients[address]

    def _like_the_first(self, address: str) -> str:
        """The URL with the scheme, the user and the options of the first server."""
        first = urlsplit(next(iter(self._urls.values()), "") or self._settings["REDIS_URL"] or "redis://localhost")
        place, _, database = address.partition("/")
        user, at, _ = first.netloc.rpartition("@")
        return urlunsplit(first._replace(netloc=f"{user}{at}{place}", path=f"/{quote(database)}"))

    def close(self) -> None:
        for client in self._clients.values():
            client.close()


def _address(url: str) -> str:
    parse: Any = parse_url  # redis-py leaves it untyped
    try:
        found = parse(url.strip())
    except ValueError as error:
        raise FrontierError(f"FRONTIER_SERVERS lists URLs such as redis://host:6379/0: {error}") from error
    return f"{found.get('host', 'localhost')}:{found.get('port', 6379)}/{found.get('db', 0)}"

"""A Redis Cluster client with the interface of a client of one server."""

import time
from collections.abc import Sequence
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.commands.core import Script
from redis.connection import parse_url
from redis.exceptions import ClusterError, ConnectionError, NoScriptError, RedisClusterException
from redis.retry import Retry

_TRIES_TO_BEGIN = 3
"""A new client asks the first master for its commands, and another master if that one is dead."""
_MOST_REDIRECTS, _REDIRECT_SECONDS = 16, 0.03


class ClusterClient(RedisCluster):
    """Follows slots that move, and keeps using live servers while others are dead.

    Raises:
        RedisClusterException: no server answers when the client is created; later this is a ConnectionError, as with other clients.
        ClusterError: a slot is still moving after half a second.
    """

    RedisClusterRequestTTL = 1
    """Redirects that redis-py follows by itself: none. If the second server is refused or unknown, it returns the connection
    to the first one a second time, and two threads then share it and read each other's replies."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        for _ in range(_MOST_REDIRECTS - 1):
            try:
                return self._execute_once(*args, **options)
            except ClusterError as error:
                if type(error) is not ClusterError:
                    raise
                time.sleep(_REDIRECT_SECONDS)
        return self._execute_once(*args, **options)

    def _execute_once(self, *args: Any, **options: Any) -> Any:
        try:
            return super().execute_command(*args, **options)  # type: ignore[no-untyped-call]
        except RedisClusterException as error:  # not a RedisError in redis-py
            raise ConnectionError(str(error)) from error

    def register_script(self, script: Any) -> Script:
        return _Script(self, script)


class _Script(Script):
    """Loads a script on the server of its keys only; redis-py would load it on all servers, and fail while one is dead."""

    def __call__(self, keys: Any = None, args: Any = None, client: Any = None) -> Any:
        client = client or self.registered_client
        given = (len(keys), *keys, *args)
        try:
            return client.evalsha(self.sha, *given)
        except NoScriptError:
            return client.eval(self.script, *given)


def connect_cluster(urls: Sequence[str], params: dict[str, Any]) -> ClusterClient:
    """A client that starts from the first of these servers that answers.

    Args:
        urls: user, password and TLS are those of the first.
        params: further arguments of the client; `retry` applies to commands.
    """
    parse: Any = parse_url  # untyped in redis-py, like ClusterNode
    node: Any = ClusterNode
    others = [node(found.get("host", "localhost"), found.get("port", 6379)) for found in map(parse, urls[1:])]
    several_tries = Retry(NoBackoff(), _TRIES_TO_BEGIN)
    begin = params | {"retry": several_tries, "require_full_coverage": False}
    client = ClusterClient(url=urls[0], startup_nodes=others, **begin)
    client.retry = params["retry"]
    return client


def servers(client: Redis) -> list[Redis]:
    """One client for each master of a cluster; else the client itself."""
    if not isinstance(client, RedisCluster):
        return [client]
    return [client.get_redis_connection(node) for node in client.get_primaries()]


def server_of(client: Redis, key: str) -> Redis:
    """A client of the cluster's master that has the key; else the client itself."""
    return client.get_redis_connection(client.get_node_from_key(key)) if isinstance(client, RedisCluster) else client


def name_of_server(client: Redis, key: str) -> str:
    """Address of the master that has the key, as far as the client knows; "" without a cluster."""
    return str(client.get_node_from_key(key).name) if isinstance(client, RedisCluster) else ""

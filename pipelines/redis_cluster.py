"""A client of a Redis Cluster that is used as the client of one server is."""

from collections.abc import Sequence
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.commands.core import Script
from redis.connection import parse_url
from redis.exceptions import ConnectionError, NoScriptError, RedisClusterException, TryAgainError
from redis.retry import Retry

_TRIES_TO_BEGIN = 3
"""A new client asks the first master which commands there are, and another one if that is dead."""


class ClusterClient(RedisCluster):
    """Follows slots from server to server, and reaches those of living servers while others are dead.

    Raises:
        RedisClusterException: no server answers when it is made. Later that is a ConnectionError, as of other clients.
    """

    def execute_command(self, *args: Any, **options: Any) -> Any:
        try:
            return super().execute_command(*args, **options)  # type: ignore[no-untyped-call]
        except RedisClusterException as error:  # no RedisError in redis-py
            raise ConnectionError(str(error)) from error

    def get_redis_connection(self, node: ClusterNode | None) -> Redis:
        """A slot may be on its way to a server that has no other slot, and which the client does not know yet."""
        if node is None:
            raise TryAgainError("a slot moves to a server that is not known yet")
        connection: Redis = super().get_redis_connection(node)
        return connection

    def register_script(self, script: Any) -> Script:
        return _Script(self, script)


class _Script(Script):
    """Sent to the server of its keys when that lacks it; redis-py loads it on all servers, and fails while one is dead."""

    def __call__(self, keys: Any = None, args: Any = None, client: Any = None) -> Any:
        client = client or self.registered_client
        given = (len(keys), *keys, *args)
        try:
            return client.evalsha(self.sha, *given)
        except NoScriptError:
            return client.eval(self.script, *given)


def connect_cluster(urls: Sequence[str], params: dict[str, Any]) -> ClusterClient:
    """A client that begins with whichever of these servers answers.

    Args:
        urls: user, password and TLS are those of the first.
        params: more arguments of the client; `retry` holds for commands.
    """
    parse: Any = parse_url  # redis-py leaves it untyped, as the node
    node: Any = ClusterNode
    others = [node(found.get("host", "localhost"), found.get("port", 6379)) for found in map(parse, urls[1:])]
    several_tries = Retry(NoBackoff(), _TRIES_TO_BEGIN)
    begin = params | {"retry": several_tries, "require_full_coverage": False}
    client = ClusterClient(url=urls[0], startup_nodes=others, **begin)
    client.retry = params["retry"]
    return client


def servers(client: Redis) -> list[Redis]:
    """The client itself; of a cluster, one client for each master."""
    if not isinstance(client, RedisCluster):
        return [client]
    return [client.get_redis_connection(node) for node in client.get_primaries()]


def server_of(client: Redis, key: str) -> Redis:
    """The client itself; of a cluster, a client of the master that has the key."""
    return client.get_redis_connection(client.get_node_from_key(key)) if isinstance(client, RedisCluster) else client


def name_of_server(client: Redis, key: str) -> str:
    """Address of the master that has the key, as the client knows it; "" if there is no cluster."""
    return str(client.get_node_from_key(key).name) if isinstance(client, RedisCluster) else ""

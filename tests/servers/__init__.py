"""Real servers for tests."""

from tests.servers.finding import NoServerError, given_mongo, given_redis, mongo_server, on_host, redis_server
from tests.servers.hosts import Host, Network, can_make_hosts
from tests.servers.processes import ServerProcess, free_port, listens, wait_until

__all__ = [
    "Host",
    "Network",
    "NoServerError",
    "ServerProcess",
    "can_make_hosts",
    "free_port",
    "given_mongo",
    "given_redis",
    "listens",
    "mongo_server",
    "on_host",
    "redis_server",
    "wait_until",
]

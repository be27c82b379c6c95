"""Real servers for tests."""

from tests.servers.finding import NoServerError, given_mongo, given_redis, mongo_server, redis_server
from tests.servers.processes import ServerProcess, free_port, listens, wait_until

__all__ = [
    "NoServerError",
    "ServerProcess",
    "free_port",
    "given_mongo",
    "given_redis",
    "listens",
    "mongo_server",
    "redis_server",
    "wait_until",
]

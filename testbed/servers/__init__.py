"""Real servers for tests."""

from testbed.servers.certificates import Certificates, make_certificates
from testbed.servers.doors import Door, ReplicaSet
from testbed.servers.finding import (
    NoServerError,
    given_mongo,
    given_redis,
    is_small_stand_in,
    mongo_server,
    on_host,
    redis_server,
    which_servers,
)
from testbed.servers.hosts import Host, Network, can_make_hosts
from testbed.servers.processes import ServerProcess, free_port, listens, wait_until
from testbed.servers.redis_cluster import RedisClusterServers, slot_of

__all__ = [
    "Certificates",
    "Door",
    "Host",
    "Network",
    "NoServerError",
    "RedisClusterServers",
    "ReplicaSet",
    "ServerProcess",
    "can_make_hosts",
    "free_port",
    "given_mongo",
    "given_redis",
    "is_small_stand_in",
    "listens",
    "make_certificates",
    "mongo_server",
    "on_host",
    "redis_server",
    "slot_of",
    "wait_until",
    "which_servers",
]

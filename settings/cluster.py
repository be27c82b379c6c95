"""Settings of a cluster node: `settings.base` with Redis and MongoDB instead of files.

`SCRAPY_PROJECT=cluster` selects them. Addresses and passwords come from the environment. Settings that scrapy-redis has
too have the same names here.
"""

import os
from urllib.parse import quote_plus

from settings.base import *  # noqa: F403  # a node differs only in the lines below

# -- the store that nodes share: MongoDB --------------------------------------------------------------------------------

_LOGIN = [quote_plus(os.environ.get(name, "")) for name in ("MONGO_USER", "MONGO_PASSWORD")]
_USER = ":".join(_LOGIN) if all(_LOGIN) else ""  # a password without a user would be shown as the user
_HOSTS = os.environ.get("MONGO_HOSTS", "127.0.0.1:27017")  # host:port, separated by commas
_OPTIONS = os.environ.get("MONGO_OPTIONS", "authSource=admin" if _USER else "")  # as in a connection string
# write concern "majority" unless MONGO_OPTIONS say otherwise (w=1)
STORE = os.environ.get("TOPICRAWL_STORE") or (
    f"mongodb://{_USER}{'@' if _USER else ''}{_HOSTS}/{os.environ.get('MONGO_DATABASE', 'topicrawl')}"
    f"{'?' if _OPTIONS else ''}{_OPTIONS}"
)

# -- the frontier that nodes share: Redis -------------------------------------------------------------------------------

FRONTIER = "shared"  # the queue, bans, sessions and the turns of hosts are in Redis
REDIS_URL = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0")  # rediss:// for TLS; may hold user and password
# 1: a Redis Cluster; REDIS_URL has some of its servers, separated by commas
REDIS_CLUSTER = os.environ.get("REDIS_CLUSTER") or False
# host:port of each Sentinel, separated by commas; empty: REDIS_URL is the server
REDIS_SENTINELS = [address for address in os.environ.get("REDIS_SENTINELS", "").split(",") if address]
REDIS_SENTINEL_MASTER = os.environ.get("REDIS_SENTINEL_MASTER", "mymaster")  # name of the master at the Sentinels
FRONTIER_PARTS = 0  # shards (hash tags) of a new crawl, at most 256; 0: 16 in a Redis Cluster, else 1
# more arguments of the Redis client
REDIS_PARAMS = {"password": os.environ["REDIS_PASSWORD"]} if os.environ.get("REDIS_PASSWORD") else {}
REDIS_PREFIX = os.environ.get("REDIS_PREFIX", "")  # prefix of every key, for projects that share one Redis
# key of the queue; the braces keep the keys of a crawl in one slot of a Redis Cluster
SCHEDULER_QUEUE_KEY = REDIS_PREFIX + "{%(spider)s}:requests"
SCHEDULER_DUPEFILTER_KEY = REDIS_PREFIX + "{%(spider)s}:dupefilter"  # key of the seen requests
# key of the start URLs of a crawl: `redis-cli lpush site:start_urls https://some.site/`
REDIS_START_URLS_KEY = REDIS_PREFIX + "%(name)s:start_urls"
EXTENSIONS = {"crawler.frontier.shared.start_urls.StartUrls": 130}  # reads start URLs from Redis
SCHEDULER_PERSIST = True  # False: the queue is deleted when the last node ends
FRONTIER_LEASE_SECONDS = 180.0  # seconds after which the requests of a dead node go to others; at least 120

# -- metrics and checks -------------------------------------------------------------------------------------------------

# port of the Prometheus endpoint; further jobs use the next ports
METRICS_PORT = int(os.environ.get("METRICS_PORT", "9410"))

"""Settings of a node: everything of `settings.base`, with Redis and MongoDB in place of files.

`SCRAPY_PROJECT=cluster` chooses them. Addresses and passwords come from the environment. The names are scrapy-redis's.
"""

import os
from urllib.parse import quote_plus

from settings.base import *  # noqa: F403  # a node differs from one machine only in what follows

# -- the store that nodes share: MongoDB --------------------------------------------------------------------------------

_USER = ":".join(quote_plus(os.environ[name]) for name in ("MONGO_USER", "MONGO_PASSWORD") if os.environ.get(name))
_HOSTS = os.environ.get("MONGO_HOSTS", "127.0.0.1:27017")  # host:port, several with commas between
_OPTIONS = os.environ.get("MONGO_OPTIONS", "authSource=admin" if _USER else "")  # as in a connection string
STORE = os.environ.get("TOPICRAWL_STORE") or (
    f"mongodb://{_USER}{'@' if _USER else ''}{_HOSTS}/{os.environ.get('MONGO_DATABASE', 'topicrawl')}"
    f"{'?' if _OPTIONS else ''}{_OPTIONS}"
)  # write concern "majority" unless the options say otherwise (w=1)

# -- the frontier that nodes share: Redis -------------------------------------------------------------------------------

FRONTIER = "crawler.frontier.shared.opening.open_shared_frontier"
REDIS_URL = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0")  # rediss:// for TLS; user and password go in it
REDIS_SENTINELS = [
    address for address in os.environ.get("REDIS_SENTINELS", "").split(",") if address
]  # host:port of each Sentinel; empty: REDIS_URL is the server itself
REDIS_SENTINEL_MASTER = os.environ.get("REDIS_SENTINEL_MASTER", "mymaster")
REDIS_PARAMS = (
    {"password": os.environ["REDIS_PASSWORD"]} if os.environ.get("REDIS_PASSWORD") else {}
)  # further arguments of the client
_PREFIX = os.environ.get("REDIS_PREFIX", "")  # before every key, where several projects share one Redis
SCHEDULER_QUEUE_KEY = _PREFIX + "{%(spider)s}:requests"  # the braces keep a crawl in one slot of a Redis Cluster
SCHEDULER_DUPEFILTER_KEY = _PREFIX + "{%(spider)s}:dupefilter"
REDIS_START_URLS_KEY = (
    _PREFIX + "%(name)s:start_urls"
)  # `scrapy crawl site -a crawl=site` reads what `redis-cli lpush site:start_urls https://some.site/` puts there
TITLES_LOG = "redis"
TITLES_KEY = _PREFIX + "{titles}"
BANS = "redis"
BANS_KEY = _PREFIX + "{bans}"
IDENTITIES = "redis"
IDENTITIES_KEY = _PREFIX + "{identities}"
EXTENSIONS = {"crawler.extensions.start_urls.StartUrls": 130}  # reads start URLs from Redis
REDIS_START_URLS_AS_SET = False  # sadd in place of lpush
REDIS_START_URLS_AS_ZSET = False  # zadd: the highest score first
MAX_IDLE_TIME_BEFORE_CLOSE = 0  # seconds that a node without start pages waits for work; 0: until it is stopped
SCHEDULER_PERSIST = True  # False forgets the crawl when its last node leaves
SCHEDULER_FLUSH_ON_START = False  # True forgets an unfinished crawl when its first node comes
FRONTIER_LEASE_SECONDS = 180.0  # what a silent node holds goes to others after so long; at least 120

# -- what a node tells --------------------------------------------------------------------------------------------------

METRICS_PORT = int(os.environ.get("METRICS_PORT", "9410"))
DOCTOR_CHECKS = [*DOCTOR_CHECKS, "crawler.checks.shared.redis"]  # noqa: F405  # comes from settings.base

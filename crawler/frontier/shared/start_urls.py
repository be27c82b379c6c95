"""Start URLs that people put into Redis, read as scrapy-redis reads them."""

import json
from collections.abc import Iterable
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from scrapy import Request, Spider
from scrapy.http import FormRequest
from scrapy.settings import BaseSettings
from scrapy_redis import defaults

from crawler.frontier.base import FrontierError
from crawler.frontier.shared.exchange import AwayError
from crawler.frontier.shared.scripts import Scripts

KEPT_SECONDS = 120
"""What a node has taken and not confirmed within this time is put back."""

PRIORITY = 10_000
"""What people ask for goes before what was found."""


class StartUrls:
    """One list, set or sorted set of start URLs; REDIS_START_URLS_KEY, _AS_SET and _AS_ZSET say where and which."""

    def __init__(self, client: Redis, settings: BaseSettings, name: str, owner: str) -> None:
        pattern = settings.get("REDIS_START_URLS_KEY") or defaults.START_URLS_KEY
        self.key = str(pattern) % {"name": name}
        self._scripts = Scripts(client)
        self._owner = owner
        self._kind = "list"
        if settings.getbool("REDIS_START_URLS_AS_SET"):
            self._kind = "set"
        elif settings.getbool("REDIS_START_URLS_AS_ZSET"):
            self._kind = "zset"

    def take(self, count: int) -> list[bytes]:
        """At most `count` of them; AwayError while Redis is away, FrontierError if the key is of another kind."""
        taken: list[bytes] = self._run("take", self._kind, count, KEPT_SECONDS)
        return taken

    def confirm(self) -> None:
        """What was taken is in the frontier."""
        self._run("confirm")

    def _run(self, what: str, *arguments: Any) -> Any:
        try:
            return self._scripts.run("start_urls", [self.key], [what, self._owner, *arguments])
        except RedisError as error:
            if "WRONGTYPE" in str(error):
                raise FrontierError(
                    f"{self.key} is no {self._kind}; say which with REDIS_START_URLS_AS_SET or REDIS_START_URLS_AS_ZSET"
                ) from error
            raise AwayError(f"Redis is away: {error}") from error


def requests_of(data: bytes, spider: Spider) -> Iterable[Request]:
    """What one entry asks for: the spider's own `make_request_from_data`, else a URL or a JSON object with `url`.

    As in scrapy-redis `method` and `meta` may be given, and other members are form fields. ValueError says what is
    wrong with an entry.
    """
    own = getattr(spider, "make_request_from_data", None)
    if own is not None:
        made = own(data)
        return [made] if isinstance(made, Request) else made or []
    text = data.decode("utf-8").strip()
    values = json.loads(text) if text.startswith("{") else {"url": text}
    url = str(values.pop("url", ""))
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"{url!r} is no web address")
    method = str(values.pop("method", "GET")).upper()
    meta: Any = values.pop("meta", {})
    if values:
        return [FormRequest(url, method=method, meta=meta, formdata=values, priority=PRIORITY, dont_filter=True)]
    return [Request(url, method=method, meta=meta, priority=PRIORITY, dont_filter=True)]

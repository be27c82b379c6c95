"""Start URLs that people put into Redis, in scrapy-redis's format."""

import json
from collections.abc import Iterable
from typing import Any

from redis import Redis
from scrapy import Request, Spider
from scrapy.http import FormRequest
from scrapy.settings import BaseSettings
from scrapy_redis import defaults

from crawler.frontier.base import FrontierError
from crawler.frontier.shared.server import Scripts
from crawler.priorities import FED_PRIORITY

CONFIRM_SECONDS = 120
"""URLs that a node does not confirm within this time are put back."""


class StartUrls:
    """One list, set or sorted set of start URLs.

    REDIS_START_URLS_KEY names it; REDIS_START_URLS_AS_SET and REDIS_START_URLS_AS_ZSET say what it is.
    """

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
        urls: list[bytes] = self._run("take", self._kind, count, CONFIRM_SECONDS)
        return urls

    def confirm(self) -> None:
        self._run("confirm")

    def _run(self, what: str, *arguments: Any) -> Any:
        try:
            return self._scripts.run("start_urls", [self.key], [what, self._owner, *arguments])
        except FrontierError as error:
            if "WRONGTYPE" not in str(error):
                raise
            raise FrontierError(
                f"{self.key} is no {self._kind}; say what it is with REDIS_START_URLS_AS_SET or "
                "REDIS_START_URLS_AS_ZSET"
            ) from error


def requests_of(data: bytes, spider: Spider) -> Iterable[Request]:
    """The requests of one entry: by the spider's `make_request_from_data` if it has one, else by `url`.

    An entry is a URL or a JSON object with `url`. As in scrapy-redis it may have `method` and `meta`; other members are
    form fields. ValueError says what is wrong with an entry.
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
        return [FormRequest(url, method=method, meta=meta, formdata=values, priority=FED_PRIORITY, dont_filter=True)]
    return [Request(url, method=method, meta=meta, priority=FED_PRIORITY, dont_filter=True)]

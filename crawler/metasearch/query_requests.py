"""Query pages as requests to search engines."""

import os
import time
from collections.abc import Callable, Mapping
from typing import Any

from scrapy import Request

from crawler.config.arguments import SearchArguments
from crawler.engines.protocol.engine import Cookies, Engine, QueryRequest
from crawler.meta import FOUND_BY_KEY, READS_REFUSALS_KEY
from crawler.metasearch.queries import query_of
from crawler.metasearch.query_store import Row
from crawler.priorities import QUERY_SCORE

ENGINE_META = {"dont_redirect": True, "dont_obey_robotstxt": True}
"""A query is not a crawl of the engine: its own delay, backoff and refusals apply instead."""
_COOKIE_SECONDS = 3_600.0
"""For which the cookies of an engine's first page are used."""


class QueryRequests:
    """Engines that want it are asked for their first page before, and get its cookies with the queries of the next hour.

    Args:
        language: of queries where neither the run nor the engine names one.
        scale: of priorities.
        parse_answer, parse_warm_up: callbacks for answers and for first pages.
    """

    def __init__(
        self,
        engines: Mapping[str, Engine],
        arguments: SearchArguments,
        language: str,
        scale: int,
        parse_answer: Callable[..., Any],
        parse_warm_up: Callable[..., Any],
    ) -> None:
        self._engines, self._arguments, self._language, self._scale = engines, arguments, language, scale
        self._parse_answer, self._parse_warm_up = parse_answer, parse_warm_up
        self._cookies: dict[str, tuple[float, Cookies]] = {}

    def request(self, row: Row) -> Request:
        """For this query page, or for the first page of its engine, which goes before."""
        engine = self._engines[row["engine"]]
        until, cookies = self._cookies.get(row["engine"], (0.0, {}))
        if engine.warm_up is not None and time.monotonic() > until:
            return self._request(engine.warm_up, row, self._parse_warm_up, {}, again=True)
        asked = engine.request(query_of(row, engine.about, self._arguments, self._language), os.environ)
        return self._request(asked, row, self._parse_answer, cookies, again=bool(row["tries"]))

    def keep_cookies(self, engine: str, cookies: Cookies) -> None:
        self._cookies[engine] = (time.monotonic() + _COOKIE_SECONDS, cookies)

    def drop_cookies(self, engine: str) -> None:
        """The engine has blocked: they are worth nothing any more."""
        self._cookies.pop(engine, None)

    def _request(
        self, asked: QueryRequest, row: Row, callback: Callable[..., Any], cookies: Cookies, *, again: bool
    ) -> Request:
        return Request(
            asked.url,
            callback,
            method=asked.method,
            headers=dict(asked.headers),
            cookies={**asked.cookies, **cookies},
            body=asked.body,
            priority=QUERY_SCORE * self._scale,
            meta={**ENGINE_META, READS_REFUSALS_KEY: True, FOUND_BY_KEY: "query"},
            cb_kwargs={"row": row},
            dont_filter=again,
        )

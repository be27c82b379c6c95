"""Query pages as requests to engines, and the results in their answers: scored, looked up, and requested if new."""

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from http.cookies import CookieError, SimpleCookie
from typing import Any

from scrapy import Request
from scrapy.http import Response

from crawler.config.arguments import SearchArguments
from crawler.engines.protocol.engine import About, Cookies, Engine, EngineAnswer, QueryRequest, Reply, Result
from crawler.engines.protocol.redirects import needs_resolving
from crawler.engines.protocol.result_dates import published
from crawler.meta import DEPTH_KEY, FOUND_BY_KEY, READS_REFUSALS_KEY, RESULT_KEY, WORDS_KEY
from crawler.metasearch.queries import Row, query_of
from crawler.priorities import QUERY_SCORE, REDIRECT_SCORE, priority_of
from extractors.links.urls import canonical_url, url_key
from pipelines.items import RowsItem
from pipelines.stores.base import Store
from pipelines.stores.tables import QUERIES, REDIRECTS, RESULTS, URLS

ENGINE_META = {"dont_redirect": True, "dont_obey_robotstxt": True}
"""A query is not a crawl of the engine, which has its own delay, backoff and refusals."""
_COOKIE_SECONDS = 3_600.0
"""Lifetime of the cookies of an engine's first page."""


class QueryRequests:
    """Requests of query pages. For engines that need it, requests their first page, and sends its cookies for an hour.

    Args:
        language: default language of queries.
        scale: of priorities.
        parse_answer, parse_visit_first: callbacks for answers and for first pages.
    """

    def __init__(
        self,
        engines: Mapping[str, Engine],
        arguments: SearchArguments,
        language: str,
        scale: int,
        parse_answer: Callable[..., Any],
        parse_visit_first: Callable[..., Any],
    ) -> None:
        self._engines, self._arguments, self._language, self._scale = engines, arguments, language, scale
        self._parse_answer, self._parse_visit_first = parse_answer, parse_visit_first
        self._cookies: dict[str, tuple[float, Cookies]] = {}

    def request(self, row: Row) -> Request:
        """The request of this query page, or first of its engine's first page."""
        engine = self._engines[row["engine"]]
        until, cookies = self._cookies.get(row["engine"], (0.0, {}))
        if engine.visit_first is not None and time.monotonic() > until:
            return self._request(engine.visit_first, row, self._parse_visit_first, {}, again=True)
        asked = engine.request(query_of(row, engine.about, self._arguments, self._language), os.environ)
        return self._request(asked, row, self._parse_answer, cookies, again=bool(row["tries"]))

    def keep_cookies(self, engine: str, cookies: Cookies) -> None:
        self._cookies[engine] = (time.monotonic() + _COOKIE_SECONDS, cookies)

    def drop_cookies(self, engine: str) -> None:
        """Discard the cookies after a block."""
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


_FETCHED = ("fetched", "unchanged", "part", "other", "irrelevant")
_SCRIPTED = re.compile(
    rb"(?:location\.replace\(|location(?:\.href)?\s*=|URL=)\s*['\"]?(https?://[^'\"<>\s)]{1,2000})", re.I
)
_MAX_RANK = 99


def reply_of(response: Response) -> Reply:
    names = [name.decode("latin-1").lower() for name in response.headers]
    headers = {name: (response.headers[name] or b"").decode("latin-1") for name in names}
    return Reply(response.url, response.status, response.body, headers)


def retry_after(reply: Reply) -> float:
    """Seconds of the Retry-After header; 0 without one."""
    after = reply.headers.get("retry-after", "").strip()
    return float(after) if after.isdecimal() and len(after) < 7 else 0.0


def cookies_of(response: Response) -> Cookies:
    """Names and values of the Set-Cookie headers; invalid ones are skipped."""
    cookies: dict[str | bytes, str | bytes | bool | float | int] = {}
    for line in response.headers.getlist("Set-Cookie"):
        try:
            parsed = SimpleCookie(line.decode("latin-1"))
        except CookieError:
            continue
        cookies.update({name: morsel.value for name, morsel in parsed.items()})
    return cookies


def result_row(row: Row, result: Result, about: About, now: datetime) -> Row:
    """A result of a query page, with its date as ISO 8601."""
    named = {"query": row["key"], "key": url_key(result.url), "crawl": row["crawl"], "engine": row["engine"]}
    shown = {"title": result.title, "snippet": result.snippet, "date_text": result.date, "rank": result.rank}
    target = "" if needs_resolving(result.url) else result.url
    when = {"date": published(result, about, now), "found_at": now.isoformat(timespec="seconds")}
    return named | shown | when | {"words": row["words"], "url": result.url, "target": target}


def state_of(store: Store, row: Mapping[str, Any], since: date | None) -> str:
    """Whether a result is new, known, dead, or older than `since`, by its target if that is known."""
    target = row["target"] or resolved(store, row["url"])
    known = store.get(URLS, url_key(target)) if target else None
    if known and known["state"] == "dead":
        return "dead"
    if known and known["state"] in _FETCHED:
        return "known"
    return "old" if since and row["date"] and row["date"][:10] < since.isoformat() else "new"


def resolved(store: Store, url: str) -> str:
    """The stored target of an engine's redirect; "" if unknown."""
    known = store.get(REDIRECTS, url_key(url))
    return str(known["target"]) if known else ""


def target_of(response: Response) -> str:
    """The target of an engine's redirect, from its header, else from the script or refresh in its body; "" if unknown."""
    location = (response.headers.get("Location") or b"").decode("latin-1")
    scripted = _SCRIPTED.search(response.body[:20_000])
    target = response.urljoin(location) if location else scripted[1].decode("latin-1") if scripted else ""
    return target if target.startswith(("http://", "https://")) and not needs_resolving(target) else ""


class SearchResults:
    """Creates rows and requests of results.

    Args:
        score: scores results by titles and snippets, 0 … 1.
        scale: of priorities.
        parse, parse_target: callbacks for pages and for an engine's redirects.
    """

    def __init__(
        self,
        store: Store,
        score: Callable[[Sequence[Row]], list[float]],
        scale: int,
        parse: Callable[..., Any],
        parse_target: Callable[..., Any],
    ) -> None:
        self._store, self._score, self._scale = store, score, scale
        self._parse, self._parse_target = parse, parse_target
        self._relevant: dict[str, int] = {}

    def rows(self, row: Row, answer: EngineAnswer, about: About, since: date | None) -> list[Row]:
        """The results in a query page's answer, each with its state and score."""
        now = datetime.now(UTC)
        found = [result_row(row, result, about, now) for result in answer.results]
        return [
            each | {"state": state_of(self._store, each, since), "score": round(score, 4)}
            for each, score in zip(found, self._score(found), strict=True)
        ]

    def request(self, result: Row) -> Request:
        """The request of a result's page, or of the engine's redirect to it."""
        target = result["target"] or resolved(self._store, result["url"])
        if target:
            return self._page(target, result)
        kept = {name: result[name] for name in ("query", "key", "rank", "score", "words")}
        meta = {**ENGINE_META, FOUND_BY_KEY: "redirect"}
        priority = REDIRECT_SCORE * self._scale
        return Request(result["url"], self._parse_target, priority=priority, meta=meta, cb_kwargs={"result": kept})

    def of_target(self, response: Response, result: Row) -> Iterator[Request | RowsItem]:
        """Store the target of an engine's redirect, so that it is requested only once, and request the page."""
        named = {"query": result["query"], "key": result["key"]}
        target = target_of(response)
        if not target:
            state = "dead" if response.status in (404, 410) else "failed"
            yield RowsItem([(RESULTS, named | {"state": state})])
            return
        resolved_at = datetime.now(UTC).isoformat(timespec="seconds")
        kept = {"key": result["key"], "url": response.url, "target": target, "resolved_at": resolved_at}
        state = state_of(self._store, {"target": target, "url": "", "date": ""}, None)
        yield RowsItem([(REDIRECTS, kept), (RESULTS, named | {"target": target, "state": state})])
        if state == "new":
            yield self._page(target, result)

    def relevant_row(self, query: str) -> RowsItem:
        if query not in self._relevant:
            stored = self._store.get(QUERIES, query)
            self._relevant[query] = (stored["relevant"] or 0) if stored else 0
        self._relevant[query] += 1
        return RowsItem([(QUERIES, {"key": query, "relevant": self._relevant[query]})])

    def _page(self, url: str, result: Row) -> Request:
        """The request of a result's page, before every link, by score and then by rank."""
        score = 1 + min(1.0, result["score"]) - min(result["rank"], _MAX_RANK) / 1_000
        meta = {
            DEPTH_KEY: 0,
            FOUND_BY_KEY: "search",
            RESULT_KEY: [result["query"], result["key"]],
            WORDS_KEY: result["words"],
        }
        return Request(canonical_url(url) or url, self._parse, priority=priority_of(score, self._scale), meta=meta)

"""Responses of engines as answers, and their results as rows with what the store knows about them."""

import re
from collections.abc import Mapping
from datetime import date, datetime
from http.cookies import CookieError, SimpleCookie
from typing import Any

from scrapy.http import Response

from crawler.engines.protocol.dates import published
from crawler.engines.protocol.engine import About, Cookies, Reply, Result
from crawler.engines.protocol.redirects import needs_resolving
from crawler.metasearch.query_store import Row
from extractors.links.urls import url_key
from pipelines.stores.base import Store
from pipelines.stores.tables import REDIRECTS, URLS

_FETCHED = ("fetched", "unchanged", "part", "other", "irrelevant")
_SCRIPTED = re.compile(
    rb"(?:location\.replace\(|location(?:\.href)?\s*=|URL=)\s*['\"]?(https?://[^'\"<>\s)]{1,2000})", re.I
)


def reply_of(response: Response) -> Reply:
    """A Scrapy response as engines read it."""
    names = [name.decode("latin-1").lower() for name in response.headers]
    headers = {name: (response.headers[name] or b"").decode("latin-1") for name in names}
    return Reply(response.url, response.status, response.body, headers)


def retry_after(reply: Reply) -> float:
    """Seconds of the Retry-After header; 0 without one."""
    after = reply.headers.get("retry-after", "").strip()
    return float(after) if after.isdigit() and len(after) < 7 else 0.0


def cookies_of(response: Response) -> Cookies:
    """Names and values of the Set-Cookie headers; invalid ones are left out."""
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

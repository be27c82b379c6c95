"""Parses answers for a watch."""

import asyncio
import re
from dataclasses import replace
from hashlib import blake2b
from urllib.parse import urlsplit

from scrapy.http import Response

from crawler.download.answer_times import kept_for
from crawler.links.files import NO_PAGE_EXTENSIONS
from crawler.links.sitemaps import sitemaps_of_robots
from crawler.middlewares.failures import retry_after
from crawler.page_answers import page_of
from crawler.watching.answers import Listing, PageFacts, VisitAnswer
from crawler.watching.listings import read_feed_listing, read_page
from crawler.watching.running_reports import is_running_report
from crawler.watching.visits import PAGE_KINDS, WatchVisit
from extractors.links.urls import canonical_url, resolve_url
from extractors.page import OnFailure, Page
from pipelines.items import PageItem

_NOTICE = re.compile(
    r"不存在|已(?:被)?删除|已下[线架]|找不到|无法找到|not (?:be )?found|no longer (?:exists|available)|removed|404",
    re.I,
)
_LINK = re.compile(r"""<([^<>]{1,2000})>\s*;\s*rel\s*=\s*"?(hub|self)"?(?![\w-])""", re.I)
_MAX_LINKS = 8_000
_LARGE_BYTES, _GZIP = 500_000, b"\x1f\x8b"
"""Feeds are larger only rarely; the first bytes of packed ones, whose size is unknown."""
_MAX_NOTICE_CHARS = 200
_MIN_CONFIDENCE = 0.5


def answer_of(
    visit: WatchVisit,
    response: Response,
    item: PageItem | None,
    on_failure: OnFailure | None = None,
    skipped: tuple[str, ...] = NO_PAGE_EXTENSIONS,
    feed: Listing | None = None,
) -> VisitAnswer:
    """The content of an answer. `item`: the page, if one was visited and answered with 200. `skipped`: filename extensions
    that are not visited. `feed`: the entries of a feed, sitemap or list, if they were read before."""
    status = response.status
    validators = tuple((response.headers.get(name) or b"").decode("latin-1") for name in ("ETag", "Last-Modified"))
    listing: Listing | None = None
    facts: PageFacts | None = None
    if visit.kind == "robots":
        listing = Listing(candidates=tuple((address, "map") for address in sitemaps_of_robots(response)))
    elif visit.kind in PAGE_KINDS:
        facts = _facts(visit, response, item)
    elif status == 200:
        listing = _listing(visit, response, on_failure, skipped, feed)
    wait, kept = retry_after(response) or 0.0, kept_for(response)
    return VisitAnswer(status, listing, facts, wait, (validators[0], validators[1]), kept_for=kept)


def is_list(visit: WatchVisit, response: Response) -> bool:
    """Whether an answer should list items."""
    return visit.kind not in ("robots", *PAGE_KINDS) and response.status == 200


def is_large_list(visit: WatchVisit, response: Response) -> bool:
    """Whether an answer may be a feed or sitemap whose reading takes long."""
    return is_list(visit, response) and (len(response.body) > _LARGE_BYTES or response.body[:2] == _GZIP)


async def feed_of(response: Response) -> Listing | None:
    """The entries of a feed or sitemap, read beside the event loop; None for anything else."""
    return await asyncio.to_thread(read_feed_listing, response.body, response.url)


def leads_home(visit: WatchVisit, response: Response) -> bool:
    """Whether a page redirects to a home page, as sites do for removed pages."""
    target = response.url
    if 300 <= response.status < 400:
        target = resolve_url(response.url, (response.headers.get("Location") or b"").decode("latin-1"))
    return target != visit.url and urlsplit(target).path in ("", "/") and not urlsplit(target).query


def is_notice(page: Page) -> bool:
    """Whether a page has a notice of removal instead of an article."""
    if page.kind.name == "document" or page.records.kind != "none":
        return False
    text = page.article.text if page.article.confidence >= _MIN_CONFIDENCE else ""
    if len(text) > _MAX_NOTICE_CHARS:
        return False
    said = text or "".join(page.columns.texts)[: 20 * _MAX_NOTICE_CHARS]
    return _NOTICE.search(said) is not None


def _facts(visit: WatchVisit, response: Response, item: PageItem | None) -> PageFacts | None:
    if leads_home(visit, response):
        return PageFacts("", gone=True)
    if item is None:
        return PageFacts("") if 300 <= response.status < 400 else None
    if is_notice(item.page):
        return PageFacts("", gone=True)
    text = item.page.article.text
    digest = blake2b(f"{item.page.article.title}\n{text}".encode("utf-8", "replace"), digest_size=10).hexdigest()
    relevance = 1.0 if item.relevance is None else float(item.relevance)
    return PageFacts(digest if text else "", relevance=relevance, grows=is_running_report(item.page))


def _listing(
    visit: WatchVisit,
    response: Response,
    on_failure: OnFailure | None,
    skipped: tuple[str, ...],
    feed: Listing | None,
) -> Listing | None:
    """The listing: a feed or sitemap, whatever was expected, else a page of links."""
    found = feed or read_feed_listing(response.body, response.url)
    if found is not None:
        return _with_hub(found, response)
    if visit.kind in ("feed", "map"):
        return None
    return read_page(page_of(response, on_failure), grows=visit.grows, skipped=skipped)


def _with_hub(listing: Listing, response: Response) -> Listing:
    """The listing with the hub in the headers, which overrides that of the feed."""
    said = b", ".join(response.headers.getlist("Link")).decode("latin-1")[:_MAX_LINKS]
    found = {name: resolve_url(response.url, address) for address, name in _LINK.findall(said)}
    hub, topic = found.get("hub") or listing.hub, found.get("self") or listing.topic
    return replace(listing, hub=hub, topic=topic or response.url) if hub else listing


def address_of(response: Response) -> str:
    """The canonical address of the answer, after redirects."""
    return canonical_url(response.url) or response.url

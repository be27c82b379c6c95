"""The pages that a crawl of a topic would fetch first, as far as what is stored tells."""

from collections.abc import Iterator, Sequence
from itertools import islice

from scrapy.settings import BaseSettings

from crawler.commands._dry_crawl import Answer, DryCrawl, DryStep
from crawler.meta import FOUND_BY_KEY, REFERRER_KEY
from crawler.strategies import strategy_class
from crawler.terms.example_store import stored_page
from extractors.links.urls import canonical_url, url_key
from extractors.topic.model import Topic
from pipelines.stores.base import Store
from pipelines.stores.tables import URLS

_STEPS = 50
_GONE = ("dead", "refused", "failed")


def preview_lines(store: Store, settings: BaseSettings, topic: Topic, starts: Sequence[str]) -> Iterator[str]:
    """A line for each of the first 50 requests, and how far what is stored reaches."""
    strategy = strategy_class(settings["LINK_STRATEGY"], "focused")
    asked = settings.copy()
    asked.set("TOPIC_LEARN_PAGES", 0)
    crawl = DryCrawl(asked, strategy(asked, lambda: store, topic), starts, lambda url: _answer(store, url))
    yield "     expected  relevance  address"
    steps = []
    for place, step in enumerate(islice(crawl.steps(), _STEPS), 1):
        steps.append(step)
        yield from _lines(place, step)
    read = [step.verdict for step in steps if step.verdict is not None]
    yield (
        f"requests: {len(steps)}; of stored pages: {len(read)}; pages that would be kept: {sum(each.relevant for each in read)}"
    )
    if len(read) < len(steps):
        yield "Links on pages that are not stored are unknown, so a crawl finds more and may go another way."


def _answer(store: Store, url: str) -> Answer:
    """The stored page of an address, after its redirects."""
    row = store.get(URLS, url_key(url)) or {}
    if row.get("state") == "redirected" and (target := canonical_url(row.get("reason") or "")):
        url = target
    page = stored_page(store, url)
    return Answer(url, page, missing=page is None and row.get("state") in _GONE)


def _lines(place: int, step: DryStep) -> Iterator[str]:
    verdict, meta = step.verdict, step.request.meta
    relevance = "        –" if verdict is None else f"{verdict.relevance or 0:8.2f}{'*' if verdict.relevant else ' '}"
    yield f"{place:3}  {step.expected:8.2f}  {relevance}  {step.request.url}"
    origin = meta.get(REFERRER_KEY) or meta.get(FOUND_BY_KEY, "")
    found = {"start": "start page", "sitemap": "in a sitemap"}.get(origin, f"linked from {origin}")
    yield f"{'':26}{'; '.join(filter(None, [found, step.why]))}"

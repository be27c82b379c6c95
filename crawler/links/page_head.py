"""Addresses in the head of a page: its feeds, its canonical address, the target of its meta refresh."""

from collections import Counter

import numpy as np

from crawler.links.scope import registered_domain
from extractors.html.document import Document
from extractors.links.urls import canonical_url, host_of, resolve_url

_FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json")
_MAX_FEEDS = 5
_MAX_CLAIMING_PAGES = 5
"""Pages that may claim the same canonical address; more are a mistake of the site."""
_MAX_KNOWN_CLAIMS = 50_000


class CanonicalAddresses:
    """The address under which each page of a crawl is stored."""

    def __init__(self) -> None:
        self._claims: Counter[str] = Counter()

    def of(self, page: Document) -> str:
        """The canonical address if it is credible: on the page's domain, not a home page, not shared by many pages."""
        own = canonical_url(page.url) or page.url
        claimed = page.once(canonical_of_page)
        if not claimed or claimed == own or registered_domain(host_of(claimed)) != registered_domain(host_of(own)):
            return own
        if claimed.rstrip("/").count("/") < 3:
            return own
        self._claims[claimed] += 1
        if len(self._claims) > _MAX_KNOWN_CLAIMS:
            self._claims.clear()
        return claimed if self._claims[claimed] <= _MAX_CLAIMING_PAGES else own


def feeds_of_page(page: Document) -> list[str]:
    """The feeds that a page announces; the first five."""
    columns = page.columns
    links = np.flatnonzero(columns.tagged("link")).tolist()
    feeds = (place for place in links if columns.value(place, "type").lower() in _FEED_TYPES)
    addresses = (resolve_url(page.base_url, columns.value(place, "href")) for place in feeds)
    return list(filter(None, addresses))[:_MAX_FEEDS]


def canonical_of_page(page: Document) -> str:
    """The page's canonical address; "" if it has none."""
    columns = page.columns
    for place in np.flatnonzero(columns.tagged("link")).tolist():
        if columns.value(place, "rel").lower() == "canonical":
            return resolve_url(page.base_url, _with_scheme(columns.value(place, "href").strip(), page.url))
    return ""


def _with_scheme(reference: str, url: str) -> str:
    """Add the scheme to a host without one, a common mistake that would otherwise mean a folder of that name."""
    if host_of(url) and reference.split("/", 1)[0].lower() == host_of(url):
        return f"{url.split(':', 1)[0]}://{reference}"
    return reference


def refresh_of_page(page: Document) -> str:
    """The target of an immediate meta refresh; "" if there is none."""
    columns = page.columns
    for place in np.flatnonzero(columns.tagged("meta")).tolist():
        if columns.value(place, "http-equiv").lower() == "refresh":
            seconds, _, target = columns.value(place, "content").partition(";")
            name, _, address = target.strip().partition("=")
            if seconds.strip().split(".")[0] in ("0", "1", "2", "3") and name.strip().lower() == "url":
                return resolve_url(page.base_url, address.strip(" '\""))
    return ""


def linked_headings(page: Document) -> int:
    """The number of headings that are links; a list of articles has many."""
    columns = page.columns
    length = columns.text_length
    linked = columns.tagged("h1", "h2", "h3", "h4") & (length > 0) & (columns.link_length >= 0.8 * length)
    return int(np.count_nonzero(linked))

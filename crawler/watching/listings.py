"""Parses listings: the items among a page's links, candidates for further lists, and the entries of feeds and sitemaps."""

import re
from collections import Counter
from urllib.parse import urlsplit

from crawler.links.carried_links import carried_entries
from crawler.links.files import NO_PAGE_EXTENSIONS
from crawler.links.page_head import feeds_of_page
from crawler.links.scope import registered_domain
from crawler.links.split_threads import activity_of
from crawler.links.traps import is_growing, pattern_of
from crawler.watching.answers import Listed, Listing
from crawler.watching.search_forms import search_template
from extractors.article.published import day_of_url
from extractors.feeds import Feed, read_feed
from extractors.links.find import Link
from extractors.links.list_paging import first_addresses, number_after
from extractors.links.urls import canonical_url, host_of
from extractors.page import Page

_WIDE = re.compile(r"[ᄀ-￿]")
_PAGER = re.compile(r"^\W*(?:\d+|[上下首尾末]一?[页頁]|后一页|更多|more|next|prev\w*|older|newer|last|first)\W*$", re.I)
_NEXT = re.compile(r"^\W*(?:下一?[页頁]|后一页|next(?: page)?|older(?: posts| entries)?|较旧文章)\W*$", re.I)
_PAPER_PAGE = re.compile(
    r"^\W*(?:第\s?)?(?:[A-Z]{0,2}\d{1,3}\s?[版叠](?:\W|$)|[A-Z]\d{1,2}(?=[\W_]|$)|page\s[A-Z]?\d{1,3}(?!\w))", re.I
)
"""Links to the pages of a daily paper: 第02版：国内新闻, A01 要闻, Page 3."""
_MIN_TITLE, _MAX_NAME = 12, 20
"""Text widths (a Chinese character counts 2): titles of items are at least, names of sections at most this wide."""
_MIN_FAMILY_ITEMS = 3
"""Links with titles of one pattern that make all links of that pattern items."""
_MIN_COUNTED_SHARE = 0.5
"""Share of a thread list's lines that have a number of replies or a last reply."""
_MAX_ITEMS = 1_000


def read_page(page: Page, *, grows: bool | None = None, skipped: tuple[str, ...] = NO_PAGE_EXTENSIONS) -> Listing:
    """The items of an HTML page.

    Args:
        grows: whether the page is a list of threads; None at the first visit: detect it, and find the site's search.
        skipped: filename extensions that are not items.
    """
    links = [link for link in page.links if _may_be_watched(page.url, link, skipped)]
    items = item_links(links)
    addresses = {link.url for link in items}
    stamps = _thread_stamps(page) if grows is not False else {}
    found = tuple(Listed(link.url, stamps.get(link.url, f"t{link.text}"), link.url in stamps) for link in items)
    if stamps:
        found = _with_pages(found, links)
    others = [(link.url, "list") for link in links if link.url not in addresses and _may_be_list(page.url, link)]
    feeds = [(url, "feed") for url in page.once(feeds_of_page)]
    following = next((link.url for link in links if _NEXT.match(link.text)), "")
    search = search_template(page) if grows is None else ""
    found += tuple(
        each for each in Listing.of(Feed("feed", page.once(carried_entries))).items if each.url not in addresses
    )
    return Listing(found[:_MAX_ITEMS], (*feeds, *others), following, search=search, charset=page.charset)


def item_links(links: list[Link]) -> list[Link]:
    """Links with titles, and links of the same patterns."""
    links = [link for link in links if not is_paper_page(link)]
    titled = {link.url for link in links if width(link.text) >= _MIN_TITLE and urlsplit(link.url).path.strip("/")}
    families = Counter(pattern_of(url) for url in titled)
    common = {pattern for pattern, count in families.items() if count >= _MIN_FAMILY_ITEMS}
    return [
        link
        for link in links
        if not _PAGER.match(link.text) and (link.url in titled or (link.text and pattern_of(link.url) in common))
    ]


def width(text: str) -> int:
    """The display width of a text; wide characters count 2."""
    return len(text) + len(_WIDE.findall(text))


def _may_be_watched(own: str, link: Link, skipped: tuple[str, ...]) -> bool:
    path = link.url.partition("?")[0].lower()
    return (
        registered_domain(host_of(link.url)) == registered_domain(host_of(own))
        and not path.endswith(skipped)
        and not is_growing(link.url)
    )


def _may_be_list(own: str, link: Link) -> bool:
    is_named = is_paper_page(link) or (0 < width(link.text) <= _MAX_NAME and not _PAGER.match(link.text))
    return is_named and link.url.rstrip("/") != own.rstrip("/")


def is_paper_page(link: Link) -> bool:
    """Whether a link leads to a page of a daily paper's issue: named as such, under the path of a day."""
    return _PAPER_PAGE.match(link.text) is not None and bool(day_of_url(link.url))


def _thread_stamps(page: Page) -> dict[str, str]:
    """For each thread of a board a stamp that changes with each reply; empty if the page is not a board."""
    found = page.records
    if found.kind != "thread_list" or not found.records:
        return {}
    counted = sum(bool(record.replies) for record in found.records)
    if counted < _MIN_COUNTED_SHARE * len(found.records):
        return {}
    now = page.made_at
    stamps = ((canonical_url(record.url), record) for record in found.records)
    return {url: f"r{record.replies or activity_of(record, now)}" for url, record in stamps if url}


def _with_pages(items: tuple[Listed, ...], links: list[Link]) -> tuple[Listed, ...]:
    """Threads with the addresses of their further pages, from the links beside them; those pages are removed from the items."""
    first = {item.url for item in items if item.grows}
    pages: dict[str, dict[int, str]] = {}
    for link in links:
        for address in first_addresses(link.url) if link.url not in first else ():
            if address in first and (number := number_after(address, link.url)):
                pages.setdefault(address, {})[number] = link.url
    further = {url for found in pages.values() for url in found.values()}
    return tuple(
        Listed(item.url, item.stamp, item.grows, pages.get(item.url, {})) for item in items if item.url not in further
    )


# -- feeds and sitemaps ------------------------------------------------------------------------------------------------


def read_feed_listing(body: bytes, url: str) -> Listing | None:
    """The entries of a feed or a sitemap with the time of their last change; None for anything else. Never raises.

    The entries of an index are sitemaps. If there are too many, the most recently changed are kept.
    """
    found = read_feed(body, url)
    return None if found is None else Listing.of(found)

"""Sources that lists lead to: linked lists, the usual addresses of feeds, and a site's own search."""

from collections.abc import Iterable
from urllib.parse import quote

from crawler.watching.answers import Listing
from crawler.watching.issues import day_of_list, see_issue
from crawler.watching.search_forms import QUERY
from crawler.watching.sites import WatchedSite, WatchSource
from crawler.watching.sources import UNSEEN_CANDIDATE, UNSEEN_GUESS, Sources

_GUESSES = ("/feed/", "/rss.xml", "/atom.xml")


def add_linked(sources: Sources, source: WatchSource, candidates: Iterable[tuple[str, str]], now: float) -> None:
    """Add lists of the same site, given with their likely kinds."""
    site = sources.site_of(source.url)
    for url, kind in candidates:
        if kind == "list" and day_of_list(url):
            if sources.site_of(url) is site:
                see_issue(sources, site, url, source.depth + 1, now)
        elif site.admits(url) and sources.site_of(url) is site:
            sources.add(site, url, kind, now, UNSEEN_CANDIDATE, source.depth + 1)


def add_guessed(sources: Sources, site: WatchedSite, source: WatchSource, now: float) -> None:
    """Add the usual addresses of feeds to a site that announces none."""
    if any(other.kind == "feed" for other in site.sources.values()):
        return
    root = "/".join(source.url.split("/")[:3])
    for path in _GUESSES:
        if site.admits(root + path):
            sources.add(site, root + path, "feed", now, UNSEEN_GUESS, 1)


def add_searches(sources: Sources, site: WatchedSite, words: Iterable[str], listing: Listing, now: float) -> None:
    """Add the results of the site's own search for words of the topic."""
    for word in words if listing.search else ():
        url = listing.search.replace(QUERY, quote(word.encode(listing.charset, "ignore")))
        if site.admits(url):
            sources.add(site, url, "list", now, UNSEEN_GUESS, 1)

"""Indexes of sitemaps: chooses the sitemaps to watch, and visits one when its index reports a change."""

from crawler.watching.answers import Listed, Listing
from crawler.watching.sites import WatchedSite, WatchSource
from crawler.watching.sources import UNSEEN_CANDIDATE, Sources

_MAX_NEWEST_MAPS = 3
"""Sitemaps to try when an index is first seen: the most recently changed ones, or the first and the last."""
_MAX_MAPS = 2_000


def see_index(sources: Sources, site: WatchedSite, source: WatchSource, listing: Listing, now: float) -> None:
    """Process a visit of an index; a changed sitemap counts as one new item."""
    before, first = sources.queue.visited(source.row), source.visits == 0
    known = site.maps
    changed = [item for item in listing.items if known.get(item.url, item.stamp if first else "") != item.stamp]
    for item in _newest(listing.items) if first else changed:
        _hurry(sources, site, source, item.url, now)
    known.update({item.url: item.stamp for item in listing.items[:_MAX_MAPS]})
    if not first:
        sources.learn(site, source, before, len(changed), now)
    source.see((), len(changed))
    sources.relieve(site, source, now)


def _newest(items: tuple[Listed, ...]) -> list[Listed]:
    if all(item.stamp for item in items):
        return sorted(items, key=lambda item: item.stamp, reverse=True)[:_MAX_NEWEST_MAPS]
    return list(dict.fromkeys((*items[:2], *items[-1:])))


def _hurry(sources: Sources, site: WatchedSite, index: WatchSource, url: str, now: float) -> None:
    found = site.sources.get(url)
    if found is not None:
        sources.queue.hurry(found.row, now, UNSEEN_CANDIDATE)
    elif sources.site_of(url) is site and site.admits(url):
        sources.add(site, url, "map", now, UNSEEN_CANDIDATE, index.depth + 1)

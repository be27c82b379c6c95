"""Which URLs belong to a crawl, and which lead into endless spaces: calendars, filters, session paths, growing paths."""

import re
from collections import Counter, OrderedDict
from functools import lru_cache
from urllib.parse import parse_qsl, urlsplit

from tldextract import TLDExtract

from extractors.links.urls import host_of

SUFFIXES = TLDExtract(suffix_list_urls=(), include_psl_private_domains=True, cache_dir=None)
"""Splits a host by the list of public suffixes that the package carries; nothing is fetched."""


@lru_cache(maxsize=20_000)
def registered_domain(host: str) -> str:
    """The domain that its owner registered (news.example.com.cn → example.com.cn); the host itself if it has none."""
    return SUFFIXES(host).top_domain_under_public_suffix or host


class Scope:
    """The registered domains of some URLs, and what an operator allows besides.

    Args:
        urls: start pages, whose domains are in scope.
        allow: further domains, or URL prefixes (beginning with http). With prefixes, only what begins with one of them
            is in scope.
    """

    def __init__(self, urls: list[str], allow: list[str]) -> None:
        self.prefixes = tuple(entry for entry in allow if entry.startswith(("http://", "https://")))
        named = {registered_domain(entry.lower()) for entry in allow if entry and entry not in self.prefixes}
        self._domains = named | {registered_domain(host_of(url)) for url in urls}

    def widen(self, url: str) -> None:
        """Take the URL's domain into scope, unless the operator has given prefixes."""
        if not self.prefixes:
            self._domains.add(registered_domain(host_of(url)))

    def holds(self, url: str) -> bool:
        if self.prefixes and not url.startswith(self.prefixes):
            return False
        return registered_domain(host_of(url)) in self._domains


_DIGITS = re.compile(r"\d+")
_MAX_SEGMENTS = 20
_MAX_REPEATS = 3
_MAX_PATTERNS = 50_000
_MIN_PAGES = 200
"""Pages of a pattern that are fetched before its yield counts."""
_MIN_YIELD = 0.03


def pattern_of(url: str) -> str:
    """The URL's shape: host, path with its numbers replaced, names of its arguments."""
    parts = urlsplit(url)
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    return f"{parts.netloc}{_DIGITS.sub('0', parts.path)}?{'&'.join(names)}"


def is_growing(url: str) -> bool:
    """The path repeats a segment, or is deeper than any that people make: a relative link that feeds on itself."""
    segments = [segment for segment in urlsplit(url).path.split("/") if segment]
    if len(segments) > _MAX_SEGMENTS:
        return True
    return any(count > _MAX_REPEATS for segment, count in Counter(segments).items() if not segment.isdigit())


class PatternYields:
    """What each pattern of URLs has brought; memory is bounded by forgetting the patterns longest unused."""

    def __init__(self) -> None:
        self._patterns: OrderedDict[str, list[int]] = OrderedDict()

    def add(self, url: str, useful: bool) -> None:
        """A page was fetched; useful if it was an article or led to new pages of other patterns."""
        counts = self._of(pattern_of(url))
        counts[0] += 1
        counts[1] += useful

    def is_barren(self, url: str) -> bool:
        """Enough pages of this pattern were fetched, and nearly none was of use."""
        counts = self._patterns.get(pattern_of(url))
        return counts is not None and counts[0] >= _MIN_PAGES and counts[1] < _MIN_YIELD * counts[0]

    def _of(self, pattern: str) -> list[int]:
        counts = self._patterns.setdefault(pattern, [0, 0])
        self._patterns.move_to_end(pattern)
        if len(self._patterns) > _MAX_PATTERNS:
            self._patterns.popitem(last=False)
        return counts

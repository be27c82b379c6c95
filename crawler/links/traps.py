"""Endless spaces of URLs: calendars, filters, session paths, growing paths."""

import re
from collections import Counter, OrderedDict
from urllib.parse import parse_qsl, urlsplit

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

"""Infinite URL spaces: calendars, filters, tag clouds, session paths, growing paths."""

import re
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qsl, urlsplit

from extractors.links.urls import host_of
from extractors.page import Page

_DIGITS = re.compile(r"\d+")
_ARGUMENTS = re.compile("[?#]")
_MAX_SEGMENTS = 20
_MAX_REPEATS = 3
_MIN_SLASHES = 2 + _MAX_REPEATS + 1
"""Of an address whose path has enough segments for that."""
_MAX_KINDS, _MAX_SUSPECTS = 50_000, 200_000
_MIN_PAGES = 500
"""Pages of a pattern or folder needed before their yield counts."""
_MIN_YIELD = 0.03
_MAX_USELESS_PAGES, _MAX_USELESS_FOLDER_PAGES = 80, 200
"""Consecutive useless pages after which a pattern or folder is barren, on a host that mostly sends useless pages."""
_MIN_WASTED_SHARE, _LATEST_WEIGHT = 0.5, 0.01
"""Share of useless pages that counts as "mostly"; weight of the latest page in it."""
_MIN_KNOWN_PAGES, _MIN_TEXT_SHARE = 10, 0.05
"""Pages needed to know the targets of a kind of links; share of texts that makes them worth following."""
_MIN_CONFIDENCE = 0.5
_CACHED = 4_000


@lru_cache(maxsize=_CACHED)
def pattern_of(url: str) -> str:
    """The URL's shape: host, path with its numbers replaced, names of its arguments."""
    parts = urlsplit(url)
    names = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)} if parts.query else ()
    return f"{parts.netloc}{_DIGITS.sub('0', parts.path)}?{'&'.join(sorted(names))}"


def folder_of(pattern: str) -> str:
    """The folder of a pattern, which all pages of a tag cloud share."""
    path = pattern.partition("?")[0]
    before, slash, last = path.removesuffix("/").rpartition("/")
    return f"{before}{slash}*" if last else path


def is_growing(url: str) -> bool:
    """Whether the path repeats a segment or is implausibly deep, as from a relative link that extends itself."""
    if url.count("/") < _MIN_SLASHES:
        return False
    segments = [segment for segment in _ARGUMENTS.split(url, maxsplit=1)[0].split("/")[3:] if segment]
    if len(segments) > _MAX_SEGMENTS:
        return True
    repeated = len(segments) - len(set(segments)) >= _MAX_REPEATS
    return repeated and any(
        count > _MAX_REPEATS for segment, count in Counter(segments).items() if not segment.isdigit()
    )


@dataclass(slots=True)
class _Yield:
    """Counts of one kind of pages: read, with their own text, of known use, useful, and useless since the last useful
    one."""

    pages: int = 0
    texts: int = 0
    judged: int = 0
    useful: int = 0
    dry: int = 0

    def add(self, has_text: bool, has_use: bool | None) -> None:
        self.pages += 1
        self.texts += has_text
        self.judged += has_use is not None
        self.useful += has_use is True
        self.dry = 0 if has_use else self.dry + (has_use is False)

    def is_barren(self) -> bool:
        return self.judged >= _MIN_PAGES and self.useful < _MIN_YIELD * self.judged


class PatternYields:
    """The yield of each URL pattern and of each folder.

    A page is useful if it has a text, or new links to pages of another kind that have texts; until those are known, its use
    is unknown too. Links alone do not count: a calendar leads to days, and these to the calendar. How long a kind may be
    useless depends on the host: among useful pages a list may come back to something new; among useless ones it ends soon.
    Memory is bounded: the least recently used kinds are evicted.
    """

    def __init__(self) -> None:
        self._wasted: OrderedDict[str, float] = OrderedDict()
        self._kinds: OrderedDict[str, _Yield] = OrderedDict()
        self._suspects: OrderedDict[str, None] = OrderedDict()

    def add(self, url: str, has_text: bool, new_links: Iterable[str] = (), *, of_use: bool = False) -> bool | None:
        """Note a page that was read: whether it has its own text, and its new links. `of_use`: count it as useful anyway.

        Returns whether it is useful; None while this is unknown.
        """
        pattern = pattern_of(url)
        has_use: bool | None = of_use or has_text
        if not has_use:
            targets = [self._has_texts(target) for target in set(map(pattern_of, new_links)) - {pattern}]
            has_use = True if True in targets else None if None in targets else False
        for kind in (pattern, folder_of(pattern)):
            self._of(kind).add(has_text or of_use, has_use)
        if has_use is not None:
            self._note_host(host_of(url), has_use)
        return has_use

    def suspect(self, url: str) -> None:
        """Note that a useless page links to it."""
        self._suspects[url] = None
        if len(self._suspects) > _MAX_SUSPECTS:
            self._suspects.popitem(last=False)

    def vouch(self, urls: Iterable[str]) -> None:
        """Note that a useful page links to these."""
        if self._suspects:
            for url in urls:
                self._suspects.pop(url, None)

    def is_trap(self, url: str) -> bool:
        """Whether only useless pages link to it, and its pattern is barren."""
        return url in self._suspects and self.is_barren(url)

    def is_barren(self, url: str) -> bool:
        """Whether hardly any of enough pages of this kind were useful, or none lately on a host that is mostly useless."""
        pattern = pattern_of(url)
        kind, folder = self._kinds.get(pattern), self._kinds.get(folder_of(pattern))
        if self._wasted.get(host_of(url), 0.0) > _MIN_WASTED_SHARE and (
            (kind is not None and kind.dry >= _MAX_USELESS_PAGES)
            or (folder is not None and folder.dry >= _MAX_USELESS_FOLDER_PAGES)
        ):
            return True
        if kind is not None and kind.judged >= _MIN_PAGES:
            return kind.is_barren()
        return folder is not None and folder.is_barren()

    def _has_texts(self, pattern: str) -> bool | None:
        """Whether pages of this pattern, or of its folder, have texts; None while this is unknown."""
        for kind in (pattern, folder_of(pattern)):
            found = self._kinds.get(kind)
            if found is not None and found.pages >= _MIN_KNOWN_PAGES:
                return found.texts >= _MIN_TEXT_SHARE * found.pages
        return None

    def _note_host(self, host: str, has_use: bool) -> None:
        wasted = self._wasted.pop(host, 0.0)
        self._wasted[host] = wasted + _LATEST_WEIGHT * ((not has_use) - wasted)
        if len(self._wasted) > _MAX_KINDS:
            self._wasted.popitem(last=False)

    def _of(self, kind: str) -> _Yield:
        found = self._kinds.setdefault(kind, _Yield())
        self._kinds.move_to_end(kind)
        if len(self._kinds) > _MAX_KINDS:
            self._kinds.popitem(last=False)
        return found


def has_own_text(page: Page) -> bool:
    """Whether the page has content of its own; lists have none."""
    return not page.kind.is_list and (page.kind.name == "thread" or page.article.confidence >= _MIN_CONFIDENCE)

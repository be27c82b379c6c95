"""Endless spaces of URLs: calendars, filters, tag clouds, session paths, growing paths."""

import re
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from extractors.links.urls import host_of

_DIGITS = re.compile(r"\d+")
_LAST_SEGMENT = re.compile(r"[^/]+/?$")
_MAX_SEGMENTS = 20
_MAX_REPEATS = 3
_MAX_KINDS, _MAX_SUSPECTS = 50_000, 200_000
_MIN_PAGES = 500
"""Pages of a pattern, or of a folder, that are read before their yield counts."""
_MIN_YIELD = 0.03
_DRY, _DRY_FOLDER = 80, 200
"""Pages without use in a row after which a pattern, or a folder, has run dry, where most of what the host sends is of no use."""
_WASTED, _LATEST = 0.5, 0.01
"""The share of pages without use that is most; and the weight of the latest page in it."""
_KNOWN, _MIN_TEXTS = 10, 0.05
"""Pages that are read before it is known what links of a kind lead to; and the share of texts that makes them worth following."""


def pattern_of(url: str) -> str:
    """The URL's shape: host, path with its numbers replaced, names of its arguments."""
    parts = urlsplit(url)
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    return f"{parts.netloc}{_DIGITS.sub('0', parts.path)}?{'&'.join(names)}"


def folder_of(pattern: str) -> str:
    """The folder of a pattern, which the pages of a tag cloud have in common."""
    return _LAST_SEGMENT.sub("*", pattern.partition("?")[0])


def is_growing(url: str) -> bool:
    """The path repeats a segment, or is deeper than any that people make: a relative link that feeds on itself."""
    segments = [segment for segment in urlsplit(url).path.split("/") if segment]
    if len(segments) > _MAX_SEGMENTS:
        return True
    return any(count > _MAX_REPEATS for segment, count in Counter(segments).items() if not segment.isdigit())


@dataclass(slots=True)
class _Yield:
    """Pages of one kind: how many were read, how many had a text of their own, of how many the use is known, and is there;
    and how many without use have come since the last one of use."""

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
    """What each pattern of URLs, and each folder, has brought.

    A page is of use if it has a text, or new links to pages of another kind that have texts; while
    it is not known what those have, its use is not known either. A calendar leads to days and these to the calendar: links alone
    are no use. How long a kind may bring nothing depends on the host: where other pages are of use, a list may come back to
    something new; where most pages are of no use, it ends soon. Memory is bounded: the kinds longest unused are forgotten.
    """

    def __init__(self) -> None:
        self._wasted: OrderedDict[str, float] = OrderedDict()
        self._kinds: OrderedDict[str, _Yield] = OrderedDict()
        self._suspects: OrderedDict[str, None] = OrderedDict()

    def add(self, url: str, has_text: bool, new_links: Iterable[str] = (), *, of_use: bool = False) -> bool | None:
        """A page was read: whether it has a text of its own, and links that no page had before; `of_use`: whatever it has.

        Returns whether it is of use; None while this is not known.
        """
        pattern = pattern_of(url)
        has_use: bool | None = of_use or has_text
        if not has_use:
            targets = [self._has_texts(target) for target in map(pattern_of, new_links) if target != pattern]
            has_use = True if True in targets else None if None in targets else False
        for kind in (pattern, folder_of(pattern)):
            self._of(kind).add(has_text or of_use, has_use)
        if has_use is not None:
            self._note_host(host_of(url), has_use)
        return has_use

    def suspect(self, url: str) -> None:
        """A page of no use links to it."""
        self._suspects[url] = None
        if len(self._suspects) > _MAX_SUSPECTS:
            self._suspects.popitem(last=False)

    def vouch(self, urls: Iterable[str]) -> None:
        """A page of use links to these."""
        if self._suspects:
            for url in urls:
                self._suspects.pop(url, None)

    def is_trap(self, url: str) -> bool:
        """Only pages of no use link to it, and pages like it are barren."""
        return url in self._suspects and self.is_barren(url)

    def is_barren(self, url: str) -> bool:
        """Enough pages of this kind were read, and nearly none was of use, or none of late on a host that sends little of use."""
        pattern = pattern_of(url)
        kind, folder = self._kinds.get(pattern), self._kinds.get(folder_of(pattern))
        if self._wasted.get(host_of(url), 0.0) > _WASTED and (
            (kind is not None and kind.dry >= _DRY) or (folder is not None and folder.dry >= _DRY_FOLDER)
        ):
            return True
        if kind is not None and kind.judged >= _MIN_PAGES:
            return kind.is_barren()
        return folder is not None and folder.is_barren()

    def _has_texts(self, pattern: str) -> bool | None:
        """Whether pages of this pattern, or of its folder, have texts; None while it is not known."""
        for kind in (pattern, folder_of(pattern)):
            found = self._kinds.get(kind)
            if found is not None and found.pages >= _KNOWN:
                return found.texts >= _MIN_TEXTS * found.pages
        return None

    def _note_host(self, host: str, has_use: bool) -> None:
        wasted = self._wasted.pop(host, 0.0)
        self._wasted[host] = wasted + _LATEST * ((not has_use) - wasted)
        if len(self._wasted) > _MAX_KINDS:
            self._wasted.popitem(last=False)

    def _of(self, kind: str) -> _Yield:
        found = self._kinds.setdefault(kind, _Yield())
        self._kinds.move_to_end(kind)
        if len(self._kinds) > _MAX_KINDS:
            self._kinds.popitem(last=False)
        return found

"""The chunks of a page that tell times: whose times they look like, which are parts of one time, and how they are written."""

import re
from datetime import datetime
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from extractors.html.tags import TAG, tag_set
from extractors.records.hints import OTHER_TIME, TIME
from extractors.text.dates import find_time, parse_time
from extractors.text.multi_search import holding

if TYPE_CHECKING:
    from extractors.records.signals import Signals

_LONGEST = 24
"""Of a text that looks like a time but is read by nobody."""
_JOINT = 4
"""Visible characters that may stand between the parts of one time."""
_NEAR = 20
_BRIEF = 40
_LONGEST_SHOWN = 60
_MOST_SHOWN = 8
"""Chunks."""
_CLOCK_ONLY = re.compile(r"^\D*\d{1,2}:\d\d(?::\d\d)?\D*$")
_AFTER = re.compile(r"\s?[ap]\.?m\b\.?", re.I)
_TIMED = tag_set("abbr", "span", "time", "a")


class Clocks:
    """Questions about a page's M chunks; those without a time are never asked about."""

    def __init__(self, signals: "Signals") -> None:
        self._signals, self._columns = signals, signals.columns
        self._continued: dict[tuple[int, int], bool] = {}
        self._parsed: dict[str, str] = {}

    @cached_property
    def told(self) -> list[bool]:
        """By chunk whether it tells a time."""
        found: list[bool] = self._signals.time.tolist()
        return found

    @cached_property
    def looks(self) -> tuple[dict[int, bool], dict[int, bool], dict[int, bool]]:
        """By chunk with a time: whether it stands beside words of another's time, has a clock, is brief."""
        texts = self._columns.texts
        numbers: list[int] = np.flatnonzero(self._signals.time).tolist()
        near = [(texts[max(0, chunk - 1)][-_NEAR:] + texts[chunk][:_NEAR]).lower() for chunk in numbers]
        others = dict(zip(numbers, holding(OTHER_TIME, near).tolist(), strict=True))
        return (
            others,
            {chunk: ":" in texts[chunk] for chunk in numbers},
            {chunk: len(texts[chunk]) < _BRIEF for chunk in numbers},
        )

    def continues(self, before: int, chunk: int) -> bool:
        """Whether two chunks with times are parts of one time, as where date and clock stand in elements of their own."""
        if before < 0 or chunk - before > 2:
            return False
        found = self._continued.get((before, chunk))
        if found is None:
            length, texts = self._signals.length, self._columns.texts
            found = self._continued[before, chunk] = bool(
                length[before] <= _LONGEST
                and length[before + 1 : chunk].sum() <= _JOINT
                and any(_CLOCK_ONLY.match(texts[each]) for each in (before, chunk))
            )
        return found

    def joined(self, chunk: int, last: int) -> str:
        """The text of some chunks with single spaces."""
        return self._signals.folded[chunk] if chunk == last else " ".join(self._signals.folded[chunk : last + 1])

    def parsed(self, text: str, now: datetime) -> str:
        """A time of the page, which was fetched `now`, as ISO 8601; "" if it holds none."""
        found = self._parsed.get(text)
        if found is None:
            found = self._parsed[text] = parse_time(text, now=now)
        return found

    @cached_property
    def hidden(self) -> tuple[NDArray[np.intp], list[str]]:
        """Elements that hold a time in an attribute, ascending, and these times."""
        stamps = self._columns.sparse("datetime")
        values = self._columns.sparse("title") | {place: value for place, value in stamps.items() if value}
        tags, found = self._columns.tag, {}
        for place in sorted(values):
            if _TIMED[tags[place]] and (time := find_time(values[place])):
                found[place] = self._shown(place) or time
        return np.array(list(found), dtype=np.intp), list(found.values())

    def _shown(self, place: int) -> str:
        """What a time element shows."""
        columns = self._columns
        if columns.tag[place] != TAG["time"]:
            return ""
        start = int(columns.chunk_start[place])
        shown = columns.texts[start : min(int(columns.chunk_end[place]), start + _MOST_SHOWN)]
        return " ".join("".join(shown).split())[:_LONGEST_SHOWN]


def is_clock(text: str) -> bool:
    """Whether a text has a clock's time and no other digit."""
    return _CLOCK_ONLY.match(text) is not None


@lru_cache(maxsize=2_000)
def written_time(text: str) -> str:
    """The time in a text as written, with all its parts; all of a short text that looks like one but is read by nobody."""
    found = find_time(text)
    spans = [match.span() for match in TIME.finditer(text)]
    if spans and len(text) <= _LONGEST_SHOWN:
        start, end = min(spans[0][0], text.find(found) if found else len(text)), spans[-1][1]
        after = _AFTER.match(text, end)
        parts = text[start : after.end() if after else end]
        if OTHER_TIME.search(parts):
            return found or parts
        if not found or (len(parts) > len(found) + 2 and found in parts):
            found = parts if not found or len(parts) - len(found) <= _LONGEST else found
    return found or (" ".join(text.split()) if len(text.strip()) <= _LONGEST else "")

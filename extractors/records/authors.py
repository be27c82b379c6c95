"""Who wrote each record: the kind of short element that names people most surely."""

import re
from typing import TYPE_CHECKING

import numpy as np

from extractors.dates import find_time
from extractors.records.hints import AUTHOR, NO_NAME, OTHER_PERSON, PROFILE
from extractors.records.kinds import SAMPLE, Inside, Kinds

if TYPE_CHECKING:
    from extractors.records.reading import Reader

_LONGEST_NAME = 40
_LEAST = 0.7
"""Share of records times what speaks for a kind of element; less names nobody."""
_MOST_WORDS = 5
_BY = re.compile(
    r"^(?:(?:posted |started |written |asked |answered )?by|作者|楼主|发布者|发表者|von|verfasst von|par|de|por)(?:[:：]\s*|\s+)",
    re.I,
)
_SAYS = re.compile(
    r"\s+(?:says?|said|dijo|dice|schrieb|sagt|a écrit|wrote|writes|reviewed|commented|说)(?:\s+on)?\s*[:：]?$", re.I
)
_LEADS = re.compile(r"(?:^|\s)(?:by|作者|楼主|发布者|发表者|von|par|de|autor|author|posted by)\s?[:：]?$")
_NAMING = ("data-author", "data-username", "author", "data-user-name", "data-author-name")


class Authors:
    """The element that names the author of each record."""

    def __init__(self, reader: "Reader", kinds: Kinds, outside: "np.typing.NDArray[np.bool_]") -> None:
        self.reader, self.kinds, self.columns, self._outside = reader, kinds, reader.columns, outside
        self.places = self._best()

    def name(self, number: int) -> tuple[str, int]:
        """(name, the element that says it), ("", −1) where nobody is named."""
        place = self.places.get(number, -1)
        if place >= 0:
            return self._cleaned(self._text(place)), place
        element = self.columns.elements[int(self.reader.group.members[number])]
        named = next((element.get(name, "") for name in _NAMING if element.get(name)), "")
        return (named if len(named) <= _LONGEST_NAME else ""), -1

    def beside(self, text: str) -> str:
        """The name in a short text that tells a time as well: "Jane Doe, 4 May 2020", "by jane · yesterday"."""
        time = find_time(text)
        left = text.partition(time)[0] if time else ""
        name = self._cleaned(" ".join(left.split()))
        plain = NO_NAME.search(name) is None and len(name.split()) < _MOST_WORDS
        return (
            name
            if 1 < len(name) <= _LONGEST_NAME and plain and (_BY.match(left.strip()) or left.rstrip()[-1:] in ",·|，-")
            else ""
        )

    def _text(self, place: int) -> str:
        columns = self.columns
        places = range(columns.chunk_start[place], columns.chunk_end[place])
        texts = [columns.texts[chunk].strip() for chunk in places if not self.reader.signals.time[chunk]]
        names = [text for text in texts if NO_NAME.search(text) is None]
        return " ".join(next((name for name in names if len(name) > 1), names[0] if names else "").split())

    @staticmethod
    def _cleaned(text: str) -> str:
        return _SAYS.sub("", _BY.sub("", text)).strip(" :：,，·|»-")

    def _best(self) -> Inside:
        columns, reader = self.columns, self.reader
        usable = self._outside & ~reader.signals.time
        length, start = columns.text_length, columns.chunk_start.clip(0, max(0, len(usable) - 1))
        short = (
            (length > 1) & (length <= _LONGEST_NAME) & (columns.chunk_end - columns.chunk_start <= 3) & usable[start]
        )
        found: dict[object, Inside] = {}
        for place in np.flatnonzero(short).tolist():
            found.setdefault(self.kinds.of(place), {}).setdefault(int(reader.around[start[place]]), place)
        least = 0.15 * len(reader.group.members)
        worth = {kind: self._worth(inside) for kind, inside in found.items() if len(inside) >= least}
        best: Inside = {}
        for kind in sorted(worth, key=lambda kind: -worth[kind])[:3]:
            if worth[kind] > _LEAST:
                best = found[kind] | best
        return best

    def _worth(self, inside: Inside) -> float:
        """What a kind says of itself (microdata, class names, links to people), times the share of records with it."""
        places = list(inside.values())[:SAMPLE]
        texts = [self._text(place) for place in places]
        distinct = len(set(texts))
        signs = [self._signs(place) for place in places[:8]]
        rank = float(np.mean(signs))
        if distinct == 1 and len(texts) > 2 and rank < 2:
            return 0.0
        plain = float(np.mean([bool(text) and len(text.split()) < _MOST_WORDS for text in texts]))
        offsets = (
            self.columns.chunk_start[places]
            - self.columns.chunk_start[self.reader.group.members[list(inside)[:SAMPLE]]]
        )
        early = float(np.mean(offsets <= 3))
        other = float(np.mean([self._is_other(place) for place in places[:8]]))
        return (
            (1 - 0.6 * other)
            * self.kinds.share(inside)
            * (rank + min(1.0, 1.5 * distinct / len(texts)) + 0.4 * early)
            * plain
        )

    def _signs(self, place: int) -> float:
        element, names = self.columns.elements[place], self.reader.names
        said = self.kinds.said_of(place)
        named = AUTHOR.search(names[place]) is not None
        under = AUTHOR.search(said) is not None
        profile = element.tag == "a" and PROFILE.search(element.get("href", "")[:200]) is not None
        micro = element.get("itemprop", "") in ("author", "creator", "name") or element.get("rel", "") == "author"
        stressed = element.tag in ("a", "strong", "b", "cite")
        led = _LEADS.search(self.kinds.label(int(self.columns.chunk_start[place]))) is not None
        header = AUTHOR.search(self.kinds.header(place)) is not None
        return 2.0 * profile + 1.5 * named + 1.0 * under + 3.0 * micro + 0.3 * stressed + 1.2 * led + header

    def _is_other(self, place: int) -> bool:
        """Whether who is named there is called somebody else than the author: who came last, who is answered."""
        title = self.columns.elements[place].get("title", "").lower()[:40]
        said = f"{self.kinds.said_of(place)} {self.kinds.header(place)} {title}"
        return OTHER_PERSON.search(said) is not None

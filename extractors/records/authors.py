"""Who wrote each record: the kind of short element that names people most surely."""

import re
from typing import TYPE_CHECKING

import numpy as np

from extractors.dates import find_time
from extractors.records.hints import AUTHOR, NO_NAME, OTHER_PERSON
from extractors.records.kinds import SAMPLE, Inside, Kinds

if TYPE_CHECKING:
    from extractors.records.reading import Reader

_LONGEST_NAME = 40
_LEAST = 0.7
"""Share of records times what speaks for a kind of element; less names nobody."""
_MOST_WORDS = 5
_WEIGHED = 8
"""Elements of a kind by which what it says of itself is weighed."""
_MOST_BESIDE_SIGNS = 1.4
"""What distinct names that come early can add at most to a kind's signs."""
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
        self._said, self._weights = reader.signals.said, reader.signals.author_weights
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
        """What an element says beside times and what is no name; the same for all groups of the page."""
        found = self._said.get(place)
        if found is None:
            columns, time = self.columns, self.reader.signals.time
            places = range(columns.chunk_start[place], columns.chunk_end[place])
            texts = [columns.texts[chunk].strip() for chunk in places if not time[chunk]]
            names = [text for text in texts if NO_NAME.search(text) is None]
            said = next((name for name in names if len(name) > 1), names[0] if names else "")
            found = self._said[place] = " ".join(said.split())
        return found

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
        found: dict[int, Inside] = {}
        places = np.flatnonzero(short)
        records = reader.around[start[places]].tolist()
        for place, kind, number in zip(places.tolist(), self.kinds.of(places), records, strict=True):
            found.setdefault(kind, {}).setdefault(number, place)
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
        signs = [self._signs(place) for place in places[:_WEIGHED]]
        rank = sum(signs) / len(signs)
        if self.kinds.share(inside) * (rank + _MOST_BESIDE_SIGNS) <= _LEAST:
            return 0.0  # whatever its texts are
        texts = [self._text(place) for place in places]
        distinct = len(set(texts))
        if distinct == 1 and len(texts) > 2 and rank < 2:
            return 0.0
        plain = sum(bool(text) and len(text.split()) < _MOST_WORDS for text in texts) / len(texts)
        begins = self.reader.group.members[list(inside)[:SAMPLE]]
        offsets = self.columns.chunk_start[places] - self.columns.chunk_start[begins]
        early = float(np.count_nonzero(offsets <= 3)) / len(places)
        weighed = places[:_WEIGHED]
        other = sum(map(self._is_other, weighed)) / len(weighed)
        return (
            (1 - 0.6 * other)
            * self.kinds.share(inside)
            * (rank + min(1.0, 1.5 * distinct / len(texts)) + 0.4 * early)
            * plain
        )

    def _signs(self, place: int) -> float:
        led = _LEADS.search(self.kinds.label(int(self.columns.chunk_start[place]))) is not None
        header = self.kinds.header(place)
        return self._own_signs(place) + 1.2 * led + (bool(header) and AUTHOR.search(header) is not None)

    def _own_signs(self, place: int) -> float:
        """What an element's names, address and microdata say for an author; the same for all groups of the page."""
        found = self._weights.get(place)
        if found is None:
            element, columns, authors = self.columns.elements[place], self.columns, self.reader.signals.authors
            parent = max(0, int(columns.parent[place]))
            named, profile = bool(authors[place]), bool(self.reader.signals.profiles[place])
            under = named or bool(authors[parent] or authors[max(0, int(columns.parent[parent]))])
            micro = element.get("itemprop", "") in ("author", "creator", "name") or element.get("rel", "") == "author"
            stressed = element.tag in ("a", "strong", "b", "cite")
            found = 2.0 * profile + 1.5 * named + 1.0 * under + 3.0 * micro + 0.3 * stressed
            self._weights[place] = found
        return found

    def _is_other(self, place: int) -> bool:
        """Whether who is named there is called somebody else than the author: who came last, who is answered."""
        title = self.columns.elements[place].get("title", "").lower()[:40]
        said = f"{self.kinds.said_of(place)} {self.kinds.header(place)} {title}"
        return OTHER_PERSON.search(said) is not None

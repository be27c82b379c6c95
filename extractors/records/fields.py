"""Who wrote a record, when, and what numbers it carries: read over all records of a page together.

Elements alike by tag, class and parent's class are of one kind. What one record leaves open, all of them tell: the kind that
names an author, a time or a count does so in most records.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from extractors.dates import find_time
from extractors.page import Page
from extractors.records.hints import AUTHOR, NO_NAME, OTHER_TIME, OWN_TIME, PROFILE, class_tokens

if TYPE_CHECKING:
    from extractors.records.reading import Reader

Kinds = dict[object, dict[int, int]]
"""For each kind of element or chunk the first of it in each record."""

_LONGEST_NAME = 40
_LEAST_AUTHOR = 0.7
"""Share of records times what speaks for a kind of element; less names nobody."""
_LONGEST_COUNT = 24
_MOST_RECORDS = 20
"""Records by which a kind is weighed."""
_COUNTS = {
    "replies": re.compile(r"repl|respon|comment|answer|rep_?num|回复|回帖|回應|评论|antwort|réponse|respuesta"),
    "views": re.compile(r"view|hits|reads?\b|查看|浏览|点击|阅读|aufruf|lecture|vues|visita"),
    "likes": re.compile(r"like|vote|score|point|赞|up-?count|good|karma"),
}
_FLOOR = re.compile(r"^(?:#\s?(\d{1,6})|(\d{1,6})\s?[#楼樓F]|第\s?(\d{1,6})\s?[楼樓])$")
_NUMBER = re.compile(r"^\D{0,12}?(\d[\d.,]{0,12}\s?[kKwWmM万]?)\D{0,14}$")
_BY = re.compile(r"^(?:by|作者|楼主|发布者|von|par)[:：\s]+", re.I)
_SAYS = re.compile(r"\s+(?:says?|said|dijo|dice|schrieb|sagt|a écrit|wrote)\s*:?$", re.I)


class Fields:
    """The fields of a reader's records; `bodies` are the elements of their texts."""

    def __init__(self, reader: "Reader", bodies: dict[int, int]) -> None:
        self.reader, self.columns = reader, reader.columns
        self._outside = self._beside_text(bodies)
        self._authors = self._best_authors()
        self._times = self._best_times()
        self._counts = self._best_counts()

    def author(self, number: int) -> tuple[str, str]:
        """(name, address) of a record's author, "" where they are not told."""
        place = self._authors.get(number, -1)
        if place < 0:
            return "", ""
        columns, element = self.columns, self.columns.elements[place]
        chunks = columns.texts[columns.chunk_start[place] : columns.chunk_end[place]]
        text = next((chunk for chunk in chunks if NO_NAME.search(chunk.strip()) is None), "")
        name = _SAYS.sub("", _BY.sub("", " ".join(text.split()))).strip(" :：,，")
        link = next((each for each in (element, *element.iter("a")) if each.get("href")), None)
        return name, target_of(self.reader.page, link) if link is not None else ""

    def time(self, number: int) -> str:
        """A record's time as it is written, "" where it is not told."""
        return self._times.get(number, "")

    def counts(self, number: int) -> dict[str, str]:
        """Replies, views, likes and floor of a record as they are written, "" where they are not told."""
        return {name: self._counts.get(name, {}).get(number, "") for name in ("replies", "views", "likes", "floor")}

    def _beside_text(self, bodies: dict[int, int]) -> NDArray[np.bool_]:
        """bool[M]: chunks of records that stand neither in their texts nor in their titles."""
        reader, columns = self.reader, self.columns
        outside = reader.around >= 0
        for place in (reader.heads if reader.is_list else bodies).values():
            outside[columns.chunk_start[place] : columns.chunk_end[place]] = False
        return outside

    def _kind(self, place: int) -> object:
        reader, element = self.reader, self.columns.elements[place]
        classes = class_tokens(element.get("class", ""))
        return element.tag, classes, reader.parent_classes(place), reader.parent_tag(place)

    def _share(self, inside: Mapping[int, object]) -> float:
        return len(inside) / len(self.reader.group.members)

    # -- authors ------------------------------------------------------------------------------------------------------

    def _best_authors(self) -> dict[int, int]:
        columns, reader = self.columns, self.reader
        usable = self._outside & ~reader.signals.time
        length, start = columns.text_length, columns.chunk_start.clip(0, max(0, len(usable) - 1))
        short = (
            (length > 1) & (length <= _LONGEST_NAME) & (columns.chunk_end - columns.chunk_start <= 3) & usable[start]
        )
        kinds: Kinds = {}
        for place in np.flatnonzero(short).tolist():
            kinds.setdefault(self._kind(place), {}).setdefault(int(reader.around[start[place]]), place)
        worth = {kind: self._author_worth(inside) for kind, inside in kinds.items()}
        found: dict[int, int] = {}
        for kind in sorted(kinds, key=lambda kind: -worth[kind])[:3]:
            if worth[kind] > _LEAST_AUTHOR:
                found = kinds[kind] | found
        return found

    def _author_worth(self, inside: dict[int, int]) -> float:
        """What a kind says of itself (microdata, class names, links to people), times the share of records with it."""
        columns, places = self.columns, list(inside.values())[:_MOST_RECORDS]
        rank = float(np.mean([self._author_rank(place) for place in places]))
        texts = [columns.texts[columns.chunk_start[place]].strip() for place in places]
        variety = len(set(texts)) / len(texts)
        plain = float(np.mean([NO_NAME.search(text) is None for text in texts]))
        return self._share(inside) * (rank + variety) * plain

    def _author_rank(self, place: int) -> float:
        element, names = self.columns.elements[place], self.reader.names
        if self.reader.template[self.columns.chunk_start[place]] and len(self.reader.group.members) > 4:
            return -1.0
        named = AUTHOR.search(names[place]) is not None
        under = AUTHOR.search(names[max(0, int(self.columns.parent[place]))]) is not None
        profile = element.tag == "a" and PROFILE.search(element.get("href", "")[:200]) is not None
        micro = element.get("itemprop", "") in ("author", "creator", "name") or element.get("rel", "") == "author"
        stressed = element.tag in ("a", "strong", "b", "cite")
        return 2.0 * profile + 2.0 * named + 1.0 * under + 3.0 * micro + 0.3 * stressed

    # -- times --------------------------------------------------------------------------------------------------------

    def _best_times(self) -> dict[int, str]:
        """By the kind of chunk with a time that most records have; what joins, edits or comes last is another's time."""
        columns, reader = self.columns, self.reader
        kinds: Kinds = {}
        for chunk in np.flatnonzero(reader.signals.time & (reader.around >= 0)).tolist():
            kinds.setdefault(self._kind(int(columns.owner[chunk])), {}).setdefault(int(reader.around[chunk]), chunk)
        worth = {kind: self._time_worth(inside) for kind, inside in kinds.items()}
        found: dict[int, str] = {}
        for kind in sorted(kinds, key=lambda kind: -worth[kind])[:4]:
            if worth[kind] > 0:
                for number, chunk in kinds[kind].items():
                    found.setdefault(number, written_time(columns.texts[chunk]))
        for number in range(len(reader.group.members)):
            if not found.get(number):
                found[number] = self._hidden_time(number)
        return found

    def _time_worth(self, inside: dict[int, int]) -> float:
        columns, reader = self.columns, self.reader
        chunks = list(inside.values())[:_MOST_RECORDS]
        owners = [int(columns.owner[chunk]) for chunk in chunks]
        said = " ".join(f"{reader.names[owner]} {columns.elements[owner].tag}" for owner in owners[:3])
        above = " ".join(reader.names[max(0, int(columns.parent[owner]))] for owner in owners[:3])
        near = [columns.texts[max(0, chunk - 1)][-20:] + columns.texts[chunk][:20] for chunk in chunks]
        other = float(np.mean([OTHER_TIME.search(text.lower()) is not None for text in near]))
        clock = float(np.mean([":" in columns.texts[chunk] for chunk in chunks]))
        beside = float(np.mean(self._outside[chunks]))
        own = OWN_TIME.search(said) is not None or OWN_TIME.search(above) is not None
        strange = OTHER_TIME.search(f"{said} {above}") is not None
        brief = float(np.mean([len(columns.texts[chunk]) < 40 for chunk in chunks]))
        weight = 1 + 0.8 * own + 0.5 * clock + 0.6 * beside + 0.3 * brief - 0.9 * other - 0.9 * strange
        return self._share(inside) * weight

    def _hidden_time(self, number: int) -> str:
        """In an attribute, where no text of the record tells it."""
        columns = self.columns
        member = int(self.reader.group.members[number])
        for element in columns.elements[member : int(columns.end[member])]:
            value = element.get("datetime") or (
                element.get("title") if element.tag in ("abbr", "span", "time", "a") else ""
            )
            if value and (found := find_time(value)):
                shown = str(element.xpath("string()")) if element.tag == "time" else ""
                return " ".join(shown.split())[:60] or found
        return ""

    # -- numbers ------------------------------------------------------------------------------------------------------

    def _best_counts(self) -> dict[str, dict[int, str]]:
        """Kinds of chunk that hold a number, by what they are called; in lists bare ones by their size."""
        columns, reader = self.columns, self.reader
        found: dict[str, dict[int, str]] = {"floor": {}}
        kinds: dict[object, dict[int, str]] = {}
        called: dict[object, str] = {}
        places = np.flatnonzero((reader.around >= 0) & (reader.signals.length <= _LONGEST_COUNT) & ~reader.signals.time)
        for chunk in places.tolist():
            text, number = " ".join(columns.texts[chunk].split()), int(reader.around[chunk])
            if floor := _FLOOR.match(text):
                found["floor"].setdefault(number, next(part for part in floor.groups() if part))
            elif count := _NUMBER.match(text):
                owner = int(columns.owner[chunk])
                kind = self._kind(owner)
                kinds.setdefault(kind, {}).setdefault(number, count.group(1).strip())
                called.setdefault(
                    kind, f"{text} {reader.names[owner]} {reader.names[max(0, int(columns.parent[owner]))]}".lower()
                )
        bare = []
        for kind, inside in kinds.items():
            name = next((name for name, words in _COUNTS.items() if words.search(called[kind])), "")
            if name:
                found[name] = (
                    inside | found.get(name, {})
                    if len(inside) < len(found.get(name, {}))
                    else found.get(name, {}) | inside
                )
            elif self._share(inside) > 0.7 and reader.is_list:
                bare.append(inside)
        return self._by_size(found, bare)

    def _by_size(self, found: dict[str, dict[int, str]], bare: list[dict[int, str]]) -> dict[str, dict[int, str]]:
        """A line of a list shows how often it was answered, and beside it how often it was seen, which is more."""
        bare = sorted(bare, key=lambda inside: sum(map(_value, inside.values())))[:2]
        open_names = [name for name in ("replies", "views") if name not in found]
        if len(bare) == 1 or len(open_names) == 1:
            bare = bare[-1:] if open_names == ["views"] else bare[:1]
        return found | dict(zip(open_names, bare, strict=False))


def written_time(text: str) -> str:
    """The time in a text as written; all of a short text that looks like one but is read by nobody."""
    return find_time(text) or (" ".join(text.split()) if len(text.strip()) <= _LONGEST_COUNT else "")


def target_of(page: Page, element: etree._Element) -> str:
    """Where a link leads, absolute; "" for an address that is none."""
    try:
        return urljoin(page.base_url, element.get("href", "").strip())
    except ValueError:
        return ""


def _value(text: str) -> float:
    digits = re.sub(r"\D", "", text)
    return float(digits or 0) * (1_000 if text[-1:] in "kK" else 10_000 if text[-1:] in "wW万" else 1)

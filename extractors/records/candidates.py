"""Groups of elements that may be a page's records, and what all of them are measured by."""

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.columns import Columns
from extractors.records.alike import Alike
from extractors.records.hints import AUTHOR, PROFILE, RECORD, TIME, class_tokens, id_stem, spelling
from extractors.records.structured import Structured
from extractors.tags import tag_set

_RECORD_TAGS = tag_set(
    "div", "li", "article", "section", "tr", "tbody", "table", "dd", "dl", "blockquote", "details", "a", "ul"
)
_NAMED_TAGS = tag_set("td")
"""Of these only the ones that have a class or a numbered id."""
_SILENT_PARTS = tag_set("nav", "header", "footer", "form", "select", "button", "textarea")
_MOST_GROUPS = 400
_MOST_MEMBERS = 20_000
"""Of a group; what a page has more of are no records."""
_LONGEST_TIME = 90
_LONGEST_WORD = 20
"""Of a chunk that tells a time without a digit: yesterday."""

Members = NDArray[np.intp]


class Signals:
    """Signs that all groups of one page are measured and read by.

    `said` and `author_weights` keep what `extractors.records.authors` has found out of elements.
    """

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        visible = columns.counts("visible")
        self.length = visible
        self.linked = columns.linked
        short = (visible > 1) & (visible <= np.where(columns.counts("digit") > 0, _LONGEST_TIME, _LONGEST_WORD))
        search = TIME.search
        self.time = np.zeros(len(columns.texts), dtype=bool)
        self.time[short] = [search(columns.texts[place]) is not None for place in np.flatnonzero(short).tolist()]
        self.times = columns.subtree_chunks(self.time)
        self.free = columns.subtree_chunks(visible * ~self.linked)
        self.links = columns.subtree(columns.tagged("a"))
        self.silent = columns.within(_SILENT_PARTS[columns.tag])
        self.structured = Structured(columns)
        self.alike = Alike(columns, lambda: self.authors)
        self.said: dict[int, str] = {}
        self.author_weights: dict[int, float] = {}
        self._named: dict[re.Pattern[str], NDArray[np.bool_]] = {}

    @cached_property
    def identified(self) -> NDArray[np.bool_]:
        """bool[N]: the element has an id with a number."""
        places, names = self.columns.named
        found = np.zeros(len(self.columns), dtype=bool)
        found[places] = [bool(identity) and bool(id_stem(identity)) for _, identity in names]
        return found

    @cached_property
    def _spellings(self) -> tuple[NDArray[np.intp], list[str]]:
        """intp[N]: by element the number of its class and id among those of the page; and these, the first one empty.

        In lower case and with # for numbers, so that there are few.
        """
        places, names = self.columns.named
        raw: dict[tuple[str, str], int] = {}
        numbers = [raw.setdefault(name, len(raw)) for name in names]
        spelled: dict[str, int] = {"": 0}
        known = [spelled.setdefault(spelling(*name), len(spelled)) for name in raw]
        found = np.zeros(len(self.columns), dtype=np.intp)
        found[places] = np.array(known, dtype=np.intp)[numbers]
        return found, list(spelled)

    def named(self, words: re.Pattern[str]) -> NDArray[np.bool_]:
        """bool[N]: the element's class or id has one of these words."""
        found = self._named.get(words)
        if found is None:
            numbers, spellings = self._spellings
            found = self._named[words] = np.array([says(words, each) for each in spellings])[numbers]
        return found

    @cached_property
    def names(self) -> list[str]:
        """By element its class and id in lower case, "" where it has none or no text."""
        numbers, spellings = self._spellings
        return [spellings[number] for number in numbers.tolist()]

    @cached_property
    def authors(self) -> NDArray[np.bool_]:
        """bool[N]: the element's class or id says that it is an author's."""
        return self.named(AUTHOR)

    @cached_property
    def profiles(self) -> NDArray[np.bool_]:
        """bool[N]: the element is a link whose address looks like a person's page."""
        places = np.flatnonzero(self.columns.tagged("a"))
        found = np.zeros(len(self.columns), dtype=bool)
        targets = [self.columns.elements[place].get("href", "") for place in places.tolist()]
        found[places] = [bool(target) and PROFILE.search(target[:200]) is not None for target in targets]
        return found


@lru_cache(maxsize=20_000)
def says(words: re.Pattern[str], text: str) -> bool:
    """Whether a class or id, in lower case, has one of these words."""
    return bool(text) and words.search(text) is not None


@dataclass(frozen=True, slots=True)
class Group:
    """Elements of one make, in document order."""

    members: Members
    label: str


def find_groups(signals: Signals) -> list[Group]:
    """Elements alike by tag and class token, by id stem, or by tag under one parent; at least two each."""
    columns = signals.columns
    length = columns.text_length.tolist()
    found = _unique(_gathered(columns), columns)
    if len(found) > _MOST_GROUPS:
        found.sort(key=lambda each: -sum(map(length.__getitem__, each[0])))
    return [Group(np.array(places, dtype=np.intp), label) for places, label in found[:_MOST_GROUPS]]


def _gathered(columns: Columns) -> dict[tuple[object, ...], list[int]]:
    """Places in ascending order by what they have in common; each spelling of a class is taken apart once."""
    grouped = _RECORD_TAGS[columns.tag]
    kept = grouped | _NAMED_TAGS[columns.tag]
    named = kept[columns.named[0]]
    places = columns.named[0][named].tolist()
    names = [columns.named[1][number] for number in np.flatnonzero(named).tolist()]
    gathered: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    spelled: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    tags, parents = columns.tag[places].tolist(), columns.parent[places].tolist()
    for place, tag, parent, sibling, (classes, identity) in zip(
        places, tags, parents, grouped[places].tolist(), names, strict=True
    ):
        if sibling:
            gathered[tag, parent].append(place)
        if classes:
            spelled[tag, classes].append(place)
        if identity and (stem := id_stem(identity)):
            gathered[tag, "#", stem].append(place)
    for (tag, classes), alike in spelled.items():
        for token in class_tokens(classes):
            gathered[tag, token] += alike
    for alike in gathered.values():
        alike.sort()
    return gathered


def _unique(gathered: dict[tuple[object, ...], list[int]], columns: Columns) -> list[tuple[list[int], str]]:
    seen: dict[tuple[int, int, int], tuple[list[int], str]] = {}
    for key, found in gathered.items():
        if 1 < len(found) <= _MOST_MEMBERS:
            label = str(key[-1]) if isinstance(key[-1], str) else ""
            name = (len(found), sum(found), found[0])
            if name not in seen or (label and RECORD.search(label)):
                seen[name] = (found, label)
    return [(found, f"{label} {_label(columns, found)}") for found, label in seen.values()]


def _label(columns: Columns, found: list[int]) -> str:
    element, parent = columns.elements[found[-1]], columns.elements[max(0, int(columns.parent[found[-1]]))]
    return " ".join(
        (element.get("class", ""), element.get("id", ""), "/", parent.get("class", ""), parent.get("id", ""))
    ).lower()


def own_values(group: Group, columns: Columns, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each member's value without that of the members nested in it."""
    own = values.copy()
    stack: list[int] = []
    ends = columns.end[group.members].tolist()
    for number, member in enumerate(group.members.tolist()):
        while stack and ends[stack[-1]] <= member:
            stack.pop()
        if stack:
            own[stack[-1]] -= values[number]
        stack.append(number)
    return own

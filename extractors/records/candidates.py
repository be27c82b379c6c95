"""Groups of elements that may be a page's records, and what all of them are measured by."""

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.columns import Columns
from extractors.records.hints import RECORD, TIME, class_tokens, id_stem
from extractors.tags import tag_set

_RECORD_TAGS = tag_set(
    "div", "li", "article", "section", "tr", "tbody", "table", "dd", "dl", "blockquote", "details", "a", "ul"
)
_SILENT_PARTS = tag_set("nav", "header", "footer", "form", "select", "button", "textarea")
_MOST_GROUPS = 400
_MOST_MEMBERS = 20_000
"""Of a group; what a page has more of are no records."""
_LONGEST_TIME = 90
_LONGEST_WORD = 20
"""Of a chunk that tells a time without a digit: yesterday."""

Members = NDArray[np.intp]


class Signals:
    """Per-chunk signs that all groups of one page are measured by."""

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

    @cached_property
    def identified(self) -> NDArray[np.bool_]:
        """bool[N]: the element has an id with a number."""
        places, names = self.columns.named
        found = np.zeros(len(self.columns), dtype=bool)
        found[places] = [bool(identity) and bool(id_stem(identity)) for _, identity in names]
        return found

    def named(self, words: re.Pattern[str]) -> NDArray[np.bool_]:
        """bool[N]: the element's class or id has one of these words."""
        places, names = self.columns.named
        found = np.zeros(len(self.columns), dtype=bool)
        found[places] = [says(words, classes) or says(words, identity) for classes, identity in names]
        return found

    def leading(self, words: re.Pattern[str]) -> NDArray[np.bool_]:
        """bool[N]: the element is a link whose address has one of these words."""
        places = np.flatnonzero(self.columns.tagged("a"))
        found = np.zeros(len(self.columns), dtype=bool)
        elements = self.columns.elements
        found[places] = [says(words, elements[place].get("href", "")[:200]) for place in places.tolist()]
        return found


@lru_cache(maxsize=20_000)
def says(words: re.Pattern[str], text: str) -> bool:
    """Whether a class, id or address has one of these words."""
    return bool(text) and words.search(text.lower()) is not None


@dataclass(frozen=True, slots=True)
class Group:
    """Elements of one make, in document order."""

    members: Members
    label: str


def find_groups(signals: Signals) -> list[Group]:
    """Elements alike by tag and class token, by id stem, or by tag under one parent; at least two each."""
    columns = signals.columns
    kept = _RECORD_TAGS[columns.tag]
    gathered: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    tags, parents = columns.tag.tolist(), columns.parent.tolist()
    places, names = columns.named
    for place, (classes, identity) in zip(places.tolist(), names, strict=True):
        if not kept[place]:
            continue
        tag = tags[place]
        gathered[tag, parents[place]].append(place)
        for token in class_tokens(classes) if classes else ():
            gathered[tag, token].append(place)
        if identity and (stem := id_stem(identity)):
            gathered[tag, "#", stem].append(place)
    groups = [
        Group(np.array(gathered_places, dtype=np.intp), label) for gathered_places, label in _unique(gathered, columns)
    ]
    groups.sort(key=lambda group: -int(columns.text_length[group.members].sum()))
    return groups[:_MOST_GROUPS]


def _unique(gathered: dict[tuple[object, ...], list[int]], columns: Columns) -> list[tuple[list[int], str]]:
    seen: dict[tuple[int, int, int], tuple[list[int], str]] = {}
    for key, found in gathered.items():
        if 1 < len(found) <= _MOST_MEMBERS:
            label = str(key[-1]) if isinstance(key[-1], str) else ""
            name = (len(found), sum(found), found[0])
            if name not in seen or (label and RECORD.search(label)):
                seen[name] = (found, f"{label} {_label(columns, found)}")
    return list(seen.values())


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

"""Groups of elements that may be a page's records, and the measures by which one is chosen."""

import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.columns import Columns
from extractors.records.hints import ASIDE, RECORD, TIME, class_tokens, id_stem
from extractors.tags import tag_set

_RECORD_TAGS = tag_set(
    "div", "li", "article", "section", "tr", "tbody", "table", "dd", "dl", "blockquote", "details", "a", "ul"
)
_SILENT_PARTS = tag_set("nav", "header", "footer", "form", "select", "button", "textarea")
_MOST_GROUPS = 400
_LONGEST_TIME = 90

Members = NDArray[np.intp]


class Signals:
    """Per-chunk signs that all groups of one page are measured by."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        visible = columns.counts("visible")
        self.length = visible
        self.linked = columns.linked
        short = (visible > 1) & (visible <= _LONGEST_TIME)
        search = TIME.search
        self.time = np.zeros(len(columns.texts), dtype=bool)
        self.time[short] = [search(columns.texts[place]) is not None for place in np.flatnonzero(short).tolist()]
        self.times = columns.subtree_chunks(self.time)
        self.free = columns.subtree_chunks(visible * ~self.linked)
        self.links = columns.subtree(columns.tagged("a"))
        self.silent = columns.within(_SILENT_PARTS[columns.tag])


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
        if len(found) > 1:
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


def measure(group: Group, signals: Signals) -> NDArray[np.float64]:
    """The group's measures, see `NAMES`."""
    columns, members = signals.columns, group.members
    end = columns.end[members]
    top = np.maximum.accumulate(np.concatenate(([0], end[:-1]))) <= members
    nested = 1 - top.mean()
    text = columns.text_length[members].astype(float)
    free = signals.free[members].astype(float)
    times = signals.times[members].astype(float)
    total = max(1.0, float(columns.text_length[0]))
    all_free, all_times = max(1.0, float(signals.free[0])), max(1.0, float(signals.times[0]))
    own = own_values(group, columns, text)
    own_times = own_values(group, columns, times)
    texts = [
        columns.texts[columns.chunk_end[member] - 1][:40] + str(int(length))
        for member, length in zip(members, text, strict=True)
    ]
    own_label, _, above = group.label.partition("/")
    return np.array(
        (
            min(1.0, math.log(len(members)) / 3.5),
            float((own_times > 0).mean()),
            float((own_times == 1).mean()),
            float(own_times.clip(0, 6).mean() / 6),
            math.sqrt(min(1.0, float(text[top].sum()) / total)),
            math.sqrt(min(1.0, float(free[top].sum()) / all_free)),
            math.sqrt(min(1.0, float(times[top].sum()) / all_times)),
            len(set(texts)) / len(texts),
            float(len(np.unique(columns.parent[members])) == 1),
            float(nested),
            min(1.0, float(np.median(own)) / 300),
            float((own < 12).mean()),
            float((signals.links[members] > 0).mean()),
            float((1 - free / np.maximum(text, 1)).mean()),
            float(RECORD.search(own_label) is not None),
            float(RECORD.search(above) is not None),
            float(ASIDE.search(group.label) is not None),
            float(signals.silent[members].mean()),
            float(np.std(own) / (np.mean(own) + 1)) if len(own) > 1 else 0.0,
            float(len(members) == 2),
            min(1.0, float(columns.depth[members[0]]) / 20),
        )
    )


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

"""The title of each record: of all kinds of link inside the records, or around them, the one that says most.

Links alike by their own and their parent's class are of one kind; those of a template, of people and of times are left out, and
a kind whose links all lead to few places is none.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from extractors.records.addresses import absolute
from extractors.records.hints import TITLE
from extractors.tags import TAG

if TYPE_CHECKING:
    from extractors.records.reading import Reader

_AROUND = 6
"""Levels above a record at which a link around it is looked for."""
_BEFORE = 40
"""Elements before such a link among which another one to the same place is looked for."""
_SHORT = 40
_NEARLY_ALL = 0.8
_HEADINGS = ("h1", "h2", "h3", "h4", "h5")
_ALL_HEADINGS = (*_HEADINGS, "h6")
_SEVERAL = 3
"""Chunks of a link that holds more than a title."""
_COMMON = {TAG[name] for name in ("div", "span", "p", "li")}

Heads = dict[int, int]
"""By record the element that is its title."""
Kind = tuple[int, int, int]
"""A link's class, its parent's tag, and its parent's class."""


def find_heads(reader: "Reader") -> Heads:
    """The titles of a reader's records, as far as they have any."""
    kinds = _links_by_kind(reader, reader.record)
    heads, best = _best(reader, kinds)
    if best is None:
        return _links_around(reader) or _links_beside(reader)
    if 0.4 * len(reader.group.members) <= len(heads) < len(reader.group.members):
        _complete(reader, heads, best, kinds)
    return heads


def are_titled(reader: "Reader") -> bool:
    """Whether the titles are called so, or are headings."""
    first = next(iter(reader.heads.values()))
    return TITLE.search(called(reader, first)) is not None or parent_tag(reader, first).startswith("h")


def titles_of(reader: "Reader") -> dict[int, tuple[str, str]]:
    """By record its title and where that leads; of threads, whose posts hold links as well, where they are called titles."""
    if not reader.heads or not (reader.is_list or are_titled(reader)):
        return {}
    return {number: _title(reader, number, head) for number, head in reader.heads.items()}


def _title(reader: "Reader", number: int, head: int) -> tuple[str, str]:
    columns, member = reader.columns, int(reader.group.members[number])
    part = member if head < member < columns.end[head] else _titled_part(reader, head)
    target = reader.signals.targets.get(head, "")
    return " ".join(columns.text(part).split()), absolute(reader.page.base_url, target)


def _titled_part(reader: "Reader", head: int) -> int:
    """Of a link around a whole record the part that is its title; else the link itself."""
    columns = reader.columns
    if columns.chunk_end[head] - columns.chunk_start[head] < _SEVERAL:
        return head
    inside = range(head + 1, int(columns.end[head]))
    headings = (place for place in inside if columns.elements[place].tag in _ALL_HEADINGS)
    named = (place for place in inside if columns.text_length[place] and TITLE.search(reader.names[place]))
    return next(headings, next(named, head))


def parent_tag(reader: "Reader", place: int) -> str:
    """The name of an element's parent."""
    return str(reader.columns.elements[max(0, int(reader.columns.parent[place]))].tag)


def called(reader: "Reader", link: int) -> str:
    """What a link, its parent and its first part are called."""
    names, columns = reader.names, reader.columns
    inner = names[link + 1] if columns.end[link] > link + 1 else ""
    return f"{names[link]} {names[max(0, int(columns.parent[link]))]} {inner}"


def _best(reader: "Reader", kinds: dict[Kind, Heads]) -> tuple[Heads, Kind | None]:
    worth = {kind: _worth(reader, inside) for kind, inside in kinds.items()}
    best = max(kinds, key=lambda kind: worth[kind], default=None)
    return (dict(kinds[best]), best) if best is not None and worth[best] > 0 else ({}, None)


def _links_beside(reader: "Reader") -> Heads:
    """Links that stand beside records, where nearly all records have one, each to another place."""
    heads, _ = _best(reader, _links_by_kind(reader, np.where(reader.record < 0, reader.around, -1)))
    targets = {reader.columns.elements[place].get("href") for place in heads.values()}
    wide = min(len(heads), len(targets)) >= _NEARLY_ALL * len(reader.group.members)
    return heads if wide else {}


def _links_by_kind(reader: "Reader", owner: NDArray[np.intp]) -> dict[Kind, Heads]:
    """The longest link of each kind in each record, by which record owns each chunk."""
    columns, classes = reader.columns, reader.signals.alike.classes
    kinds: dict[Kind, Heads] = {}
    places = np.flatnonzero(columns.tagged("a") & (columns.text_length > 1))
    record = owner[columns.chunk_start[places]]
    whole = (record >= 0) & (owner[columns.chunk_end[places] - 1] == record)
    whole &= (owner is not reader.record) | (places >= reader.group.members[record.clip(0)])
    places, record = places[whole], record[whole]
    parents = columns.parent[places].clip(0)
    keys = zip(classes[places].tolist(), columns.tag[parents].tolist(), classes[parents].tolist(), strict=True)
    lengths = columns.text_length.tolist()
    for place, number, kind in zip(places.tolist(), record.tolist(), keys, strict=True):
        if columns.elements[place].get("href", "#").startswith(("#", "javascript:")):
            continue
        inside = kinds.setdefault(kind, {})
        if number not in inside or lengths[place] > lengths[inside[number]]:
            inside[number] = place
    return kinds


def _worth(reader: "Reader", inside: Heads) -> float:
    columns, places = reader.columns, np.array(list(inside.values()))
    targets = {columns.elements[place].get("href", "") for place in places.tolist()}
    chunks = columns.chunk_start[places]
    refused = reader.template[chunks] | (reader.signals.time[chunks] & (columns.text_length[places] < _SHORT))
    if np.mean(refused | reader.signals.profiles[places]) > 0.5:
        return 0.0
    length = float(np.minimum(60, columns.text_length[places])[~refused].sum())
    first = int(places[0])
    titled = TITLE.search(called(reader, first)) is not None or parent_tag(reader, first) in _HEADINGS
    return length * len(targets) / len(inside) * (2 if titled else 1)


def _complete(reader: "Reader", heads: Heads, best: Kind, kinds: dict[Kind, Heads]) -> None:
    """Titles of records without a link of the best kind: links named alike, else what holds such links elsewhere."""
    columns, classes = reader.columns, reader.signals.alike.classes
    for kind, inside in kinds.items():
        if kind != best and (kind[0] == best[0] if best[0] else kind[1] == best[1] and best[1] not in _COMMON):
            for number, place in inside.items():
                heads.setdefault(number, place)
    first = next(iter(heads.values()))
    holder = int(columns.parent[first])
    if not best[2] or columns.text_length[holder] > columns.text_length[first] + 6:
        return
    alike = np.flatnonzero((columns.tag == columns.tag[holder]) & (columns.text_length > 1) & (classes == best[2]))
    for place in alike[reader.record[columns.chunk_start[alike]] >= 0].tolist():
        heads.setdefault(int(reader.record[columns.chunk_start[place]]), place)


def _links_around(reader: "Reader") -> Heads:
    """The links in which records stand, one record in each; where a link before leads there too, that one."""
    columns, heads = reader.columns, {}
    for number, member in enumerate(reader.group.members.tolist()):
        place = member
        for _ in range(_AROUND):
            place = max(0, int(columns.parent[place]))
            if columns.elements[place].tag == "a" and columns.elements[place].get("href"):
                heads[number] = _first_of_target(reader, place)
                break
    return heads if len(set(heads.values())) == len(heads) else {}


def _first_of_target(reader: "Reader", link: int) -> int:
    """The first link among the elements before a link, under the same parent, that leads where it does."""
    columns = reader.columns
    target = columns.elements[link].get("href")
    for place in range(max(int(columns.parent[link]) + 1, link - _BEFORE), link):
        if columns.text_length[place] > 1 and columns.elements[place].get("href") == target:
            return place
    return link

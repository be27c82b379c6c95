"""The title of each record: of all kinds of link inside the records, or around them, the one that says most.

Links alike by their own and their parent's class are of one kind; those of a template, of people and of times are left out, and
a kind whose links all lead to few places is none.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from extractors.html.tags import NAMES, TAG, tag_set
from extractors.kernels import native
from extractors.records.addresses import absolute
from extractors.records.hints import TITLE

if TYPE_CHECKING:
    from extractors.records.reading import Reader

_AROUND = 6
"""Levels above a record at which a link around it is looked for."""
_BEFORE = 40
"""Elements before such a link among which another one to the same place is looked for."""
_SHORT = 40
_LONGEST = 60
"""Characters of a link that count."""
_NEARLY_ALL = 0.8
_IN_HEADINGS = tag_set("h1", "h2", "h3", "h4", "h5")
_HEADINGS = tag_set("h1", "h2", "h3", "h4", "h5", "h6")
_WRAPPED = 3
"""Levels above a title at which it may be called one."""
_SEVERAL = 3
"""Chunks of a link that holds more than a title."""
_COMMON = {TAG[name] for name in ("div", "span", "p", "li")}

_Longest = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int64], NDArray[np.intp]]
Heads = dict[int, int]
"""By record the element that is its title."""


def find_heads(reader: "Reader") -> Heads:
    """The titles of a reader's records, as far as they have any."""
    kinds = _Kinds(reader, reader.record, inside=True)
    best = kinds.best()
    if best < 0:
        return _links_around(reader) or _links_beside(reader)
    heads = kinds.heads(best)
    if 0.4 * len(reader.group.members) <= len(heads) < len(reader.group.members):
        _complete(reader, heads, best, kinds)
    return heads


def are_titled(reader: "Reader") -> bool:
    """Whether the titles are called so, or are headings."""
    first = next(iter(reader.heads.values()))
    around = _wrappers(reader, first)
    if TITLE.search(called(reader, first)) is not None or parent_tag(reader, first).startswith("h"):
        return True
    return any(_HEADINGS[reader.columns.tag[place]] or TITLE.search(reader.names[place]) for place in around)


def _wrappers(reader: "Reader", head: int) -> list[int]:
    """The elements around a title that say nothing else, from inside."""
    columns, found = reader.columns, [head]
    for _ in range(_WRAPPED):
        above = int(columns.parent[found[-1]])
        if above < 0 or columns.text_length[above] != columns.text_length[head]:
            break
        found.append(above)
    return found[1:]


def titles_of(reader: "Reader") -> dict[int, tuple[str, str]]:
    """By record its title and where that leads; of threads, whose posts hold links as well, where they are called titles."""
    if not reader.heads or not (reader.is_list or are_titled(reader)):
        return {}
    return {number: _title(reader, number, head) for number, head in reader.heads.items()}


def _title(reader: "Reader", number: int, head: int) -> tuple[str, str]:
    columns, member = reader.columns, int(reader.group.members[number])
    part = member if head < member < columns.end[head] else _titled_part(reader, head)
    target = reader.signals.targets[head]
    return " ".join(columns.text(part).split()), absolute(reader.page.base_url, target)


def _titled_part(reader: "Reader", head: int) -> int:
    """Of a link around a whole record the part that is its title; else the link itself."""
    columns = reader.columns
    if columns.chunk_end[head] - columns.chunk_start[head] < _SEVERAL:
        return head
    inside = range(head + 1, int(columns.end[head]))
    headings = (place for place in inside if _HEADINGS[columns.tag[place]])
    named = (place for place in inside if columns.text_length[place] and TITLE.search(reader.names[place]))
    return next(headings, next(named, head))


def parent_tag(reader: "Reader", place: int) -> str:
    """The name of an element's parent, "" for one that is not listed."""
    code = int(reader.columns.tag[max(0, int(reader.columns.parent[place]))])
    return NAMES[code - 1] if code else ""


def called(reader: "Reader", link: int) -> str:
    """What a link, its parent and its first part are called."""
    names, columns = reader.names, reader.columns
    inner = names[link + 1] if columns.end[link] > link + 1 else ""
    return f"{names[link]} {names[max(0, int(columns.parent[link]))]} {inner}"


class _Kinds:
    """The longest link of each kind in each record, by which record owns each chunk; kind after kind, records ascending.

    `inside`: only links inside of the records' own elements count.
    """

    def __init__(self, reader: "Reader", owner: NDArray[np.intp], *, inside: bool) -> None:
        self._reader = reader
        found = self._longest(owner, inside) if native() else self.longest_by_numpy(reader, owner, inside)
        self.places, self.records, self._targets, self.starts = found
        self._ends = np.append(self.starts[1:], len(self.places))

    def _longest(self, owner: NDArray[np.intp], inside: bool) -> "_Longest":
        columns, links = self._reader.columns, self._reader.signals.alike.links
        tree = columns.chunk_start, columns.chunk_end, columns.text_length
        members = self._reader.group.members
        found: _Longest = native().link_kinds(links.places, links.starts, links.targets, owner, members, inside, *tree)
        return found

    @staticmethod
    def longest_by_numpy(reader: "Reader", owner: NDArray[np.intp], inside: bool) -> "_Longest":
        """Places, records and addresses of the longest links, and where kinds begin."""
        columns, links = reader.columns, reader.signals.alike.links
        places, targets = links.places, links.targets
        kinds = np.repeat(np.arange(len(links.starts)), np.diff(links.starts, append=len(places)))
        record = owner[columns.chunk_start[places]]
        whole = (record >= 0) & (owner[columns.chunk_end[places] - 1] == record)
        if inside:
            whole &= places >= reader.group.members[record.clip(0)]
        places, kinds, targets, record = places[whole], kinds[whole], targets[whole], record[whole]
        order = np.lexsort((-columns.text_length[places], record, kinds))
        places, kinds, record = places[order], kinds[order], record[order]
        first = (np.diff(kinds, prepend=-1) != 0) | (np.diff(record, prepend=-1) != 0)
        kinds = kinds[first]
        return places[first], record[first], targets[order][first], np.flatnonzero(np.diff(kinds, prepend=-1))

    def heads(self, kind: int) -> Heads:
        """By record its link of a kind."""
        inside = slice(self.starts[kind], self._ends[kind])
        return dict(zip(self.records[inside].tolist(), self.places[inside].tolist(), strict=True))

    def in_order(self) -> list[int]:
        """The numbers of the kinds in the order of their first links."""
        found: list[int] = np.argsort(self.places[self.starts], kind="stable").tolist()
        return found

    def best(self) -> int:
        """The number of the kind that says most; −1 where none says anything."""
        if not len(self.starts):
            return -1
        worth = self._worth()
        best = int(np.lexsort((self.places[self.starts], -worth))[0])
        return best if worth[best] > 0 else -1

    def _worth(self) -> NDArray[np.float64]:
        """float64[kinds]: what they say; by machine code where it was built."""
        if compiled := native():
            reader, columns, signals = self._reader, self._reader.columns, self._reader.signals
            masks = reader.template, signals.time, signals.profiles, signals.named(TITLE), _IN_HEADINGS
            tree = columns.tag, columns.parent, columns.end
            given = self.places, self._targets, self.starts, columns.chunk_start, columns.text_length
            return np.asarray(
                compiled.link_worths(*given, *(mask.view(np.uint8) for mask in masks), *tree, _SHORT, _LONGEST)
            )
        return self.worth_by_numpy()

    def worth_by_numpy(self) -> NDArray[np.float64]:
        """See `_worth`."""
        columns, signals, places = self._reader.columns, self._reader.signals, self.places
        chunks, length = columns.chunk_start[places], columns.text_length[places]
        refused = self._reader.template[chunks] | (signals.time[chunks] & (length < _SHORT))
        sizes = self._ends - self.starts
        strange = np.add.reduceat(refused | signals.profiles[places], self.starts, dtype=np.int64)
        said = np.add.reduceat(np.where(refused, 0, np.minimum(_LONGEST, length)), self.starts, dtype=np.int64)
        targets = self._targets.tolist()
        ranges = zip(self.starts.tolist(), self._ends.tolist(), strict=True)
        different = np.array([len(set(targets[start:end])) for start, end in ranges])
        worth = said * different / sizes * np.where(self._titled(), 2, 1)
        return np.asarray(np.where(2 * strange > sizes, 0.0, worth))

    def _titled(self) -> NDArray[np.bool_]:
        """bool[kinds]: the first link of the kind, its parent, or its first part is called a title, or it is in a heading."""
        columns, titles, firsts = self._reader.columns, self._reader.signals.named(TITLE), self.places[self.starts]
        parent, inner = columns.parent[firsts].clip(0), np.minimum(firsts + 1, columns.end[firsts] - 1)
        return np.asarray(titles[firsts] | titles[parent] | titles[inner] | _IN_HEADINGS[columns.tag[parent]])


def _links_beside(reader: "Reader") -> Heads:
    """Links that stand beside records, where nearly all records have one, each to another place."""
    kinds = _Kinds(reader, np.where(reader.record < 0, reader.around, -1), inside=False)
    best = kinds.best()
    heads = kinds.heads(best) if best >= 0 else {}
    targets = {reader.signals.targets[place] for place in heads.values()}
    wide = min(len(heads), len(targets)) >= _NEARLY_ALL * len(reader.group.members)
    return heads if wide else {}


def _complete(reader: "Reader", heads: Heads, best: int, kinds: _Kinds) -> None:
    """Titles of records without a link of the best kind: links named alike, else what holds such links elsewhere."""
    columns, classes = reader.columns, reader.signals.alike.classes
    chosen = int(kinds.places[kinds.starts[best]])
    name, tag = int(classes[chosen]), int(columns.tag[max(0, int(columns.parent[chosen]))])
    for kind in kinds.in_order():
        link = int(kinds.places[kinds.starts[kind]])
        over = int(columns.tag[max(0, int(columns.parent[link]))])
        if kind != best and (classes[link] == name if name else over == tag and tag not in _COMMON):
            for number, place in kinds.heads(kind).items():
                heads.setdefault(number, place)
    first = next(iter(heads.values()))
    holder = int(columns.parent[first])
    over_best = int(classes[max(0, int(columns.parent[chosen]))])
    if not over_best or columns.text_length[holder] > columns.text_length[first] + 6:
        return
    alike = np.flatnonzero((columns.tag == columns.tag[holder]) & (columns.text_length > 1) & (classes == over_best))
    for place in alike[reader.record[columns.chunk_start[alike]] >= 0].tolist():
        heads.setdefault(int(reader.record[columns.chunk_start[place]]), place)


def _links_around(reader: "Reader") -> Heads:
    """The links in which records stand, one record in each; where a link before leads there too, that one."""
    columns, targets, heads = reader.columns, reader.signals.targets, {}
    for number, member in enumerate(reader.group.members.tolist()):
        place = member
        for _ in range(_AROUND):
            place = max(0, int(columns.parent[place]))
            if columns.tag[place] == TAG["a"] and targets[place]:
                heads[number] = _first_of_target(reader, place)
                break
    return heads if len(set(heads.values())) == len(heads) else {}


def _first_of_target(reader: "Reader", link: int) -> int:
    """The first link among the elements before a link, under the same parent, that leads where it does."""
    columns, targets = reader.columns, reader.signals.targets
    for place in range(max(int(columns.parent[link]) + 1, link - _BEFORE), link):
        if columns.text_length[place] > 1 and targets[place] == targets[link]:
            return place
    return link

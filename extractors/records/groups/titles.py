"""The title of each record: of all kinds of links inside the records, or around them, the most informative one.

Links of templates, people and times do not count, nor kinds whose links all lead to a few places.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.document import Document
from extractors.html.tags import NAMES, TAG, tag_set
from extractors.kernels import kernel
from extractors.records.groups.ownership import Ownership
from extractors.records.signals import page_signals
from extractors.records.signals.class_names import element_classes
from extractors.records.signals.links import absolute, link_kinds, profile_links
from extractors.records.signals.template_words import TITLE

_MAX_LEVELS_AROUND = 6
"""Levels above a record that are searched for a link around it."""
_MAX_ELEMENTS_BEFORE = 40
"""Elements before such a link that are searched for another link to the same target."""
_SHORT_CHARS = 40
_MAX_COUNTED_CHARS = 60
"""Characters of a link that count."""
_NEARLY_ALL_SHARE = 0.8
_IN_HEADINGS = tag_set("h1", "h2", "h3", "h4", "h5")
_HEADINGS = tag_set("h1", "h2", "h3", "h4", "h5", "h6")
_NAMED_TITLE = re.compile(
    r"(?:review|comment|post|message)[\w-]{0,12}(?:title|subject|headline)|(?<![\w-])(?:title|subject|headline)(?![\w-])"
)
"""Names of what a person called a text."""
_OF_PERSON = re.compile(r"user_?-?title|member|rank|author|name")
"""Names of headings about the person."""
_MAX_TITLE_CHARS = 200
_MAX_WRAPPERS = 3
"""Levels above a title whose names may mark it as a title."""
_MIN_CHUNKS = 3
"""Minimum chunks of a link whose title is looked for by name."""
_COMMON_TAGS = {TAG[name] for name in ("div", "span", "p", "li")}

TitleElements = dict[int, int]
"""By record, the element of its title."""


def find_title_links(page: Document, records: Ownership, template: NDArray[np.bool_]) -> TitleElements:
    """The titles of the records that have one. template: bool[M], the chunks that records share."""
    kinds = _link_titles(page, records, records.owner, template, inside=True)
    best = kinds.best()
    if best < 0:
        return _links_around(page, records) or _links_beside(page, records, template)
    titles, count = kinds.titles(best), len(records.members)
    return _complete(page, records, titles, best, kinds) if 0.4 * count <= len(titles) < count else titles


def are_titled(page: Document, titles: TitleElements) -> bool:
    """Whether the titles are named as titles, or are headings."""
    columns, names = page.columns, page.once(page_signals).names
    first = next(iter(titles.values()))
    parent, inner = max(0, int(columns.parent[first])), first + 1 if columns.end[first] > first + 1 else first
    called = f"{names.spelling(first)} {names.spelling(parent)} {names.spelling(inner)}"
    code = int(columns.tag[parent])
    if TITLE.search(called) is not None or (code and NAMES[code - 1].startswith("h")):
        return True
    around = _wrappers(page, first)
    return any(_HEADINGS[columns.tag[place]] or TITLE.search(names.spelling(place)) for place in around)


def _wrappers(page: Document, title: int) -> list[int]:
    """The elements around a title that hold no other text, innermost first."""
    columns, found = page.columns, [title]
    for _ in range(_MAX_WRAPPERS):
        above = int(columns.parent[found[-1]])
        if above < 0 or columns.text_length[above] != columns.text_length[title]:
            break
        found.append(above)
    return found[1:]


def title_texts(page: Document, records: Ownership, titles: TitleElements) -> dict[int, tuple[str, str]]:
    """By record, its title and the title's target."""
    columns, targets = page.columns, page.columns.sparse("href")
    found = {}
    for number, title in titles.items():
        member = int(records.members[number])
        inside = title < member < columns.end[title]
        part = _heading(page, title, member) if inside else _titled_part(page, title)
        found[number] = " ".join(columns.text(part).split()), absolute(page.base_url, targets.get(title, ""))
    return found


def _titled_part(page: Document, link: int) -> int:
    """The title part of a link around a whole record; else the link itself."""
    columns, names = page.columns, page.once(page_signals).names
    named: Iterator[int] = iter(())
    if columns.chunk_end[link] - columns.chunk_start[link] >= _MIN_CHUNKS:
        inside = range(link + 1, int(columns.end[link]))
        named = (place for place in inside if columns.text_length[place] and TITLE.search(names.spelling(place)))
    return _heading(page, link, next(named, link))


def _heading(page: Document, link: int, other: int) -> int:
    """The first heading in a link, else the other element."""
    columns, inside = page.columns, range(link + 1, int(page.columns.end[link]))
    headings = (place for place in inside if _HEADINGS[columns.tag[place]] and columns.text_length[place])
    return next(headings, other)


def find_headings(
    page: Document, records: Ownership, bodies: NDArray[np.intp], no_title: NDArray[np.bool_]
) -> TitleElements:
    """The headings that nearly all records have before or at the beginning of their texts: titles of reviews and comments.

    bodies: intp[R], the elements of the texts, −1 for none. no_title: bool[M], chunks of templates, times and authors.
    """
    columns, places = page.columns, page.once(_short_headings)
    owner, least = records.outer_owner[columns.chunk_start[places]], _NEARLY_ALL_SHARE * len(records.members)
    places, owner = places[owner >= 0], owner[owner >= 0]
    if len(places) < least:
        return {}
    first, last, body = columns.chunk_start[places], columns.chunk_end[places], bodies[owner]
    early = (first <= columns.chunk_start[body]) & (last < columns.chunk_end[body]) & (body >= 0)
    strange = np.concatenate(([0], np.cumsum(no_title)))
    fit = early & (strange[last] == strange[first])
    kinds = page.once(element_classes).bodies[places]
    for kind in dict.fromkeys(kinds[fit].tolist()):
        own = fit & (kinds == kind)
        titles = dict(zip(owner[own][::-1].tolist(), places[own][::-1].tolist(), strict=True))
        if len(titles) >= least and _may_title(page, next(iter(titles.values()))):
            return titles
    return {}


def _short_headings(page: Document) -> NDArray[np.intp]:
    """The headings of a page, and what is named as a title."""
    columns, named = page.columns, page.once(page_signals).names.have(TITLE)
    places = columns.readable[named[columns.readable] | _HEADINGS[columns.tag[columns.readable]]]
    found: NDArray[np.intp] = places[columns.text_length[places] <= _MAX_TITLE_CHARS]
    return found


def _may_title(page: Document, place: int) -> bool:
    spelling = page.once(page_signals).names.spelling(place)
    is_heading = _HEADINGS[page.columns.tag[place]] or _NAMED_TITLE.search(spelling)
    return bool(is_heading) and not _OF_PERSON.search(spelling)


@dataclass(frozen=True, slots=True)
class _LinkTitles:
    """The longest link of each of K kinds in each record; kind by kind, records ascending.

    Attributes:
        places, records: the links, and the record of each. starts: where kinds begin. scores: float64[K].
    """

    places: NDArray[np.intp]
    records: NDArray[np.intp]
    starts: NDArray[np.intp]
    scores: NDArray[np.float64]

    def titles(self, kind: int) -> TitleElements:
        """By record, its link of a kind."""
        end = self.starts[kind + 1] if kind + 1 < len(self.starts) else len(self.places)
        inside = slice(self.starts[kind], end)
        return dict(zip(self.records[inside].tolist(), self.places[inside].tolist(), strict=True))

    def in_order(self) -> list[int]:
        """The numbers of the kinds in the order of their first links."""
        found: list[int] = np.argsort(self.places[self.starts], kind="stable").tolist()
        return found

    def best(self) -> int:
        """The number of the most informative kind; −1 if there is none."""
        if not len(self.starts):
            return -1
        best = int(np.lexsort((self.places[self.starts], -self.scores))[0])
        return best if self.scores[best] > 0 else -1


def _link_titles(
    page: Document, records: Ownership, owner: NDArray[np.intp], template: NDArray[np.bool_], *, inside: bool
) -> _LinkTitles:
    """The links that may be titles, by the owner[M] of chunks. inside: only links in the records' elements."""
    columns, links, signals = page.columns, page.once(link_kinds), page.once(page_signals)
    tree = columns.chunk_start, columns.chunk_end, columns.text_length
    found = longest_links(links.places, links.starts, links.targets, owner, records.members, inside, *tree)
    places, numbers, targets, starts = found
    given = (
        places, targets, starts, columns.chunk_start, columns.text_length, template, signals.has_time, page.once(profile_links),
        signals.names.have(TITLE), _IN_HEADINGS, columns.tag, columns.parent, columns.end, _SHORT_CHARS, _MAX_COUNTED_CHARS,
    )  # fmt: skip
    scores = link_scores(*given)
    return _LinkTitles(places, numbers, starts, scores)


@kernel
def longest_links(
    places: NDArray[np.intp], kind_start: NDArray[np.intp], targets: NDArray[np.int64], owner: NDArray[np.intp],
    members: NDArray[np.intp], inside: bool, chunk_start: NDArray[np.int32], chunk_end: NDArray[np.int32],
    text_length: NDArray[np.integer[Any]],
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int64], NDArray[np.intp]]:  # fmt: skip
    """The longest link of each kind in each record: places, records and numbers of addresses, kind by kind, records
    ascending; and where kinds begin. inside: only links in members."""
    kinds = np.repeat(np.arange(len(kind_start)), np.diff(kind_start, append=len(places)))
    record = owner[chunk_start[places]]
    whole = (record >= 0) & (owner[chunk_end[places] - 1] == record)
    if inside:
        whole &= places >= members[np.maximum(record, 0)]
    places, kinds, targets, record = places[whole], kinds[whole], targets[whole], record[whole]
    order = np.lexsort((-text_length[places], record, kinds))
    places, kinds, record = places[order], kinds[order], record[order]
    first = (np.diff(kinds, prepend=-1) != 0) | (np.diff(record, prepend=-1) != 0)
    kinds = kinds[first]
    return places[first], record[first], targets[order][first], np.flatnonzero(np.diff(kinds, prepend=-1))


@kernel
def link_scores(
    places: NDArray[np.intp], targets: NDArray[np.int64], starts: NDArray[np.intp], chunk_start: NDArray[np.int32],
    text_length: NDArray[np.integer[Any]], template: NDArray[np.bool_], has_time: NDArray[np.bool_],
    profile: NDArray[np.bool_], titled: NDArray[np.bool_], headings: NDArray[np.bool_], tag: NDArray[np.int16],
    parent: NDArray[np.int32], end: NDArray[np.int32], short: int, max_chars: int,
) -> NDArray[np.float64]:  # fmt: skip
    """float64[K]: the mean counted length of a kind's links times the number of their distinct addresses, doubled if the first
    link, its parent or its first part is named as a title or is in a heading; 0 for kinds that are mostly of people, templates
    or times."""
    if not len(starts):
        return np.zeros(0)
    chunks, length = chunk_start[places], text_length[places]
    excluded = template[chunks] | (has_time[chunks] & (length < short))
    ends = np.append(starts[1:], len(places))
    sizes, firsts = ends - starts, places[starts]
    strange = np.add.reduceat(excluded | profile[places], starts, dtype=np.int64)
    chars = np.add.reduceat(np.where(excluded, 0, np.minimum(max_chars, length)), starts, dtype=np.int64)
    listed = targets.tolist()
    different = np.array(
        [len(set(listed[start:end])) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    )
    above, inner = np.maximum(parent[firsts], 0), np.minimum(firsts + 1, end[firsts] - 1)
    named = titled[firsts] | titled[above] | titled[inner] | headings[tag[above]]
    return np.where(2 * strange > sizes, 0.0, chars * different / sizes * np.where(named, 2, 1))


def _links_beside(page: Document, records: Ownership, template: NDArray[np.bool_]) -> TitleElements:
    """Links beside records, if nearly all records have one, each to a different target."""
    kinds = _link_titles(page, records, np.where(records.owner < 0, records.outer_owner, -1), template, inside=False)
    best = kinds.best()
    titles = kinds.titles(best) if best >= 0 else {}
    targets = page.columns.sparse("href")
    different = {targets.get(place, "") for place in titles.values()}
    return titles if min(len(titles), len(different)) >= _NEARLY_ALL_SHARE * len(records.members) else {}


def _complete(
    page: Document, records: Ownership, titles: TitleElements, best: int, kinds: _LinkTitles
) -> TitleElements:
    """Add titles of records without a link of the best kind: links with the same name, else elements like those that hold such links."""
    columns, classes, found = page.columns, page.once(element_classes).classes, dict(titles)
    chosen = int(kinds.places[kinds.starts[best]])
    for kind in kinds.in_order():
        if kind != best and _named_alike(page, int(kinds.places[kinds.starts[kind]]), chosen):
            for number, place in kinds.titles(kind).items():
                found.setdefault(number, place)
    holder = max(0, int(columns.parent[chosen]))
    if not classes[holder] or columns.text_length[holder] > columns.text_length[chosen] + 6:
        return found
    same = (columns.tag == columns.tag[holder]) & (columns.text_length > 1) & (classes == classes[holder])
    alike = np.flatnonzero(same)
    owner = records.owner[columns.chunk_start[alike]]
    for place, number in zip(alike[owner >= 0].tolist(), owner[owner >= 0].tolist(), strict=True):
        found.setdefault(number, place)
    return found


def _named_alike(page: Document, link: int, chosen: int) -> bool:
    """Whether a link has the chosen link's class; if that has none, a parent of the same uncommon tag."""
    columns, classes = page.columns, page.once(element_classes).classes
    if classes[chosen]:
        return bool(classes[link] == classes[chosen])
    over, tag = (int(columns.tag[max(0, int(columns.parent[place]))]) for place in (link, chosen))
    return over == tag and tag not in _COMMON_TAGS


def _links_around(page: Document, records: Ownership) -> TitleElements:
    """The links around records, one record in each; replaced by an earlier link to the same target."""
    columns, targets = page.columns, page.columns.sparse("href")
    titles: TitleElements = {}
    for number, member in enumerate(records.members.tolist()):
        place = member
        for _ in range(_MAX_LEVELS_AROUND):
            place = max(0, int(columns.parent[place]))
            if columns.tag[place] == TAG["a"] and targets.get(place):
                titles[number] = _first_of_target(page, place)
                break
    return titles if len(set(titles.values())) == len(titles) else {}


def _first_of_target(page: Document, link: int) -> int:
    """The first link to the same target among the elements before a link under the same parent."""
    columns, targets = page.columns, page.columns.sparse("href")
    for place in range(max(int(columns.parent[link]) + 1, link - _MAX_ELEMENTS_BEFORE), link):
        if columns.text_length[place] > 1 and targets.get(place) == targets[link]:
            return place
    return link

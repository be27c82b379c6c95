"""The author of each record, from the kind of short element that most certainly names people."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel
from extractors.records.groups.layout import Layout
from extractors.records.signals.author_candidates import (
    MAX_NAME_CHARS,
    MAX_NAME_WORDS,
    AuthorSignals,
    author_signals,
    avatar_names,
)
from extractors.records.signals.class_names import tell_parts
from extractors.records.signals.template_words import AUTHOR, OTHER_PERSON, SAYS, is_no_name
from extractors.text.calendar.cldr import cldr_names, folded
from extractors.text.dates import find_time

_MIN_SCORE = 0.7
"""Minimum score of a kind of element: share of records times evidence; kinds below it name no authors."""
_MIN_NAMELESS_SCORE = 0.6
"""The same on pages whose classes and ids say nothing: names are half of the evidence elsewhere."""
_MIN_NAMED_SHARE = 0.5
"""Share of records with a written name, of more than one letter, below which names in attributes of pictures are tried."""
_MICRODATA_SIGNS = 30
_MAX_KINDS = 3
_MAX_PEOPLE = 1.5
"""Maximum mean number of people in a record's elements of one kind; a record with more names those who remark on it or like it."""
_SEVERAL_WEIGHT = 0.6
_MAX_COUNTED_ELEMENTS = 200
_MIN_SHARE = 0.15
"""Minimum share of records with a kind of element."""
_MAX_LEVELS = 8
"""Elements upwards from a record to one whose attribute names its author."""
_EARLY_CHUNKS = 3
"""Maximum chunks of a record before an early name."""
_SAMPLE_ELEMENTS = 20
"""Elements of a kind by which it is judged."""
_SIGNS_SAMPLE_ELEMENTS = 8
"""Elements of a kind whose signs are counted."""
_BY = re.compile(
    r"^(?:[-–—]+|(?:posted |started |written |asked |answered |comment |commented )?by|作者|楼主|发布者|发表者"
    r"|von|verfasst von|par|de|por)(?:[:：]\s*|\s+)",
    re.I,
)
_BEFORE_TIME = re.compile(r"\s+(?:on|at|am|le|um|op)$|\s*\([^()]*\)$", re.I)
"""Words between a name and a time: "jane on", "jane (guest)"."""
_APART = re.compile(r"[,|·]\s|\s[-–—]\s")
_FLOOR = re.compile(r"#?\d+\s*[-–—.:|·]\s+")
"""The number of a post before a name: "#12 - jane"."""
_AFTER_TIME = re.compile(r"[^-–—|·]{0,16}[-–—|·]\s+(\S.*)|[\s,]+(?:by|par|von|por|door|przez)\s+(\S.*)")
"""A name after a time, and after the rest of a time that is not known: "a las 7:41 - jane", "10:12 par Jean"."""
_SAYS = re.compile(rf"\s+(?:{SAYS}|reviewed|commented)(?:\s+on)?\s*[:：.…]*$", re.I)

_MAX_LED_CHARS = 2 * MAX_NAME_CHARS
_Kinds = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True, slots=True)
class Authors:
    """By record, the element of its author, and the name; attributes: names in attributes of the page's elements."""

    layout: Layout
    places: dict[int, int]
    names: dict[int, str]
    attributes: dict[int, str]

    def name(self, number: int) -> tuple[str, int]:
        """(name, its element, −1 for none) of a record's author; ("", −1) without a name."""
        place = self.places.get(number, -1)
        if place >= 0:
            return self.names[number], place
        named = self._noted(number) if self.attributes else ""
        return (named if len(named) <= MAX_NAME_CHARS else ""), -1

    def _noted(self, number: int) -> str:
        """The name in an attribute of a record's element, or of the next one around it that has any and holds no record before it."""
        members, place = self.layout.members, int(self.layout.members[number])
        before = int(members[number - 1]) if number else -1
        for _ in range(_MAX_LEVELS):
            if place in self.attributes or place <= before:
                break
            place = max(0, int(self.layout.columns.parent[place]))
        return self.attributes.get(place, "") if place > before else ""


def find_authors(layout: Layout, usable: NDArray[np.bool_]) -> Authors:
    """The authors of a group's records. usable: bool[M], the chunks beside their texts.

    They are elements of the kind that most certainly names people; records without it use the next two kinds.
    """
    people, columns = layout.page.once(author_signals), layout.columns
    around = layout.records.outer_owner, columns.chunk_start, len(layout.members)
    kinds = places, records, starts = first_of_kinds(
        people.places, people.starts, usable & ~layout.signals.has_time, *around, _MIN_SHARE
    )
    best: dict[int, int] = {}
    least = _MIN_SCORE if layout.page.once(tell_parts) else _MIN_NAMELESS_SCORE
    if len(starts):
        scores, ends = _scores(layout, people, kinds), np.append(starts[1:], len(places))
        rivals = np.flatnonzero(scores > max(_MIN_SCORE, _SEVERAL_WEIGHT * scores.max()))
        if len(rivals) > 1:
            scores[rivals[_several(layout, people, places[starts[rivals]])]] *= _SEVERAL_WEIGHT
        for kind in np.lexsort((places[starts], -scores))[:_MAX_KINDS].tolist():
            if scores[kind] > least:
                inside = slice(starts[kind], ends[kind])
                best = dict(zip(records[inside].tolist(), places[inside].tolist(), strict=True)) | best
    if best and people.signs[list(best.values())].min() >= _MICRODATA_SIGNS:
        best = _first_by_record(layout, people, usable, _marked(people)) | best
    if 0 < len(best) < len(layout.members):
        alike = _alike(layout, people, np.array(list(best.values()), dtype=np.intp))
        best = _first_by_record(layout, people, usable, alike) | best if alike.any() else best
    labels = people.label[list(best.values())].tolist() if best else []
    names = {number: _cleaned(people.labels[label]) for number, label in zip(best, labels, strict=True)}
    names |= {number: _of_digits(layout, people, best[number]) for number, name in names.items() if not name}
    if sum(len(name) > 1 for name in names.values()) < _MIN_NAMED_SHARE * len(layout.members):
        pictured = _pictured(layout, people)
        if len(pictured) >= _MIN_SCORE * len(layout.members):
            avatars = layout.page.once(avatar_names)
            best, names = pictured, {number: avatars[place] for number, place in pictured.items()}
    return Authors(layout, best, names, people.attributes)


def _marked(people: AuthorSignals) -> NDArray[np.bool_]:
    """bool[places]: microdata marks the element as a name, as it marks the usual ones: classes may differ by rank."""
    return np.asarray(people.signs[people.places] >= _MICRODATA_SIGNS)


def _alike(layout: Layout, people: AuthorSignals, usual: NDArray[np.intp]) -> NDArray[np.bool_]:
    """bool[places]: the element has the tag and class of the usual ones, in a record with a time: what is around it may differ by
    rank."""
    bodies, owner = layout.classes.bodies, layout.records.outer_owner
    own, same = bodies[people.places], np.zeros(len(people.places), dtype=np.bool_)
    for kind in {kind for kind in bodies[usual].tolist() if not kind % 2}:
        same |= own == kind
    if np.count_nonzero(same) <= len(usual):
        return np.zeros_like(same)
    timed = np.zeros(len(layout.members) + 1, dtype=np.bool_)
    timed[owner[layout.signals.has_time]] = True
    timed[-1] = False
    found = np.flatnonzero(same)
    same[found] = timed[owner[np.minimum(layout.columns.chunk_start[people.places[found]], len(owner) - 1)]]
    return same


def _first_by_record(
    layout: Layout, people: AuthorSignals, usable: NDArray[np.bool_], fit: NDArray[np.bool_]
) -> dict[int, int]:
    """By record, its first element with a name among those that fit: bool[places]."""
    places = people.places[fit]
    places = places[(people.label[places] > 0) & ~people.other[places]]
    chunks = layout.columns.chunk_start[places]
    places = np.sort(places[usable[np.minimum(chunks, len(usable) - 1)]])
    owners = layout.records.outer_owner[layout.columns.chunk_start[places]]
    return {
        number: place for number, place in zip(owners[::-1].tolist(), places[::-1].tolist(), strict=True) if number >= 0
    }


def _pictured(layout: Layout, people: AuthorSignals) -> dict[int, int]:
    """By record, the first picture in it with a person's name."""
    places = [place for place in layout.page.once(avatar_names) if not people.other[place]]
    around = layout.records.outer if len(layout.members) > 1 else layout.members
    first = np.array([*places, len(layout.columns)], dtype=np.intp)[np.searchsorted(places, around)]
    held = np.flatnonzero(first < layout.columns.end[around])
    return dict(zip(held.tolist(), first[held].tolist(), strict=True))


def _several(layout: Layout, people: AuthorSignals, examples: NDArray[np.intp]) -> NDArray[np.bool_]:
    """bool[K]: records name several people in elements of the same kind as this example."""
    numbers, bounds = layout.classes.kinds, np.append(people.starts, len(people.places))
    kinds = numbers[people.places[people.starts]]
    found = np.zeros(len(examples), dtype=np.bool_)
    for place, kind in enumerate(numbers[examples].tolist()):
        at = int(np.argmax(kinds == kind))
        inside = people.places[bounds[at] : bounds[at + 1]][:_MAX_COUNTED_ELEMENTS]
        records = layout.records.outer_owner[layout.columns.chunk_start[inside]].tolist()
        labelled = zip(records, people.label[inside].tolist(), strict=True)
        named = {(record, label) for record, label in labelled if record >= 0 and label}
        found[place] = len(named) > _MAX_PEOPLE * len({record for record, _ in named})
    return found


def _of_digits(layout: Layout, people: AuthorSignals, place: int) -> str:
    """The text of an element that would name the author, if it is a number: some people's names are."""
    text = layout.columns.text(place).strip() if people.signs[place] else ""
    return text if text.isdecimal() and len(text) <= MAX_NAME_CHARS else ""


def names_author(text: str) -> bool:
    """Whether a short text introduces an author: "Posted by jane"; "Started by jane" tells of another thread."""
    return len(text) <= _MAX_LED_CHARS and _BY.match(text) is not None and not text.lower().startswith("started")


@lru_cache(maxsize=2_000)
def name_beside_time(text: str) -> str:
    """The name in a short text that also has a time: "Jane Doe, 4 May 2020", "by jane · yesterday", "4 May 2020 - Jane Doe"."""
    time = find_time(text)
    left, _, right = text.partition(time) if time else ("", "", "")
    left = _without_day(left.strip()).strip()
    parted = _BY.match(left) or left[-1:] in ",·|，-–—)"
    left = _FLOOR.sub("", _BEFORE_TIME.sub("", left), count=1)
    after = _AFTER_TIME.match(right)
    return (plain_name(left) if parted else "") or (plain_name(after[1] or after[2]) if after else "")


def _without_day(text: str) -> str:
    """The text without a day of the week that is alone, or behind a comma or a stroke: "jane | Tue,"."""
    parts = _APART.split(text.rstrip(" ,."))
    day = parts[-1].split()[-1:]
    return text[: text.rindex(parts[-1])] if day and folded(day[0]) in cldr_names().weekdays else text


def plain_name(text: str) -> str:
    """The name that a text is, "" if it is none."""
    name = _cleaned(" ".join(text.split()))
    plain = not is_no_name(name.lower()) and len(name.split()) <= MAX_NAME_WORDS
    return name if plain and 1 < len(name) <= MAX_NAME_CHARS else ""


def _scores(layout: Layout, people: AuthorSignals, kinds: _Kinds) -> NDArray[np.float64]:
    given = (
        *kinds, layout.members, people.signs, people.other, people.label, people.plain, people.led, layout.records.outer_owner,
        layout.columns.chunk_start, layout.classes.cell, layout.headed_cells(AUTHOR), layout.headed_cells(OTHER_PERSON), _SAMPLE_ELEMENTS,
        _SIGNS_SAMPLE_ELEMENTS, _EARLY_CHUNKS,
    )  # fmt: skip
    return author_scores(*given)


@kernel
def first_of_kinds(
    places: NDArray[np.intp], kind_start: NDArray[np.intp], usable: NDArray[np.bool_], owner: NDArray[np.intp],
    chunk_start: NDArray[np.int32], records: int, min_share: float,
) -> _Kinds:  # fmt: skip
    """The first element of each kind in each record, among elements whose first chunk is usable[M]: places, records, and where
    kinds begin; kind by kind, each in document order. Kinds in too few records are left out."""
    kinds = np.repeat(np.arange(len(kind_start)), np.diff(kind_start, append=len(places)))
    held = chunk_start[places] < len(owner)
    places, kinds = places[held], kinds[held]
    chunks = chunk_start[places]
    fit = usable[chunks] & (owner[chunks] >= 0) & (owner[chunks] < records)
    places, kinds = places[fit], kinds[fit]
    numbers = owner[chunk_start[places]]
    order = np.lexsort((places, numbers, kinds))
    kinds, numbers, places = kinds[order], numbers[order], places[order]
    first = (np.diff(kinds, prepend=-1) != 0) | (np.diff(numbers, prepend=-1) != 0)
    kinds, numbers, places = kinds[first], numbers[first], places[first]
    sizes = np.diff(np.append(np.flatnonzero(np.diff(kinds, prepend=-1)), len(kinds)))
    wide = np.repeat(sizes >= min_share * records, sizes)
    order = np.lexsort((places[wide], kinds[wide]))
    kinds = kinds[wide][order]
    return places[wide][order], numbers[wide][order], np.flatnonzero(np.diff(kinds, prepend=-1))


@kernel
def author_scores(
    places: NDArray[np.intp], records: NDArray[np.intp], starts: NDArray[np.intp], members: NDArray[np.intp],
    signs: NDArray[np.int64], other: NDArray[np.bool_], label: NDArray[np.intp], plain: NDArray[np.bool_],
    led: NDArray[np.bool_], owner: NDArray[np.intp], chunk_start: NDArray[np.int32], cell: NDArray[np.int32],
    author_cells: NDArray[np.bool_], other_cells: NDArray[np.bool_], sample: int, signs_sample: int, early_chunks: int,
) -> NDArray[np.float64]:  # fmt: skip
    """float64[K]: the evidence for each kind of element (see `AuthorSignals`, and the headings of columns, see
    `Layout.headed_cells`), times the share of records with it."""
    chunks, sizes = chunk_start[places], np.diff(np.append(starts, len(places)))
    sampled, weighed = np.minimum(sizes, sample), np.minimum(sizes, signs_sample)
    beside = led[chunks] & (owner[chunks] == owner[chunks - 1])
    of_author, of_other = (
        cells[cell[places] + 1] if len(cells) else np.zeros(len(places), np.bool_)
        for cells in (author_cells, other_cells)
    )
    rank = _sum(signs[places] + 12 * beside + 10 * of_author, starts, weighed) / (10 * weighed)
    others = _sum(other[places] | of_other, starts, weighed) / weighed
    distinct = _distinct(label[places], starts, sampled)
    plainly = _sum(plain[label[places]], starts, sampled) / sampled
    early = _sum(chunks - chunk_start[members[records]] <= early_chunks, starts, sampled) / sampled
    share = sizes / len(members)
    scores = (1 - 0.6 * others) * share * (rank + np.minimum(1.0, 1.5 * distinct / sampled) + 0.4 * early) * plainly
    scores[(distinct == 1) & (sampled > 2) & (rank < 2)] = 0.0
    return np.asarray(scores)


def _sum(values: NDArray[Any], starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> NDArray[np.int64]:
    """Sums of the first `sizes` values from each start."""
    running = np.concatenate(([0], np.cumsum(values, dtype=np.int64)))
    return np.asarray(running[starts + sizes] - running[starts])


def _distinct(values: NDArray[np.intp], starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Numbers of distinct values among the first `sizes` from each start."""
    listed = values.tolist()
    ranges = zip(starts.tolist(), (starts + sizes).tolist(), strict=True)
    return np.array([len(set(listed[start:end])) for start, end in ranges])


@lru_cache(maxsize=2_000)
def _cleaned(text: str) -> str:
    return _SAYS.sub("", _BY.sub("", text)).strip(" :：,，·|»-–—")

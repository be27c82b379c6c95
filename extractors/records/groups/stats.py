"""Integer sums over the members of candidate groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.document import Document
from extractors.html.tags import NAMES, tag_set
from extractors.kernels import kernel
from extractors.records.groups import Members
from extractors.records.groups.ownership import innermost_holders
from extractors.records.signals import PageSignals, page_signals
from extractors.records.signals.class_names import word_bit
from extractors.records.signals.links import profile_links
from extractors.records.signals.template_words import AUTHOR, BODY, TITLE

OWN_SUMS = (
    "outermost", "has time", "one time", "two times", "times", "times of outermost", "text of outermost",
    "free text of outermost", "own text", "own text squared", "short", "silent", "distinct", "of one parent",
)  # fmt: skip
PARTS = (
    "author", "profile", "body", "picture", "heading", "paragraph", "time element", "link", "long link", "title", "code",
)  # fmt: skip
INNER_SUMS = (
    *(f"has {part}" for part in PARTS), *(f"one {part}" for part in PARTS), "has id", "time around", "climbs",
    "one parent above", "time in outer", "text of outer", "times of siblings", "author in outer",
    "profile in outer", "long link in outer",
)  # fmt: skip
MEMBER_SUMS = (
    "mean log text", "linked", "in larger group", "in quotes", "share of outer", "act inside", "act in outer",
    "one act in outer", "acts of outermost",
)  # fmt: skip
_OUTER_PARTS = np.array([PARTS.index(part) for part in ("author", "profile", "long link")])
_TAGS_OF_PARTS = {
    "picture": tag_set("img"),
    "heading": tag_set("h1", "h2", "h3", "h4", "h5"),
    "paragraph": tag_set("p"),
    "time element": tag_set("time"),
    "link": tag_set("a"),
    "code": tag_set("pre", "code"),
}
_BITS_OF_TAGS = np.zeros(len(NAMES) + 1, dtype=np.int64)
for _part, _table in _TAGS_OF_PARTS.items():
    _BITS_OF_TAGS |= _table.astype(np.int64) << PARTS.index(_part)
_WORDS_OF_PARTS = np.array(
    [(word_bit(words), PARTS.index(part)) for part, words in (("author", AUTHOR), ("body", BODY), ("title", TITLE))]
)
_LINK, _LONG_LINK, _PROFILE = (PARTS.index(part) for part in ("link", "long link", "profile"))
_SHORT_CHARS = 12
_MIN_LONG_LINK_CHARS = 8
_MAX_TIMES = 6
_MAX_LEVELS = 6
"""Elements above a member that are examined."""

SUMS = (*OWN_SUMS, *INNER_SUMS)


@dataclass(frozen=True, slots=True)
class OwnStats:
    """Counts of all G groups of a page with A members in total; the members of a group are in document order.

    Attributes:
        member: intp[A], group after group. start, size: int64[G], where each group begins, and its number of members.
        sums: int64[OWN_SUMS, G]. text: int64[A], the text of each member without members inside it.
    """

    member: NDArray[np.intp]
    start: NDArray[np.intp]
    size: NDArray[np.int64]
    sums: NDArray[np.int64]
    text: NDArray[np.int64]

    def take(self, numbers: NDArray[np.intp]) -> "OwnStats":
        """The counts of some of the groups, by number."""
        size = self.size[numbers]
        start = np.cumsum(size) - size
        inside = np.repeat(self.start[numbers] - start, size) + np.arange(int(size.sum()))
        return OwnStats(self.member[inside], start, size, self.sums[:, numbers], self.text[inside])


@dataclass(frozen=True, slots=True)
class GroupStats:
    """Counts of G groups with A members in total.

    Attributes:
        own: see `OwnStats`. sums: int64[SUMS, G].
        larger_around: float64[A], the size of the largest group with an element around the member, relative to the member's
            group, at most 2; 0 if none is about as large.
        outer: intp[A], the largest element around each member that holds no other member of its group, at most 6 levels above.
    """

    own: OwnStats
    sums: NDArray[np.int64]
    larger_around: NDArray[np.float64]
    outer: NDArray[np.intp]


def own_stats(page: Document, groups: Sequence[Members]) -> OwnStats:
    """The counts of all groups, before some are chosen."""
    columns, signals = page.columns, page.once(page_signals)
    size = np.fromiter(map(len, groups), np.int64, len(groups))
    start, member = np.cumsum(size) - size, np.concatenate(groups)
    ending = signals.texts.beginning[columns.chunk_end - 1]  # arbitrary for an element without text
    given = member, start, columns.end, columns.parent, signals.weights, signals.silent, ending, _SHORT_CHARS
    return OwnStats(member, start, size, *own_counts(*given))


def group_stats(page: Document, own: OwnStats) -> GroupStats:
    """All counts of some groups."""
    columns, signals = page.columns, page.once(page_signals)
    parts, numbered = _parts(signals, page.once(profile_links)), _numbered_ids(signals)
    tree = own.member, own.start, columns.end, columns.parent, signals.weights
    counts, larger_around, outer = inner_counts(*tree, numbered, parts, _OUTER_PARTS, _MAX_LEVELS)
    return GroupStats(own, np.concatenate((own.sums, counts)), larger_around, outer)


def _parts(signals: PageSignals, profiles: NDArray[np.bool_]) -> NDArray[np.int64]:
    columns = signals.columns
    given = columns.tag, _BITS_OF_TAGS, signals.names.words, _WORDS_OF_PARTS, profiles, columns.text_length
    return part_bits(*given, _MIN_LONG_LINK_CHARS, _LINK, _LONG_LINK, _PROFILE)


@kernel
def part_bits(
    tag: NDArray[np.int16], tag_bits: NDArray[np.int64], words: NDArray[np.int64], word_parts: NDArray[np.int64],
    profiles: NDArray[np.bool_], text_length: NDArray[np.int64], long_from: int, link: int, long_link: int, profile: int,
) -> NDArray[np.int64]:  # fmt: skip
    """int64[N]: a bit for each of `PARTS` that an element is: by its tag, by the words in its name (word_parts: pairs of a bit of
    words[N] and a part), a link with at least `long_from` characters, a link to a person; the last three arguments are numbers of parts."""
    found = tag_bits[tag]
    long_links = (found >> link & 1).astype(np.bool_) & (text_length >= long_from)
    found |= long_links.astype(np.int64) << long_link | profiles.astype(np.int64) << profile
    for bit, part in word_parts.tolist():
        found |= (words & bit > 0).astype(np.int64) << part
    return np.asarray(found)


def _numbered_ids(signals: PageSignals) -> NDArray[np.bool_]:
    """bool[N]: the element has text and an id with a number."""
    columns = signals.columns
    found = np.zeros(len(columns), dtype=bool)
    found[columns.readable] = np.array(list(map(bool, signals.names.stems)), dtype=bool)[columns.names[1]]
    return found


@kernel
def own_counts(
    member: NDArray[np.intp], start: NDArray[np.intp], end: NDArray[np.int32], parent: NDArray[np.int32],
    weights: NDArray[np.int64], silent: NDArray[np.bool_], ending: NDArray[np.int64], short: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:  # fmt: skip
    """int64[OWN_SUMS, G], int64[A]: see `OwnStats`. weights, silent: see `PageSignals`; ending: int64[N], the number of the
    beginning of each element's last chunk; short: characters."""
    group = _group_of(member, start)
    top, above = outermost_members(member, start, end), parent[member]
    text, free, times = weights[:, member]
    inner, outer = _nested(member, start, end)
    own, own_times = text.copy(), times.copy()
    np.subtract.at(own, outer, text[inner])
    np.subtract.at(own_times, outer, times[inner])
    several = np.minimum(np.maximum(own_times, 0), _MAX_TIMES)
    counted = (
        top, own_times > 0, own_times == 1, own_times == 2, several, times * top, text * top, free * top,
        own, own * own, own < short, silent[member],
    )  # fmt: skip
    keys = np.unique(np.stack((group, ending[member], text)), axis=1)
    distinct = np.bincount(keys[0], minlength=len(start))
    return np.stack(
        (*(_sums(values, start) for values in counted), distinct, _sums(above == above[start][group], start))
    ), own


@kernel
def inner_counts(
    member: NDArray[np.intp], start: NDArray[np.intp], end: NDArray[np.int32], parent: NDArray[np.int32],
    weights: NDArray[np.int64], numbered: NDArray[np.bool_], parts: NDArray[np.int64], outer_parts: NDArray[np.int64],
    max_levels: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.intp]]:  # fmt: skip
    """int64[INNER_SUMS, G], float64[A] and intp[A]: see `GroupStats`. numbered: bool[N], has a numbered id; parts: int64[N],
    bits of `PARTS`; outer_parts: int64, the parts searched for in the outer elements."""
    group, (text, _, times) = _group_of(member, start), weights
    around, gained = _larger_around(member, start, parent, times, max_levels)
    outer = _outer(member, group, end, parent, max_levels)
    above = np.maximum(parent[outer], 0)
    one = above == above[start][group]
    running = np.zeros((len(PARTS), len(end) + 1), dtype=np.int32)
    np.cumsum(parts >> np.arange(len(PARTS))[:, None] & 1, axis=1, dtype=np.int32, out=running[:, 1:])
    inside = running[:, end[member]] - running[:, member]
    wider = running[outer_parts, :][:, end[outer]] > running[outer_parts, :][:, outer]
    others = numbered[member], gained, outer != member, one, times[outer] > 0, text[outer], times[outer] * one
    counted = (*(inside > 0), *(inside == 1), *others, *wider)
    return np.stack([_sums(values, start) for values in counted]), around, outer


@kernel
def member_sums(
    member: NDArray[np.intp], start: NDArray[np.intp], end: NDArray[np.int32], outer: NDArray[np.intp],
    weights: NDArray[np.int64], acts: NDArray[np.int64], quoted: NDArray[np.bool_], larger_around: NDArray[np.float64],
    log_text: NDArray[np.float64],
) -> NDArray[np.float64]:  # fmt: skip
    """float64[MEMBER_SUMS, G]. acts: int64[N], actions for readers in each element; quoted: bool[N], in a quote; log_text:
    float64[A]; the others: see `GroupStats` and `PageSignals`."""
    group, (text, free, _) = _group_of(member, start), weights
    inside, around = acts[member], acts[outer]
    counted = (
        log_text, 1 - free[member] / np.maximum(text[member], 1), larger_around, quoted[member],
        text[member] / np.maximum(text[outer], 1), inside > 0, around > 0, around == 1,
        inside * outermost_members(member, start, end),
    )  # fmt: skip
    return np.stack([np.bincount(group, values, len(start)) for values in counted])


def _sums(values: NDArray[Any], start: NDArray[np.intp]) -> NDArray[np.int64]:
    """int64[G]: sums of values[A] over each group's members."""
    return np.asarray(np.add.reduceat(values, start, dtype=np.int64))


def _group_of(member: NDArray[np.intp], start: NDArray[np.intp]) -> NDArray[np.intp]:
    """intp[A]: the number of each member's group."""
    return np.repeat(np.arange(len(start)), _sizes(start, len(member)))


def _sizes(start: NDArray[np.intp], total: int) -> NDArray[np.intp]:
    """intp[G]: the number of members of each group."""
    return np.concatenate((start[1:], [total])) - start


@kernel
def outermost_members(member: NDArray[np.intp], start: NDArray[np.intp], end: NDArray[np.int32]) -> NDArray[np.bool_]:
    """bool[A]: the member is not inside another member of its group."""
    base = _group_of(member, start) * (len(end) + 1)
    reached = np.maximum.accumulate(np.concatenate(([0], (end[member] + base)[:-1])))
    return np.asarray(reached <= member + base)


def _nested(
    member: NDArray[np.intp], start: NDArray[np.intp], end: NDArray[np.int32]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """intp[members in others of their group] twice: these members, and the innermost one around each."""
    inner, outer = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    stops = np.append(start[1:], len(member))
    for number in np.unique(_group_of(member, start)[~outermost_members(member, start, end)]).tolist():
        begin = int(start[number])
        holder = innermost_holders(member[begin : stops[number]], end)
        inner.append(begin + np.flatnonzero(holder >= 0))
        outer.append(begin + holder[holder >= 0])
    return np.concatenate(inner), np.concatenate(outer)


def _larger_around(
    member: NDArray[np.intp],
    start: NDArray[np.intp],
    parent: NDArray[np.int32],
    times: NDArray[np.int64],
    max_levels: int,
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """float64[A]: see `GroupStats`; bool[A]: such an element has more times than the member."""
    sizes = _sizes(start, len(member))
    size, largest = np.repeat(sizes, sizes), np.zeros(len(parent), dtype=np.int64)
    np.maximum.at(largest, member, size)
    above, found, gained = member, np.zeros(len(member)), np.zeros(len(member), dtype=np.bool_)
    for _ in range(max_levels):
        above = np.maximum(parent[above], 0)
        alike = largest[above] >= 0.8 * size
        found = np.maximum(found, np.minimum(2.0, largest[above] / size) * alike)
        gained |= alike & (times[above] > times[member])
    return found, gained


def _outer(
    member: NDArray[np.intp],
    group: NDArray[np.intp],
    end: NDArray[np.int32],
    parent: NDArray[np.int32],
    max_levels: int,
) -> NDArray[np.intp]:
    """intp[A]: see `GroupStats`."""
    base = group * (len(end) + 1)
    keys, outer, climbing = base + member, member.copy(), np.arange(len(member))
    for _ in range(max_levels):
        above = parent[outer[climbing]]
        first = np.searchsorted(keys, base[climbing] + above)
        last = np.searchsorted(keys, base[climbing] + end[np.maximum(above, 0)])
        free = (above > 0) & (last - first == 1)
        climbing = climbing[free]
        outer[climbing] = above[free]
    return outer

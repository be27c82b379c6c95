"""The texts of records: their bodies without template text, names and times; and the quoted parts.

The bodies are the elements of the kind, among all inside the records, with the highest value over all records.
"""

import re
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import TAG
from extractors.kernels import kernel
from extractors.records.fields.counts import NAMED_FLOORS
from extractors.records.groups.layout import Layout, shared_texts
from extractors.records.groups.ownership import inside_elements
from extractors.records.signals import body_values, named_chunks, page_signals, quote_elements

_MAX_BODY_VALUE = 15_000
"""Maximum value of one record's body, in tenths of a character, so that a long body does not decide for all records."""
_WHOLE_BODY_SHARE = 0.9
"""Share of a body's letters that a quote rarely has. Templates also name quotable parts "quote" ("select to quote" around every
post): a kind of element that mostly holds whole bodies is not a quote."""

_MAX_LACKING_SHARE = 0.3
"""Maximum share of records without a body of the usual kind, for these to be none rather than of another form."""
_USUAL_SHARE = 0.5
"""Minimum share of the records with a body that have a kind of element beside it."""
_MIN_SAID_CHARS = 20
"""Minimum characters of a record without a body, outside links."""

_MAX_COUNTED_CHARS = 40
"""Maximum characters of a number with its label."""
_MAX_FLOOR_CHARS = max(map(len, NAMED_FLOORS))
_DIGITS = re.compile(r"\d[\d.,]*")

_Chunks = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]


def find_bodies(layout: Layout, counted: NDArray[np.bool_]) -> NDArray[np.intp]:
    """intp[R]: by record, the element of its body, −1 for none. counted: see `counted_chunks`."""
    columns, visible = layout.columns, layout.signals.visible
    bad = layout.template | layout.no_text
    bad = bad | counted if _say_more(layout, bad | counted) else bad
    values = np.where(bad, -120 - 10 * np.minimum(visible, 40), layout.page.once(body_values))
    values[layout.records.owner < 0] = 0
    if not layout.is_list:
        values[layout.page.once(named_chunks) & (values > 0)] = 0
    if layout.hidden is not None:
        values[layout.hidden] = 0
    tree = columns.depth, columns.end, columns.chunk_start, columns.chunk_end
    kinds = layout.classes.bodies
    bodies = best_bodies(columns.readable, layout.members, layout.records.owner, values, kinds, *tree, _MAX_BODY_VALUE)
    if not (layout.quotes.any() and (quoted := columns.within(layout.quotes))[bodies[bodies >= 0]].any()):
        return bodies
    values[quoted[columns.owner]] = 0
    readable = _without_quoted(layout, quoted)
    if len(readable) == len(columns.readable):
        return bodies
    return best_bodies(readable, layout.members, layout.records.owner, values, kinds, *tree, _MAX_BODY_VALUE)


def _say_more(layout: Layout, left_out: NDArray[np.bool_]) -> bool:
    """Whether most records say something outside links beside their times and what is left out: texts may differ in numbers alone."""
    owner = layout.records.owner
    said = (owner >= 0) & ~(left_out | layout.signals.has_time | layout.signals.linked)
    return bool(2 * len(np.unique(owner[said])) > len(layout.members))


def _without_quoted(layout: Layout, quoted: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The elements with text, except those in a quote whose record has an element of the same class outside: a post and the post
    that it forwards often have the same markup. quoted: bool[N]."""
    columns, readable = layout.columns, layout.columns.readable
    number, kinds = layout.records.owner[columns.chunk_start[readable]], layout.classes.bodies[readable]
    pairs, inside = kinds * (len(layout.members) + 1) + number, quoted[readable]
    named = (number >= 0) & (kinds % 2 == 0)
    left: NDArray[np.intp] = readable[~(inside & named & np.isin(pairs, pairs[~inside]))]
    return left


@kernel
def best_bodies(
    readable: NDArray[np.intp], members: NDArray[np.intp], owner: NDArray[np.intp], values: NDArray[np.int64],
    kinds: NDArray[np.int64], depth: NDArray[np.int32], end: NDArray[np.int32], chunk_start: NDArray[np.int32],
    chunk_end: NDArray[np.int32], max_value: int,
) -> NDArray[np.intp]:  # fmt: skip
    """intp[R]: by record, the element with the highest value, of the kind with the highest sum of such values; −1 for none.

    Args:
        readable: the elements with text. values: int64[M], of chunks. kinds: int64[N], odd kinds also differ by depth in the record.
        max_value: maximum value of one record that counts.
    """
    bodies = np.full(len(members), -1, dtype=np.intp)
    number = np.searchsorted(members, readable, side="right") - 1
    own = (number >= 0) & (owner[chunk_start[readable]] == number) & (readable < end[members[number]])
    number, place = number[own], readable[own]
    if not len(place):
        return bodies
    running = np.concatenate(([0], np.cumsum(values)))
    value = running[chunk_end[place]] - running[chunk_start[place]]
    deep = (depth[place] - depth[members[number]]).clip(0, 255)
    kind = (kinds[place] << 8) + np.where(kinds[place] & 1, deep, 0)
    order = np.lexsort((place, -value, number, kind))
    kind, number, place, value = kind[order], number[order], place[order], value[order]
    other = kind[1:] != kind[:-1]
    first = np.concatenate(([True], other | (number[1:] != number[:-1])))
    starts = np.flatnonzero(np.concatenate(([True], other)))
    sums = np.add.reduceat(np.where(first, np.minimum(max_value, value), 0), starts)
    best = np.lexsort((np.minimum.reduceat(order, starts), -sums))[0]
    chosen = first & (kind == kind[starts[best]])
    bodies[number[chosen]] = place[chosen]
    return bodies


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of R records.

    Attributes:
        bodies: intp[R], the elements of the texts, −1 for none. chunks, first, last: chunks[first[r] : last[r]] are those of record r.
        texts: R texts. quoted: bool[M], chunks of quotes; None if there are none.
    """

    columns: Columns
    bodies: NDArray[np.intp]
    chunks: NDArray[np.intp]
    first: NDArray[np.intp]
    last: NDArray[np.intp]
    texts: list[str]
    quoted: NDArray[np.bool_] | None

    def chunks_of(self, number: int) -> NDArray[np.intp]:
        """The chunks of a record's text."""
        return self.chunks[self.first[number] : self.last[number]]

    def of(self, number: int) -> tuple[str, str, str]:
        """(a record's text, its quoted part, the rest), without template text before and after."""
        text = self.texts[number]
        if self.quoted is None:
            return text, "", text
        chunks, join = self.chunks_of(number), self.columns.join
        if not (quoted := self.quoted[chunks]).any():
            return text, "", text
        return text, join(chunks[quoted]), join(chunks[~quoted])


def find_texts(layout: Layout, bodies: NDArray[np.intp], counted: NDArray[np.bool_], used: NDArray[np.bool_]) -> Texts:
    """The texts of a group's records. bodies: intp[R], see `find_bodies`; used: bool[M], chunks of authors and times."""
    columns = layout.columns
    tree = _with_paragraphs(layout, bodies, used)
    no_text = layout.no_text | _textless(layout, bodies, used)
    masks = layout.template | counted, layout.signals.has_time, no_text, used
    found = text_chunks(layout.records.owner, bodies, *tree, *masks)
    return Texts(columns, bodies, *found, columns.join_each(*found), _quoted_chunks(layout, bodies))


def counted_chunks(layout: Layout) -> NDArray[np.bool_]:
    """bool[M]: numbers with words that many records have beside other numbers: "4 likes", "#17"."""
    number, texts = layout.page.once(_numbered_texts), layout.signals.texts
    return shared_texts(
        number, texts.length, layout.records.outer_owner, number < 0, len(layout.members), _MAX_COUNTED_CHARS
    )


def _numbered_texts(page: Document) -> NDArray[np.int64]:
    """int64[M]: by chunk, the number of its text whatever its digits, −1 if it has none, or nothing else."""
    signals, seen = page.once(page_signals), dict[str, int]()
    texts = signals.texts
    number = np.full(len(texts.texts), -1, dtype=np.int64)
    quoted = page.columns.within(page.once(quote_elements))[page.columns.owner]
    brief = (page.columns.counts("digit") > 0) & (texts.length <= _MAX_COUNTED_CHARS) & ~signals.has_time & ~quoted
    for chunk in np.flatnonzero(brief).tolist():
        words = _DIGITS.sub("0", texts.lowered[chunk])
        if words != "0":
            number[chunk] = seen.setdefault(words, len(seen))
    short = np.flatnonzero(texts.length <= _MAX_FLOOR_CHARS).tolist()
    if named := [chunk for chunk in short if texts.lowered[chunk] in NAMED_FLOORS]:
        number[named] = seen.setdefault("0#", len(seen))
    return number


def _textless(layout: Layout, bodies: NDArray[np.intp], used: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[M]: the chunk is in a record without a body that says nothing but what the other records say beside their bodies, or one of
    few that say hardly anything: pictures, notices, advertisements."""
    lacking, owner, visible = bodies < 0, layout.records.owner, layout.signals.visible
    if not 0 < lacking.mean() < 1:
        return np.zeros(len(owner), dtype=np.bool_)
    left_out = layout.template | layout.signals.has_time | layout.no_text | used
    said = (owner >= 0) & ~left_out
    asked = np.flatnonzero(said & lacking[owner])
    own = asked[~_beside_bodies(layout, bodies, asked)]
    other = np.bincount(owner[own], minlength=len(bodies)) == 0
    if lacking.mean() <= _MAX_LACKING_SHARE:
        said &= ~layout.signals.linked
        other |= np.bincount(owner[said], weights=visible[said], minlength=len(bodies)) < _MIN_SAID_CHARS
    return np.asarray((lacking & other)[owner] & (owner >= 0))


def _beside_bodies(layout: Layout, bodies: NDArray[np.intp], asked: NDArray[np.intp]) -> NDArray[np.bool_]:
    """bool[asked]: the chunk's kind of element is beside the bodies of most records that have one."""
    columns, owner = layout.columns, layout.records.owner
    if not len(asked):
        return np.zeros(0, dtype=np.bool_)
    inside = inside_elements(bodies, owner, columns.chunk_start, columns.chunk_end)
    beside = np.flatnonzero((owner >= 0) & ~inside & (bodies >= 0)[owner])
    kinds, number = np.unique(layout.classes.kinds[columns.owner[asked]], return_inverse=True)
    around = layout.classes.kinds[columns.owner[beside]]
    at = np.searchsorted(kinds, around).clip(max=len(kinds) - 1)
    same = kinds[at] == around
    pairs = np.unique(at[same] * len(bodies) + owner[beside[same]])
    usual = np.bincount(pairs // len(bodies), minlength=len(kinds)) >= _USUAL_SHARE * np.count_nonzero(bodies >= 0)
    return np.asarray(usual[number])


def _with_paragraphs(
    layout: Layout, bodies: NDArray[np.intp], used: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The first chunk of each element, and the one after its last; for a body that is a paragraph, those of all paragraphs beside
    it up to one that holds an author or a time."""
    columns, start, end = layout.columns, layout.columns.chunk_start, layout.columns.chunk_end
    numbers = np.flatnonzero((columns.tag[bodies] == TAG["p"]) & (bodies >= 0))
    if not len(numbers):
        return start, end
    start, end = start.copy(), end.copy()
    used_before = np.concatenate(([0], np.cumsum(used)))
    paragraphs = columns.readable[columns.tag[columns.readable] == TAG["p"]]
    naming = used_before[end[paragraphs]] > used_before[start[paragraphs]]
    kinds = columns.parent[paragraphs].astype(np.int64), layout.classes.classes[paragraphs]
    for number, body in zip(numbers.tolist(), bodies[numbers].tolist(), strict=True):
        same = (kinds[0] == columns.parent[body]) & (kinds[1] == layout.classes.classes[body])
        same &= layout.records.owner[columns.chunk_start[paragraphs]] == number
        bounds = paragraphs[same & naming]
        around = np.searchsorted(bounds, body)
        same &= ~naming & (np.searchsorted(bounds, paragraphs) == around)
        if same.any():
            own = paragraphs[same]
            start[body], end[body] = columns.chunk_start[own[0]], columns.chunk_end[own[-1]]
    return start, end


@kernel
def text_chunks(
    owner: NDArray[np.intp], bodies: NDArray[np.intp], chunk_start: NDArray[np.int32], chunk_end: NDArray[np.int32],
    template: NDArray[np.bool_], has_time: NDArray[np.bool_], no_text: NDArray[np.bool_], used: NDArray[np.bool_],
) -> _Chunks:  # fmt: skip
    """The chunks of texts, record by record; and by record their bounds: the first and the last chunk are not template text,
    unless all are. For a record without a body, all chunks except template and times are text."""
    inside = inside_elements(bodies, owner, chunk_start, chunk_end)
    inside |= (bodies < 0)[owner] & ~template & ~has_time
    chunks = np.flatnonzero(inside & (owner >= 0) & ~no_text & ~used)
    record = owner[chunks]
    order = np.argsort(record, kind="stable")
    chunks, record = chunks[order], record[order]
    numbers = np.arange(len(bodies) + 1)
    own = np.flatnonzero(~template[chunks])
    edges, framed = np.searchsorted(record, numbers), np.searchsorted(record[own], numbers)
    left = framed[1:] > framed[:-1]
    first, last = edges[:-1].copy(), edges[1:].copy()
    first[left], last[left] = own[framed[:-1][left]], own[framed[1:][left] - 1] + 1
    return chunks, first, last


def _quoted_chunks(layout: Layout, bodies: NDArray[np.intp]) -> NDArray[np.bool_] | None:
    """bool[M]: the chunks of quotes inside bodies; None if there are none."""
    columns, marked = layout.columns, np.flatnonzero(layout.quotes)
    if not len(marked):
        return None
    starts = bodies[bodies >= 0]
    first, last = np.searchsorted(marked, starts + 1).tolist(), np.searchsorted(marked, columns.end[starts]).tolist()
    if first == last:
        return None
    letters = columns.text_length
    kinds: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    whole: defaultdict[tuple[int, int], int] = defaultdict(int)
    for body, start, end in zip(starts.tolist(), first, last, strict=True):
        for place in marked[start:end].tolist():
            kind = (int(columns.tag[place]), int(layout.classes.classes[place]))
            kinds[kind].append(place)
            whole[kind] += bool(letters[place] >= _WHOLE_BODY_SHARE * letters[body])
    quotes = np.zeros(len(columns), dtype=bool)
    for kind, places in kinds.items():
        quotes[places] = 2 * whole[kind] <= len(places)
    return columns.within(quotes)[columns.owner]

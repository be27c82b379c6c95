"""Authors and times of records, and their chunks, read over all records of a group together."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from extractors.records.fields.record_authors import Authors, find_authors, name_beside_time, names_author, plain_name
from extractors.records.fields.times import Times, find_times
from extractors.records.groups.layout import Layout
from extractors.records.groups.ownership import inside_elements
from extractors.records.signals.author_candidates import author_signals
from extractors.records.signals.links import link_addresses
from extractors.records.signals.schema_org import SchemaPost, schema_posts
from extractors.records.signals.template_words import OTHER_PERSON

__all__ = ["Fields", "counts", "find_fields", "times"]

_SURE_SIGNS = 10
"""Mean signs of elements that name authors."""
_NEARLY_ALL_SHARE = 0.8
_SAMPLE_RECORDS = 8
_MAX_PART_CHARS = 24
"""Visible characters of a part of a time that stands before the part which is known as one."""
_MAX_LEADING_CHUNKS = 4
"""Chunks at a text's beginning that may hold its author and time."""


@dataclass(frozen=True)
class Fields:
    """Authors and times of a group's records.

    Attributes:
        used: bool[M], chunks of authors and times, which are not text. posts: by record its post in JSON-LD.
    """

    layout: Layout
    authors: Authors
    times: Times
    used: NDArray[np.bool_]
    posts: dict[int, SchemaPost]

    def author(self, number: int) -> tuple[str, str]:
        """(name, address) of a record's author, "" where unknown."""
        name, place = self.authors.name(number)
        if name and not (self.are_beside and self.beside_time(number)):
            return name, self.layout.page.once(link_addresses).of(place) if place >= 0 else ""
        beside = self.beside_time(number)
        return beside or (self.posts[number].author if number in self.posts else ""), ""

    def beside_time(self, number: int) -> str:
        """The name in the chunk of a record's time, "" if there is none."""
        chunk, texts, owner = (
            self.times.chunks.get(number, -1),
            self.layout.columns.texts,
            self.layout.records.outer_owner,
        )
        if chunk < 0:
            return ""
        if signed := self._signed(chunk):
            return signed
        before = texts[chunk - 1].strip() if chunk and owner[chunk - 1] == owner[chunk] else ""
        text = f"{before} {texts[chunk].strip()}" if names_author(before) else texts[chunk].strip()
        return self.layout.page.attempt("dates", lambda: name_beside_time(text), "")

    def _signed(self, chunk: int) -> str:
        """The name before the chunk of a time if "by" introduces it; "" if nothing does, or "last post by", which tells of another."""
        layout, owner = self.layout, self.layout.records.outer_owner
        led_at = layout.page.once(author_signals).led
        chunk -= bool(chunk > 2 and not led_at[chunk - 1] and layout.signals.visible[chunk - 1] <= _MAX_PART_CHARS)
        led = chunk > 1 and owner[chunk - 2] == owner[chunk] and led_at[chunk - 1]
        if not led or OTHER_PERSON.search(" ".join(layout.signals.texts.lowered[max(0, chunk - 3) : chunk - 1])):
            return ""
        return plain_name(layout.columns.texts[chunk - 1])

    @cached_property
    def are_beside(self) -> bool:
        """Whether nearly all records name someone beside their time, and nothing marks the other names as authors': these are titles."""
        marked = self.layout.page.once(author_signals).signs[list(self.authors.places.values())]
        if not len(marked) or marked.mean() >= _SURE_SIGNS:
            return False
        records = range(min(_SAMPLE_RECORDS, len(self.layout.members)))
        return sum(bool(self.beside_time(number)) for number in records) >= _NEARLY_ALL_SHARE * len(records)

    def time(self, number: int) -> str:
        """A record's time as written, "" if unknown."""
        return self.times.texts.get(number) or (self.posts[number].time if number in self.posts else "")


def find_fields(layout: Layout, bodies: NDArray[np.intp]) -> Fields:
    """Authors and times. bodies: intp[R], the elements of the records' texts."""
    outside, owner = _beside_text(layout, bodies), layout.records.owner
    times = layout.page.attempt("dates", lambda: find_times(layout, outside), Times(layout, {}, {}, {}))
    authors = find_authors(layout, outside | _leading_chunks(layout, bodies))
    by_chunk = layout.page.once(schema_posts).by_chunk
    posts = {int(owner[chunk]): by_chunk[chunk] for chunk in reversed(by_chunk)}
    return Fields(layout, authors, times, _used(layout, authors, times), posts)


def _beside_text(layout: Layout, bodies: NDArray[np.intp]) -> NDArray[np.bool_]:
    """bool[M]: chunks of records that are neither in their texts nor in their titles."""
    columns, owner, places = layout.columns, layout.records.outer_owner, bodies
    if layout.is_list:
        places = np.full(len(bodies), -1, dtype=np.intp)
        places[list(layout.titles)] = list(layout.titles.values())
    return (owner >= 0) & ~inside_elements(places, owner, columns.chunk_start, columns.chunk_end)


def _leading_chunks(layout: Layout, bodies: NDArray[np.intp]) -> NDArray[np.bool_]:
    """bool[M]: the first chunks of each text, if the text is its whole record or begins it."""
    columns, found = layout.columns, np.zeros(len(layout.template), dtype=np.bool_)
    if layout.is_list:
        return found
    numbers = np.flatnonzero(bodies >= 0)
    starts, ends = columns.chunk_start[bodies[numbers]], columns.chunk_end[bodies[numbers]]
    early = starts - columns.chunk_start[layout.members[numbers]] <= 1
    for start, end in zip(starts[early].tolist(), ends[early].tolist(), strict=True):
        found[start : min(start + _MAX_LEADING_CHUNKS, end - 1)] = True
    return np.asarray(found & (layout.records.outer_owner >= 0))


def _used(layout: Layout, authors: Authors, times: Times) -> NDArray[np.bool_]:
    columns, texts = layout.columns, layout.columns.texts
    used = np.zeros(len(texts), dtype=np.bool_)
    places = np.array(list(authors.places.values()), dtype=np.intp)
    for start, end in zip(columns.chunk_start[places].tolist(), columns.chunk_end[places].tolist(), strict=True):
        used[start:end] = True
    chunks = times.chunks.items()
    used[[chunk for number, chunk in chunks if len(times.texts[number]) > 0.6 * len(texts[chunk].strip())]] = True
    return used

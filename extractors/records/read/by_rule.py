"""Records that the rules of a page's site name: which elements they are, and some of their fields; other fields are read as ever."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document, Selectors
from extractors.links.urls import resolve_url
from extractors.records.fields.times import parsed_time
from extractors.records.read.keys import record_keys
from extractors.records.read.model import Draft, Record

_MAX_RECORDS, _MAX_FIELD_CHARS, _MAX_COUNT_CHARS = 2_000, 500, 40
_AROUND_NAMES = " :：,，|·@"
_NONE = np.zeros(0, np.intp)
_COUNTS = ("floor", "replies", "views", "likes")


def ruled_members(page: Document) -> NDArray[np.intp]:
    """The elements that the rules of the page's site name as records, in document order."""
    each = page.rules.each if page.rules else ()
    found: NDArray[np.intp] = np.flatnonzero(page.rules.marked(each, page.columns)) if page.rules and each else _NONE
    return found[:_MAX_RECORDS]


def ruled_records(
    page: Document, members: NDArray[np.intp], usual: Mapping[int, Record], *, is_list: bool
) -> list[Record]:
    """The records of these elements. usual: by number of the element, the record as it is read without rules."""
    found = _Fields(page, page.rules.record_fields if page.rules else {}, members)
    records = {number: found.of(number, usual.get(number, Record())) for number in range(len(members))}
    kept = {number: record for number, record in records.items() if record.text or record.title}
    return _linked(page.columns, members, kept, is_list=is_list)


def ruled_chunks(page: Document) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The chunks of the texts of these records, and of their other fields: all that is in their elements."""
    each = np.zeros(len(page.columns), np.bool_)
    each[ruled_members(page)] = True
    chunks = np.flatnonzero(page.columns.within(each)[page.columns.owner])
    return chunks, chunks


class _Fields:
    """The fields that the rules find, of each record the first."""

    def __init__(self, page: Document, fields: Mapping[str, Selectors], members: NDArray[np.intp]) -> None:
        self._page, self._members = page, members
        columns = page.columns
        self._around = np.zeros(len(columns), np.bool_)
        self._around[members] = True
        self._of_element = np.full(len(columns), -1, np.int64)
        for number, place in enumerate(members.tolist()):  # inner records come later
            self._of_element[place : int(columns.end[place])] = number
        self._values = {name: self._each(selectors) for name, selectors in fields.items()}

    def of(self, number: int, usual: Record) -> Record:
        """The record with the fields that are found; the others are those of the usual reading."""
        given = {name: values[number] for name, values in self._values.items() if number in values}
        changed: dict[str, Any] = {
            name: text for name, read in _READ.items() if name in given and (text := read(self, *given[name]))
        }
        if "time" in changed:
            changed["time_text"] = given["time"][0][:_MAX_COUNT_CHARS]
        if "text" in changed:
            changed["own_text"] = changed["text"]
        return replace(usual, **changed)

    def _each(self, selectors: Selectors) -> dict[int, tuple[str, int]]:
        """By record, the value and the place of the first element that a selector finds in it."""
        found: dict[int, tuple[str, int]] = {}
        for selector in selectors:
            for place in selector.places(self._page.columns, self._around).tolist():
                number = int(self._of_element[place])
                if number >= 0 and number not in found:
                    found[number] = (selector.value(self._page.columns, place), place)
        return found

    def text(self, _: str, place: int) -> str:
        """The text of an element without that of records inside."""
        columns = self._page.columns
        chunks = np.arange(columns.chunk_start[place], columns.chunk_end[place])
        return columns.join(chunks[self._of_element[columns.owner[chunks]] == self._of_element[place]])

    def time(self, value: str, _: int) -> str:
        return self._page.attempt("dates", partial(parsed_time, self._page, value), "")

    def author(self, value: str, _: int) -> str:
        return value.strip(_AROUND_NAMES)[:_MAX_FIELD_CHARS]

    def url(self, value: str, place: int) -> str:
        href = self._page.columns.elements[place].get("href", "")
        return resolve_url(self._page.base_url, href or value)

    def short(self, value: str, _: int) -> str:
        return value[:_MAX_FIELD_CHARS]

    def count(self, value: str, _: int) -> str:
        return value[:_MAX_COUNT_CHARS]


_READ: dict[str, Callable[[_Fields, str, int], str]] = {
    "author": _Fields.author,
    "time": _Fields.time,
    "text": _Fields.text,
    "title": _Fields.short,
    "quote": _Fields.text,
    "url": _Fields.url,
    **dict.fromkeys(_COUNTS, _Fields.count),
}


def _linked(columns: Columns, members: NDArray[np.intp], kept: dict[int, Record], *, is_list: bool) -> list[Record]:
    """The records with their parents, those in which they are nested, and their keys."""
    place_of, open_now, parents = {number: place for place, number in enumerate(kept)}, list[int](), list[int]()
    for number in kept:
        while open_now and columns.end[members[open_now[-1]]] <= members[number]:
            open_now.pop()
        parents.append(place_of[open_now[-1]] if open_now else -1)
        open_now.append(number)
    names = [name for name in Draft._fields if name != "parent"]
    drafts = [
        Draft(**{name: getattr(record, name) for name in names}, parent=parent)
        for record, parent in zip(kept.values(), parents, strict=True)
    ]
    shells = [(int(members[number]),) * 2 for number in kept]
    keys = record_keys(columns, shells, drafts, [record.floor for record in kept.values()], is_list=is_list)
    nested = max(parents, default=-1) >= 0
    return [
        replace(record, parent=parent if nested else record.parent, key=key, is_first=not is_list and not place)
        for place, (record, parent, key) in enumerate(zip(kept.values(), parents, keys, strict=True))
    ]

"""The key of a record within its page, by which later visits recognise it.

It is made from the site's number of the record, if the markup has one; for a line of a list, from its link; else from
author, text and floor. Times are not used: "3 minutes ago" differs on each visit.
"""

import hashlib
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from extractors.html.columns import Columns
from extractors.links.urls import canonical_url
from extractors.records.read.model import Draft

_NUMBERED = re.compile(r"^([a-z][a-z_.:-]{0,30})?(\d{4,20})$", re.I)
"""Shorter numbers may be positions on the page, which change with every new record."""
_OWN_ID = re.compile(r"^data-(?:[a-z-]{0,20}-)?(?:id|pid|cid|rid)$")
_NOT_ITS_OWN = re.compile(r"user|author|member|avatar|uid|face|profile|space|topic|thread|tid|forum", re.I)
Shell = tuple[int, int]
"""The largest element around a record that holds no other, and its own element."""
_MAX_ELEMENTS = 30
"""Elements of a record that are searched for its number."""


def record_keys(
    columns: Columns, shells: Sequence[Shell], records: Sequence[Draft], floors: Sequence[str], *, is_list: bool
) -> list[str]:
    """A key for each record, independent of its wrapper. Identical records are numbered."""
    names = [f"url\0{canonical_url(record.url) or record.url}" if is_list and record.url else "" for record in records]
    if not any(names):
        names = _site_numbers(columns, shells)
    seen: Counter[str] = Counter()
    keys = []
    for name, record, floor in zip(names, records, floors, strict=True):
        content = name or "\0".join((record.url, record.author, record.title, record.text, floor))
        keys.append(_hash(f"{content}\0{seen[content]}" if seen[content] else content))
        seen[content] += 1
    return keys


def _site_numbers(columns: Columns, shells: Sequence[Shell]) -> list[str]:
    """By record, its number in the first kind of id that all records have, all different; all "" if there is none."""
    named = columns.sparse("id"), columns.sparse("name")
    places = sorted(named[0].keys() | named[1].keys())
    found, stems = list[dict[str, str]](), list[str]()
    for shell in shells:
        each = _numbers(columns, named, places, *shell)
        stems = [stem for stem in stems if stem in each] if found else list(each)
        if not stems:
            return [""] * len(shells)
        found.append(each)
    for stem in stems:
        numbers = [each[stem] for each in found]
        if len(set(numbers)) == len(numbers):
            return [f"{stem}\0{number}" for number in numbers]
    return [""] * len(shells)


Numbered = tuple[tuple[str, str], ...]
"""(stem, number) of each id."""


@lru_cache(maxsize=4096)
def _may_be_its_own(stem: str) -> bool:
    return _NOT_ITS_OWN.search(stem) is None


def _number(name: str, value: str) -> Numbered:
    match = _NUMBERED.match(value[:60])
    stem = f"{name} {match[1] or ''}" if match else ""
    return ((stem, match[2]),) if match and _may_be_its_own(stem) else ()


def _numbers(
    columns: Columns, named: tuple[dict[int, str], dict[int, str]], places: list[int], top: int, member: int
) -> dict[str, str]:
    """By stem, the numbers in a record's ids, the outermost first."""
    end = min(int(columns.end[top]), top + _MAX_ELEMENTS)
    around = [member]
    while around[-1] > top:
        around.append(int(columns.parent[around[-1]]))
    inside = places[bisect_left(places, top) : bisect_left(places, end)]
    found: dict[str, str] = {}
    for place in sorted({*inside, *(each for each in around if top <= each < end)}):
        own = _own_ids(columns, place) if place in around else ()
        given = ((name, values[place]) for name, values in zip(("id", "name"), named, strict=True) if place in values)
        for name, value in (*given, *own):
            for stem, number in _number(name, value):
                found.setdefault(stem, number)
    return found


def _own_ids(columns: Columns, place: int) -> list[tuple[str, str]]:
    return [(name, value) for name, value in columns.data_ids(place) if _OWN_ID.match(name)]


def _hash(content: str) -> str:
    return hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=12).hexdigest()

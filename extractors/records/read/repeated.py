"""Quotes without markup: the whole text of another record, repeated beside a record's own text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from extractors.records.read.model import Record

_MIN_WEIGHT = 12.0
"""Minimum Chinese characters of a repeated text; shorter texts may repeat by chance."""
_ALPHABET_WEIGHT = 0.25
"""Weight of an alphabetic letter relative to a Chinese character."""
_FIRST_IDEOGRAPH = "\u3040"
_WEIGHED_CHARS = 200
"""Characters of a text that are counted."""
_LEADING = re.compile(r"[^。！？.!?\s][^。！？.!?]{0,40}[:：]\s?[\"“「『>]?\s?$")
"""The lead-in of a quote: "引用 3楼 的发言：", "Jane wrote:"."""
_ADDRESS = re.compile(r"[^@]{0,24}@([^:：@\n]{1,40}?)\s?[:：]\s{0,3}")
"""The prefix that widgets write before an answer: "Reply @jane :"."""
_MAX_ROUNDS = 8
"""A text without its quotes may be quoted itself."""
_MAX_COMPARED_CHARS = 20_000_000
"""Maximum characters searched on a page; beyond it, only the first records are searched for."""


def with_quotes(records: list[Record]) -> list[Record]:
    """The records, with repeated texts of other records moved from `own_text` to `quote`. A record with such a quote answers the
    quoted record, if it comes after it and is not known to answer another."""
    for _ in range(_MAX_ROUNDS):
        found = _once(records)
        if found is records:
            break
        records = found
    return records


def without_addresses(records: list[Record]) -> list[Record]:
    """The records, their texts without the name, at their beginning, of the record before that they answer: "Reply @jane :"."""
    found, last = list[Record](), dict[str, int]()
    for number, record in enumerate(records):
        address = _ADDRESS.match(record.own_text) if "@" in record.own_text[:_WEIGHED_CHARS] else None
        answered = last.get(address[1].strip(), -1) if address else -1
        own = record.own_text[address.end() :] if address and answered >= 0 else ""
        if own and record.text.endswith(record.own_text):
            text = record.text.removesuffix(record.own_text) + own
            parent = answered if record.parent < 0 else record.parent
            found.append(replace(record, text=text, own_text=own, parent=parent))
        else:
            found.append(record)
        last[record.author] = number
    return found


def _once(records: list[Record]) -> list[Record]:
    found = records
    for quoting, quoted in _repeated(records):
        if found is records:
            found = records.copy()
        record, words = found[quoting], _flat(records[quoted].own_text)
        left = _flat(record.own_text)
        if words not in left:
            continue
        before, _, after = left.partition(words)
        own = _flat(
            f"{_LEADING.sub('', before[-_WEIGHED_CHARS:]) if len(before) <= _WEIGHED_CHARS else before} {after}"
        )
        quote = "\n".join(filter(None, (record.quote, words)))
        parent = quoted if record.parent < 0 and quoted < quoting else record.parent
        found[quoting] = replace(record, own_text=own, quote=quote, parent=parent)
    return found


def _repeated(records: Sequence[Record]) -> Iterator[tuple[int, int]]:
    """(number of a record, number of another author's record whose whole own text it repeats), the longest texts first."""
    texts = [_flat(record.own_text) for record in records]
    joined, starts, place = "\0".join(texts), [], 0
    for text in texts:
        starts.append(place)
        place += len(text) + 1
    order = sorted(range(len(texts)), key=lambda number: -len(texts[number]))
    for number in order[: _MAX_COMPARED_CHARS // max(1, len(joined))]:
        if len(texts[number]) < _MIN_WEIGHT:
            break
        for other in _holding(joined, starts, texts, number):
            if records[other].author != records[number].author and weight(texts[number]) >= _MIN_WEIGHT:
                yield other, number


def _holding(joined: str, starts: Sequence[int], texts: Sequence[str], number: int) -> Iterator[int]:
    """The records whose longer texts contain this record's text."""
    words, at, other = texts[number], joined.find(texts[number]), 0
    while at >= 0:
        while other + 1 < len(starts) and starts[other + 1] <= at:
            other += 1
        if other != number and len(texts[other]) > len(words):
            yield other
        at = joined.find(words, starts[other + 1]) if other + 1 < len(starts) else -1


def weight(text: str) -> float:
    """The weight of the beginning of a text, in Chinese characters."""
    letters = "".join(filter(str.isalnum, text[:_WEIGHED_CHARS]))
    return float(sum(1.0 if letter >= _FIRST_IDEOGRAPH else _ALPHABET_WEIGHT for letter in letters))


def _flat(text: str) -> str:
    return " ".join(text.split())

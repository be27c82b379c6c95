"""Hits as people see them: title, address, time, and the passage with most of the words."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.search.query import Filter, Node, Word, parse, words_of
from analysis.search.ranked import Ranked
from extractors.topic.words import fold
from pipelines.stores.analysis_tables import SEARCH_DOCUMENTS
from pipelines.stores.base import Condition, Row, Store, Table
from pipelines.stores.tables import PAGES, RECORDS

_PASSAGE = 160
"""Characters of a passage."""
_MOST_SPANS = 200
_MOST_VERIFIED = 300
"""If more documents may match a phrase, their number stays an estimate."""
_AT_ONCE = 25
_PAGE_COLUMNS = ("key", "url", "host", "title", "author", "body", "kind", "topic")
_RECORD_COLUMNS = ("page", "key", "url", "title", "author", "text", "kind")


@dataclass(frozen=True, slots=True)
class Hit:
    """A page, or a record of one; `marks` are where the words are in the passage."""

    page: str
    record: str
    url: str
    title: str
    host: str
    kind: str
    topic: str
    at: str
    score: float
    passage: str
    marks: tuple[tuple[int, int], ...]

    def marked(self, before: str = "«", behind: str = "»") -> str:
        """The passage with its words between marks."""
        parts, last = list[str](), 0
        for start, end in self.marks:
            parts += [self.passage[last:start], before, self.passage[start:end], behind]
            last = end
        return "".join((*parts, self.passage[last:]))


@dataclass(frozen=True, slots=True)
class _Texts:
    title: str
    author: str
    body: str
    url: str
    page: Mapping[str, Any]
    record: str


def hits(store: Store, ranked: Ranked, query: str) -> Iterator[Hit]:
    """The hits, best first; of documents that only may have a phrase, those that have it."""
    return (hit for _, hit in numbered_hits(store, ranked, query))


def numbered_hits(store: Store, ranked: Ranked, query: str) -> Iterator[tuple[int, Hit]]:
    """As `hits`, each with the number of its document in the index."""
    node = parse(query)
    patterns = [_pattern(word) for word in words_of(node)]
    numbers = ranked.columns.numbers[ranked.places]  # no list: there may be a million
    scored = zip(ranked.places, ranked.scores, _all_texts(store, numbers), numbers, strict=True)
    for place, score, texts, number in scored:
        if texts is None or not (ranked.exact or _has(node, texts)):
            continue
        passage, marks = passage_of(texts.body or texts.title, patterns)
        kind = ranked.names[int(ranked.columns.kinds[place])]
        seconds = int(ranked.columns.seconds[place])
        at = datetime.fromtimestamp(seconds, UTC).isoformat() if seconds >= 0 else ""
        page = texts.page
        yield int(number), Hit(page["key"], texts.record, texts.url, texts.title or page["title"] or "", page["host"] or "", kind,
                               page["topic"] or "", at, round(float(score), 4), passage, marks)  # fmt: skip


def verified(store: Store, ranked: Ranked, query: str, most: int = _MOST_VERIFIED) -> Ranked:
    """The same without documents that lack a phrase, if at most `most` are to be read; else unchanged."""
    if ranked.exact or len(ranked) > most:
        return ranked
    node = parse(query)
    texts = _all_texts(store, ranked.columns.numbers[ranked.places])
    kept = np.array([each is not None and _has(node, each) for each in texts], dtype=bool)
    return replace(ranked, places=ranked.places[kept], scores=ranked.scores[kept], exact=True)


def document_of(store: Store, number: int) -> Row | None:
    """Keys of the page and the record with this number in the index; None if it is no longer stored."""
    return next(store.select(SEARCH_DOCUMENTS, [Condition("number", "=", number)], limit=1), None)


def _all_texts(store: Store, numbers: NDArray[np.uint32]) -> Iterator[_Texts | None]:
    """Of each document, in this order; None for one that is no longer stored. Many are read at once."""
    for begin in range(0, len(numbers), _AT_ONCE):
        group = numbers[begin : begin + _AT_ONCE].tolist()
        known = {row["number"]: row for row in store.select(SEARCH_DOCUMENTS, [Condition("number", "in", group)])}
        pages = _rows(store, PAGES, _PAGE_COLUMNS, {"key": {row["page"] for row in known.values()}})
        of_records = [row for row in known.values() if row["record"]]
        wanted = {"page": {row["page"] for row in of_records}, "key": {row["record"] for row in of_records}}
        records = _rows(store, RECORDS, _RECORD_COLUMNS, wanted)
        yield from (_texts(known.get(number), pages, records) for number in group)


def _rows(
    store: Store, table: Table, columns: Sequence[str], wanted: Mapping[str, Collection[str]]
) -> dict[tuple[str, ...], Row]:
    """Rows whose key is made of these values, by their key."""
    where = [Condition(name, "in", sorted(values)) for name, values in wanted.items()]
    rows = store.select(table, where, columns=columns) if all(wanted.values()) else iter(())
    return {tuple(row[name] for name in wanted): row for row in rows}


def _texts(
    found: Row | None, pages: Mapping[tuple[str, ...], Row], records: Mapping[tuple[str, ...], Row]
) -> _Texts | None:
    """Of a document with these keys of page and record."""
    if found is None:
        return None
    page = pages.get((found["page"],), {"key": found["page"], "title": "", "host": "", "topic": "", "url": ""})
    if not found["record"]:
        return _Texts(
            page["title"] or "", page.get("author") or "", page.get("body") or "", page["url"] or "", page, ""
        )
    record = records.get((found["page"], found["record"]))
    if record is None:
        return None
    url = record["url"] or page["url"] or ""
    return _Texts(record["title"] or "", record["author"] or "", record["text"] or "", url, page, record["key"])


def _has(node: Node, texts: _Texts) -> bool:
    """Whether the texts have what the query wants; filters were met already."""
    if isinstance(node, Filter):
        return True
    if isinstance(node, Word):
        wanted = {"": (texts.title, texts.body), "title": (texts.title,), "author": (texts.author,)}[node.field]
        return any(_pattern(node).search(fold(text)) for text in wanted)
    found = [_has(part, texts) for part in node.parts]
    return not found[0] if node.kind == "not" else all(found) if node.kind == "and" else any(found)


def _pattern(word: Word) -> re.Pattern[str]:
    """Of the folded word: at borders of words where it begins or ends with letters of spaced scripts."""
    inner = r"\W+".join(map(re.escape, re.findall(r"\w+", word.text)))
    before = r"(?<![^\W\u2e80-\u9fff])" if re.match(r"[a-z0-9]", word.text) else ""
    behind = r"(?![^\W\u2e80-\u9fff])" if re.search(r"[a-z0-9]$", word.text) else ""
    return re.compile(before + inner + behind)


def passage_of(text: str, patterns: Sequence[re.Pattern[str]]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The part of the text with most different words, on one line, and where words are in it."""
    folded = fold(text)
    if len(folded) != len(text):  # the few characters that fold into several
        folded = text.lower() if len(text.lower()) == len(text) else text
    spans = sorted(
        (match.start(), match.end(), number)
        for number, pattern in enumerate(patterns)
        for match, _ in zip(pattern.finditer(folded), range(_MOST_SPANS), strict=False)
    )
    start = _best_start(spans)
    start = max(0, min(start - _PASSAGE // 4, len(text) - _PASSAGE))
    end = start + _PASSAGE
    marks, last = list[tuple[int, int]](), 0
    for first, behind, _ in spans:
        if first >= max(start, last) and behind <= end:
            marks.append((first - start, behind - start))
            last = behind
    return re.sub(r"\s", " ", text[start:end]), tuple(marks)


def _best_start(spans: Sequence[tuple[int, int, int]]) -> int:
    best, most, left = 0, 0, 0
    counts: dict[int, int] = {}
    for first, end, number in spans:
        counts[number] = counts.get(number, 0) + 1
        while end - spans[left][0] > _PASSAGE * 3 // 4 and spans[left][0] < first:
            counts[spans[left][2]] -= 1
            left += 1
        here = sum(1 for count in counts.values() if count)
        if here > most:
            best, most = spans[left][0], here
    return best

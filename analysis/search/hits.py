"""Hits as people see them: title, address, time, and the passage with most of the words."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from analysis.search.found import Checked, Found, SearchMatch
from analysis.search.query import Filter, Node, QueryWord, parse, words_of
from extractors.topic.words import fold
from pipelines.stores.base import Condition, Row, Store, Table
from pipelines.stores.tables import PAGES, RECORDS

_PASSAGE_CHARS = 160
"""Characters of a passage."""
_MAX_SPANS = 200
_MAX_VERIFIED = 300
"""If more documents may match a phrase, their number stays an estimate."""
_BATCH_HITS = 25
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
    kind: str
    page: Mapping[str, Any]


def hits(store: Store, found: Iterable[SearchMatch], query: str, *, exact: bool = False) -> Iterator[Hit]:
    """The hits in their order, without those that are no longer stored; unless `exact`, those that have every word and phrase."""
    node = parse(query)
    patterns = [_pattern(word) for word in words_of(node)]
    for match, texts in _with_texts(store, found):
        if texts is None or not (exact or _has(node, texts)):
            continue
        passage, marks = passage_of(texts.body or texts.title, patterns)
        at = datetime.fromtimestamp(match.seconds, UTC).isoformat() if match.seconds >= 0 else ""
        page = texts.page
        yield Hit(match.page, match.record, texts.url, texts.title or page["title"] or "", page["host"] or "", texts.kind,
                  page["topic"] or "", at, round(match.score, 4), passage, marks)  # fmt: skip


def verified(store: Store, found: Found, query: str, most: int = _MAX_VERIFIED) -> Found:
    """The same without documents that lack a phrase, if at most `most` are to be read; else unchanged."""
    if found.exact or len(found) > most:
        return found
    node = parse(query)
    return Checked([match for match, texts in _with_texts(store, found) if texts is not None and _has(node, texts)])


def _with_texts(store: Store, found: Iterable[SearchMatch]) -> Iterator[tuple[SearchMatch, _Texts | None]]:
    """Each with its texts, None if it is no longer stored. Many are read at once."""
    left = iter(found)
    while group := list(islice(left, _BATCH_HITS)):
        pages = _rows(store, PAGES, _PAGE_COLUMNS, {"key": {each.page for each in group}})
        of_records = [each for each in group if each.record]
        wanted = {"page": {each.page for each in of_records}, "key": {each.record for each in of_records}}
        records = _rows(store, RECORDS, _RECORD_COLUMNS, wanted)
        yield from ((each, _texts(each, pages, records)) for each in group)


def _rows(
    store: Store, table: Table, columns: Sequence[str], wanted: Mapping[str, Collection[str]]
) -> dict[tuple[str, ...], Row]:
    """Rows whose key is made of these values, by their key."""
    where = [Condition(name, "in", sorted(values)) for name, values in wanted.items()]
    rows = store.select(table, where, columns=columns) if all(wanted.values()) else iter(())
    return {tuple(row[name] for name in wanted): row for row in rows}


def _texts(
    match: SearchMatch, pages: Mapping[tuple[str, ...], Row], records: Mapping[tuple[str, ...], Row]
) -> _Texts | None:
    """Of this document."""
    page = pages.get((match.page,))
    if not match.record:
        return _of_page(page) if page else None
    record = records.get((match.page, match.record))
    if record is None:
        return None
    page = page or {"title": "", "host": "", "topic": "", "url": ""}
    url = record["url"] or page["url"] or ""
    return _Texts(record["title"] or "", record["author"] or "", record["text"] or "", url, record["kind"] or "", page)


def _of_page(page: Row) -> _Texts:
    title, author, body, url, kind = (str(page[name] or "") for name in ("title", "author", "body", "url", "kind"))
    return _Texts(title, author, body, url, kind, page)


def _has(node: Node, texts: _Texts, *, is_met: bool = True) -> bool:
    """Whether the texts have what the query wants; its filters were met already, those behind NOT were not."""
    if isinstance(node, Filter):
        return is_met
    if isinstance(node, QueryWord):
        wanted = {"": (texts.title, texts.body), "title": (texts.title,), "author": (texts.author,)}[node.field]
        return any(_pattern(node).search(fold(text)) for text in wanted)
    if node.kind == "not":
        return not _has(node.parts[0], texts, is_met=not is_met)
    found = [_has(part, texts, is_met=is_met) for part in node.parts]
    return all(found) if node.kind == "and" else any(found)


def _pattern(word: QueryWord) -> re.Pattern[str]:
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
        for match, _ in zip(pattern.finditer(folded), range(_MAX_SPANS), strict=False)
    )
    start = _best_start(spans)
    start = max(0, min(start - _PASSAGE_CHARS // 4, len(text) - _PASSAGE_CHARS))
    end = start + _PASSAGE_CHARS
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
        while end - spans[left][0] > _PASSAGE_CHARS * 3 // 4 and spans[left][0] < first:
            counts[spans[left][2]] -= 1
            left += 1
        here = sum(1 for count in counts.values() if count)
        if here > most:
            best, most = spans[left][0], here
    return best

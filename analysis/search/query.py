"""A search query as people type it, parsed into a tree.

`地铁 开通`, `"exact phrase"`, `a OR b`, `NOT c` or `-c`, `( … )`, `title:地铁`, `author:李`, `site:example.com` (or `host:`),
`kind:article`, `topic:x`, `language:zh`, `since:2026-11-01`, `until:7d`; `-site:example.com` excludes, and so does - before every other
part. Words side by side must all be there.
"""

import re
from dataclasses import dataclass
from typing import Literal

from analysis.search.terms import terms_of_word
from extractors.topic.words import fold, segment

_TOKEN = re.compile(r'\s*(?:(\()|(\))|([-−](?=\S))|((?:[a-z]+:)?"[^"]*"?)|([^\s()"]+))')
_FIELD = re.compile(r"([a-z]+):(.+)", re.S)
TEXT_FIELDS = ("title", "author")
COLUMN_FIELDS = ("host", "kind", "topic", "language", "since", "until")
_ALIASES = {"site": "host", "lang": "language"}
_MAX_QUERY_CHARS = 2_000
_MAX_DEPTH = 30
_MAX_WORDS = 100
_HAN_RUN = re.compile(r"[\u3400-\u9fff]{5,}")
"""Such a run of Han characters without quotes is cut into words."""


class QueryError(Exception):
    """The query cannot be understood; the message says why."""


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word or phrase, folded, in a text field or anywhere ("")."""

    text: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on a column of documents."""

    column: str
    value: str


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """Parts that are all wanted, of which one is wanted, or (one part) that is not wanted."""

    kind: Literal["and", "or", "not"]
    parts: tuple["Node", ...]


Node = QueryWord | Filter | QueryGroup


def parse(text: str) -> Node:
    """The tree of a query; QueryError if it has no word, or brackets or operators that do not fit."""
    if len(text) > _MAX_QUERY_CHARS:
        raise QueryError(f"the query is longer than {_MAX_QUERY_CHARS:,} characters")
    tokens = [next(part for part in match.groups() if part) for match in _TOKEN.finditer(text)]
    if not tokens:
        raise QueryError("the query is empty; give words, for instance: 地铁 开通 host:example.com")
    node, at = _either(tokens, 0, 0)
    if at < len(tokens):
        raise QueryError("there is a ) without its (")
    if sum(1 for _ in words_of(node)) > _MAX_WORDS:
        raise QueryError(f"the query has more than {_MAX_WORDS} words")
    return node


def words_of(node: Node, *, wanted: bool = True) -> list[QueryWord]:
    """The words of a query; only those that a hit can have unless `wanted` is False."""
    if isinstance(node, QueryWord):
        return [node]
    if isinstance(node, Filter) or (node.kind == "not" and wanted):
        return []
    return [word for part in node.parts for word in words_of(part, wanted=wanted)]


def is_exact(node: Node) -> bool:
    """Whether every document that has the terms of all words surely has the words."""
    return all(terms_of_word(word.text).exact for word in words_of(node, wanted=False))


def _either(tokens: list[str], at: int, depth: int) -> tuple[Node, int]:
    node, at = _all(tokens, at, depth)
    parts = [node]
    while at < len(tokens) and tokens[at] in ("OR", "|"):
        node, at = _all(tokens, at + 1, depth)
        parts.append(node)
    return (parts[0] if len(parts) == 1 else QueryGroup("or", tuple(parts))), at


def _all(tokens: list[str], at: int, depth: int) -> tuple[Node, int]:
    parts: list[Node] = []
    while at < len(tokens) and tokens[at] not in (")", "OR", "|"):
        if tokens[at] in ("AND", "&"):
            at += 1
            continue
        node, at = _one(tokens, at, depth)
        parts.append(node)
    if not parts:
        raise QueryError("a word is missing beside OR, AND, NOT or in ( )")
    return (parts[0] if len(parts) == 1 else QueryGroup("and", tuple(parts))), at


def _one(tokens: list[str], at: int, depth: int) -> tuple[Node, int]:
    if depth > _MAX_DEPTH:
        raise QueryError("the query has too many brackets")
    if at >= len(tokens):
        raise QueryError("a word is missing behind NOT")
    token = tokens[at]
    if token in ("NOT", "-", "−"):
        node, at = _one(tokens, at + 1, depth + 1)
        return QueryGroup("not", (node,)), at
    if token == "(":
        node, at = _either(tokens, at + 1, depth + 1)
        if at >= len(tokens):
            raise QueryError("a ( has no )")
        return node, at + 1
    if token == ")":
        raise QueryError("there is a ) without its (")
    return _leaf(token), at + 1


def _leaf(token: str) -> Node:
    match = _FIELD.fullmatch(token)
    name, value = (_ALIASES.get(match[1], match[1]), match[2]) if match else ("", token)
    if name in COLUMN_FIELDS:
        return Filter(name, value.strip('"'))
    if name in TEXT_FIELDS:
        return _words(value, name)
    return _words(token, "")


def _words(text: str, field: str) -> Node:
    """A quoted text as it is; another one cut where it joins several Chinese words."""
    quoted = text.startswith('"')
    folded = fold(text.strip('"')).strip()
    if not any(character.isalnum() for character in folded):
        raise QueryError(f"{text!r} has no letter or digit to search for")
    pieces = segment(folded) if not quoted and _HAN_RUN.search(folded) else [folded]
    words = tuple(QueryWord(piece, field) for piece in dict.fromkeys(pieces))
    return words[0] if len(words) == 1 else QueryGroup("and", words)

"""Why a query finds nothing: what its parts find alone, which filter excludes the rest, and words that are near."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches

from analysis.search.found import Finder
from analysis.search.hits import verified
from analysis.search.query import Filter, Node, QueryError, QueryGroup, QueryWord, parse
from extractors.topic.words import fold, segment
from pipelines.stores.base import Order, Store
from pipelines.stores.tables import PAGES

_MAX_PARTS = 8
_MAX_TITLES = 400
_MAX_NEAR = 3
_LEAST_LIKENESS = 0.6
_MIN_WORD_CHARS = 2


@dataclass(frozen=True, slots=True)
class QueryPart:
    """A part of a query, and how many texts it finds; of a filter, how many the query finds without it."""

    text: str
    count: int


@dataclass(frozen=True, slots=True)
class ZeroReasons:
    """Why a query finds nothing.

    Attributes:
        alone: each part that has words, searched alone. without: each filter or excluded part, with what is found without it.
        near: words like those that alone find nothing, each with what it finds.
    """

    alone: Sequence[QueryPart] = ()
    without: Sequence[QueryPart] = ()
    near: Sequence[QueryPart] = ()


def zero_reasons(store: Store, finder: Finder, query: str, now: datetime) -> ZeroReasons:
    """The reasons of a query that was found to have no hit; at most eight of its parts are searched."""
    node = parse(query)
    parts = _parts(node)[:_MAX_PARTS]

    def count(*nodes: Node) -> int:
        text = " ".join(map(_written, nodes))
        try:
            return len(verified(store, finder.search(text, now), text))
        except QueryError:  # written with quotes and names it is too long
            return 0

    excluding = [part for part in parts if _excludes(part)]
    wanted = [part for part in parts if not _excludes(part)]
    alone = [QueryPart(_written(part), count(part)) for part in wanted] if len(parts) > 1 else []
    without = [
        QueryPart(_written(part), count(*(each for each in parts if each is not part)))
        for part in excluding
        if len(parts) > 1
    ]
    missing = [part for part in wanted if isinstance(part, QueryWord) and count(part) == 0]
    return ZeroReasons(alone, [each for each in without if each.count], _near(store, missing, count))


def _parts(node: Node) -> list[Node]:
    """The parts that must all be met."""
    return (
        [each for part in node.parts for each in _parts(part)]
        if isinstance(node, QueryGroup) and node.kind == "and"
        else [node]
    )


def _excludes(node: Node) -> bool:
    return isinstance(node, Filter) or (isinstance(node, QueryGroup) and node.kind == "not")


def _written(node: Node) -> str:
    """A part as it is typed."""
    if isinstance(node, QueryWord):
        return f'{node.field}:"{node.text}"' if node.field else f'"{node.text}"'
    if isinstance(node, Filter):
        return f'{node.column}:"{node.value}"'
    if node.kind == "not":
        return f"-{_written(node.parts[0])}"
    return f"({(' OR ' if node.kind == 'or' else ' ').join(map(_written, node.parts))})"


def _near(store: Store, missing: Sequence[QueryWord], count: Callable[[QueryWord], int]) -> list[QueryPart]:
    """Words of the latest titles, and parts of the missing words, that find something."""
    if not missing:
        return []
    titles = store.select(PAGES, (), [Order("fetched_at", True)], _MAX_TITLES, ["title"])
    known = {word for row in titles for word in segment(fold(row["title"] or "")) if len(word) >= _MIN_WORD_CHARS}
    found: dict[str, QueryPart] = {}
    for word in missing:
        pieces = [piece for piece in segment(word.text) if _MIN_WORD_CHARS <= len(piece) < len(word.text)]
        for text in [*get_close_matches(word.text, known, _MAX_NEAR, _LEAST_LIKENESS), *pieces]:
            if text not in found and len(found) < _MAX_NEAR and (hits := count(QueryWord(text, word.field))):
                found[text] = QueryPart(text, hits)
    return list(found.values())

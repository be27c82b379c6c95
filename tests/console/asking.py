"""What pages ask of the store, and whether an index of MongoDB answers it without reading or sorting a whole collection."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from pipelines.stores.base import Condition, Order, Store, Table
from pipelines.stores.mongo.connection import indexes_of
from pipelines.stores.mongo.mongo_documents import field
from pipelines.stores.tables import TABLES

_SMALL = frozenset(("topics", "console_users", "console_tokens", "rests", "alert_rules", "watches"))
"""Tables with a row for each person, topic, rule or engine."""
_SORTED = frozenset(
    (
        *(("events", "pages_24h"), ("members", "comments"), ("records", "part"), ("records", "place")),
        *(("terms", "score"), ("terms", "pages")),
    )
)
"""What the server sorts after an index has found it: events of a day, members of an event, posts of a page, terms of a topic."""


@dataclass(frozen=True)
class Question:
    """A table, the fields that must have one of some values, those with bounds, and the order: -1 for descending."""

    table: str
    equal: frozenset[str]
    bounded: frozenset[str]
    order: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return f"{self.table}: {sorted(self.equal)} {sorted(self.bounded)} by {self.order}"


def note_questions(store: Store, patch: pytest.MonkeyPatch, noted: set[Question]) -> None:
    """From now on each question that the store is asked is noted."""

    def noting(ask: Callable[..., Any], has_order: bool) -> Callable[..., Any]:
        def asked(table: Table, where: Sequence[Condition] = (), *more: Any, **named: Any) -> Any:
            order = named.get("order", more[0] if more else ()) if has_order else ()
            if where or order or not (named.get("limit") or more[1:]):  # the first rows in no order are always at hand
                noted.add(_question(table, where, order))
            return ask(table, where, *more, **named)

        return asked

    patch.setattr(store, "select", noting(store.select, True))
    patch.setattr(store, "count", noting(store.count, False))


def _question(table: Table, where: Sequence[Condition], order: Sequence[Order]) -> Question:
    equal = {field(table, each.column) for each in where if each.operator in ("=", "in")}
    single = {field(table, each.column) for each in where if each.operator == "="}
    bounded = {field(table, each.column) for each in where if each.operator in ("<", "<=", ">", ">=")}
    by = tuple((field(table, each.column), -1 if each.descending else 1) for each in order)
    return Question(
        table.name, frozenset(equal), frozenset(bounded), tuple(each for each in by if each[0] not in single)
    )


def has_index(question: Question) -> bool:
    """Whether an index begins with the fields that must be equal, goes on in the order, and finds something by it."""
    table = TABLES[question.table]
    indexes = [*indexes_of(table), *([("_id",)] if len(table.key) == 1 else [])]
    return any(_fits(list(names), question) for names in indexes)


def _fits(names: list[str], question: Question) -> bool:
    if len({direction for _, direction in question.order}) > 1:
        return False
    begun, wanted = len(names), [name for name, _ in question.order]
    while names and names[0] in question.equal and names[0] not in wanted[:1]:
        del names[0]
    is_narrow = len(names) < begun
    if wanted:
        return names[: len(wanted)] == wanted
    return is_narrow or bool(names and names[0] in question.bounded)


def unanswered(noted: set[Question]) -> Iterator[str]:
    """Questions that would read or sort a whole collection."""
    for each in sorted(noted, key=str):
        is_sorted = any((each.table, name) in _SORTED for name, _ in each.order)
        asked = replace(each, order=()) if is_sorted else each
        if each.table not in _SMALL and not has_index(asked):
            yield str(each)

"""Corrections of a page, with their times."""

from itertools import pairwise
from typing import Any

from pipelines.stores.base import Condition, MutableRow, Order, Store
from pipelines.stores.watch_tables import VERSIONS

_MAX_VERSIONS = 20
_CONTEXT, _MAX_CHARS = 20, 200


def corrections(store: Store, page: MutableRow) -> list[dict[str, Any]]:
    """For each correction of a page (its row), the latest first: when it was noticed, and the changed parts of title and text.

    `fetched_at` is when the earlier text was fetched; the table `versions` holds its full text under that moment.
    """
    latest = [Order("fetched_at", descending=True)]
    rows = store.select(VERSIONS, [Condition("page", "=", page["key"])], latest, _MAX_VERSIONS)
    return [_correction(earlier, later) for later, earlier in pairwise([page, *rows])]


def _correction(earlier: MutableRow, later: MutableRow) -> dict[str, Any]:
    found: dict[str, Any] = {"noticed_at": earlier["replaced_at"], "fetched_at": earlier["fetched_at"]}
    for name, column in (("title", "title"), ("text", "body")):
        before, after = changed_part(earlier[column] or "", later[column] or "")
        if before != after:
            found[name] = {"before": before, "after": after}
    return found


def changed_part(before: str, after: str) -> tuple[str, str]:
    """The parts of two texts between their common beginning and common end, with a little context."""
    begin = common_beginning(before, after)
    end = common_beginning(before[begin:][::-1], after[begin:][::-1])
    return _cut(before, begin, end), _cut(after, begin, end)


def _cut(text: str, begin: int, end: int) -> str:
    first, last = max(0, begin - _CONTEXT), min(len(text), len(text) - end + _CONTEXT)
    shown = text[first : min(last, first + _MAX_CHARS)]
    return "…" * (first > 0) + shown + "…" * (first + len(shown) < len(text))


def common_beginning(one: str, other: str) -> int:
    """How many characters the beginnings have in common."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))

"""Finds the list in a JSON document that nobody has described: the array of objects that look most like items with addresses."""

from collections.abc import Callable
from datetime import datetime
from math import log1p
from typing import Any, NamedTuple

from extractors.feeds.json_arrays import arrays_of
from extractors.feeds.json_fields import (
    ItemField,
    address_score,
    author_score,
    best_field,
    fields_of,
    has_word,
    heat_score,
    summary_score,
    time_score,
    title_score,
    words_of,
)
from extractors.feeds.list_recipe import ListRecipe

_MIN_ITEMS, _SURE_SCORE = 3, 2.0
"""Fewer objects are a list only if address and title are sure."""
_MAX_COUNTED = 100
_BONUS = {"time": 1.5, "summary": 0.5}
_SMALL_BONUS, _ASIDE_FACTOR = 0.2, 0.4


class GuessedList(NamedTuple):
    """The recipe of a list, and how much it looks like one."""

    recipe: ListRecipe
    score: float


def guess_list(value: Any, url: str, *, now: datetime) -> GuessedList | None:
    """The list of a JSON document at this address; None if no array has addresses and titles."""
    found = (_judged(path, items, url, now) for path, items in arrays_of(value).items())
    return max(filter(None, found), key=lambda each: each.score, default=None)


def titled_list(value: Any) -> tuple[str, str]:
    """The path of the longest array whose objects have titles, and of the title in them; "" for both if there is none."""
    best, length = ("", ""), 0
    for path, items in arrays_of(value).items():
        title = best_field(fields_of(items), title_score)
        if title is not None and len(items) > length:
            best, length = (path, title[0].path), len(items)
    return best


def recipe_of(path: str, items: list[dict[str, Any]], url: str, now: datetime, title: str) -> ListRecipe:
    """The recipe of the array at a path, whose title is known; it has an address only if the items have one."""
    fields = fields_of(items)
    address = best_field(fields, lambda each: address_score(each, url)) if url else None
    taken = tuple(each for each in fields if each.path == title) + ((address[0],) if address is not None else ())
    chosen = ({"url": address[0].path} if address is not None else {}) | {"title": title}
    return ListRecipe(list=path.removesuffix("[]"), fields=chosen | _others(fields, taken, now))


def _judged(path: str, items: list[dict[str, Any]], url: str, now: datetime) -> GuessedList | None:
    fields = fields_of(items)
    address = best_field(fields, lambda each: address_score(each, url))
    title = best_field(fields, title_score)
    if address is None or title is None:
        return None
    if len(items) < _MIN_ITEMS and min(address[1], title[1]) < _SURE_SCORE:
        return None
    recipe = recipe_of(path, items, url, now, title[0].path)
    bonus = sum(_BONUS.get(name, _SMALL_BONUS) for name in recipe.fields if name not in ("url", "title"))
    score = (address[1] + title[1] + bonus) * log1p(min(len(items), _MAX_COUNTED))
    return GuessedList(recipe, score * (_ASIDE_FACTOR if has_word("aside", words_of(path)) else 1))


def _others(fields: list[ItemField], taken: tuple[ItemField, ...], now: datetime) -> dict[str, str]:
    """The paths of the fields that an item need not have."""
    scores: dict[str, Callable[[ItemField], float]] = {
        "time": lambda each: time_score(each, now),
        "author": author_score,
        "summary": summary_score,
        "heat": heat_score,
    }
    found: dict[str, str] = {}
    for name, score in scores.items():
        free = [each for each in fields if each not in taken and each.path not in found.values()]
        if (best := best_field(free, score)) is not None:
            found[name] = best[0].path
    return found

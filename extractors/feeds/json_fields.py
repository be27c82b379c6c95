"""Recognises the fields of a list's items by their names and values: address, title, time, author, summary, heat."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import yaml

from extractors.feeds.item_times import item_time
from extractors.feeds.json_arrays import is_plain, joined
from extractors.feeds.json_paths import plain_text, raw_text
from extractors.links.urls import resolve_url

_MAX_SAMPLE, _MAX_LEAVES, _MAX_FIELD_DEPTH, _MAX_KEYS, _MAX_COMPARED = 30, 160, 4, 80, 10
_MIN_SHARE = 0.6
"""Share of the items that must have a field."""
_MIN_SCORE = 0.5
_SERVICE_HOST = re.compile(r"(?:https?:)?//(?:[\w-]{1,40}-)?api\d?\.", re.I)
_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|ico|bmp|avif|mp4|mp3|m3u8|css|js)(?:[?!@]|$)", re.I)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[\u4e00-\u9fff]{2}")
_MAX_AUTHOR_CHARS, _MAX_TITLE_CHARS, _LONG_TITLE_CHARS, _SHORT_TITLE_CHARS = 80, 1_000, 200, 4
_EMPTY = (None, "")


@dataclass(frozen=True, slots=True)
class ItemField:
    """A path within the items.

    Attributes:
        words: of the last name on it that says something; above: of the names before.
        values: in the sampled items, None where it is missing.
    """

    path: str
    words: tuple[str, ...]
    above: frozenset[str]
    values: tuple[Any, ...]

    @property
    def texts(self) -> list[str]:
        return [value.strip() for value in self.values if isinstance(value, str) and value.strip()]

    def fits(self, count: int) -> bool:
        """Whether this number of values is most of them."""
        return count >= _MIN_SHARE * len(self.values)

    def distinct(self) -> float:
        given = [raw_text(value) for value in self.values if value not in _EMPTY]
        return len(set(given)) / max(1, len(given))


@cache
def _names() -> dict[str, Any]:
    """Numbers by word where a part of the file has them, else sets of words."""
    read: dict[str, Any] = yaml.safe_load(files(__package__).joinpath("field_names.yaml").read_text("utf-8"))
    return {part: frozenset(said.split()) if isinstance(said, str) else said for part, said in read.items()}


def has_word(part: str, words: Iterator[str] | tuple[str, ...] | frozenset[str] | list[str]) -> bool:
    """Whether one of the words is in this part of field_names.yaml."""
    return not _names()[part].isdisjoint(words)


def _worth(part: str, words: tuple[str, ...] | frozenset[str]) -> float:
    known: Mapping[str, float] = _names()[part]
    return max((known.get(word, 0.0) for word in words), default=0.0)


def words_of(name: str) -> list[str]:
    """The words of a name in lower case: publishTime, publish_time, 发布时间."""
    return [word.lower() for word in _WORD.findall(name)]


def fields_of(items: list[dict[str, Any]], sample: int = _MAX_SAMPLE) -> list[ItemField]:
    """The fields that most of the first items have."""
    leaves = [dict(_leaves(item)) for item in items[:sample]]
    found = (_field(path, leaves) for path in dict.fromkeys(path for each in leaves for path in each))
    return [each for each in found if each.fits(sum(value not in _EMPTY for value in each.values))]


def _field(path: str, leaves: list[dict[str, Any]]) -> ItemField:
    names = [name for name in re.split(r"[.\[\]]+", path) if name and not name.isdecimal()]
    while len(names) > 1 and has_word("wraps", [names[-1]]):
        names.pop()
    above = frozenset(word for name in names[:-1] for word in words_of(name))
    return ItemField(path, tuple(words_of(names[-1])), above, tuple(each.get(path) for each in leaves))


def _leaves(item: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Paths and values of the texts and numbers of an item, and of the objects in it."""
    waiting: list[tuple[str, Any, int]] = [("", item, 0)]
    for place in range(_MAX_LEAVES):
        if place >= len(waiting):
            return
        path, node, depth = waiting[place]
        if isinstance(node, dict) and depth <= _MAX_FIELD_DEPTH:
            held = ((name, each) for name, each in list(node.items())[:_MAX_KEYS] if is_plain(name))
            waiting += [(joined(path, name), each, depth + 1) for name, each in held]
        elif isinstance(node, list) and node and depth <= _MAX_FIELD_DEPTH and isinstance(node[0], dict | str):
            waiting.append((f"{path}[0]", node[0], depth + 1))
        elif isinstance(node, str | int | float) and not isinstance(node, bool):
            yield path, node


def best_field(fields: list[ItemField], score: Callable[[ItemField], float]) -> tuple[ItemField, float] | None:
    """The field with the highest score, and its score; None if none is what is looked for."""
    scored = [(score(each), each) for each in fields]
    top = max(scored, key=lambda pair: (pair[0], -pair[1].path.count(".")), default=None)
    return (top[1], top[0]) if top is not None and top[0] > _MIN_SCORE else None


def address_score(field: ItemField, url: str) -> float:
    """How much a field looks like the address of its item's page."""
    texts, words = field.texts, frozenset(field.words)
    named = has_word("address", field.words) or "".join(field.words).endswith(("url", "link", "href"))
    fitting = sum(text.startswith(("http://", "https://", "/")) and " " not in text for text in texts)
    if named and not field.fits(fitting):
        fitting = sum(not set(" :") & set(text) and bool(set("/.") & set(text)) for text in texts)
    found = [address for text in texts[:_MAX_COMPARED] if (address := resolve_url(url, text))]
    if not field.fits(fitting) or not found or any("{" in text for text in texts[:3]):
        return 0.0
    if sum(bool(_PICTURE.search(text)) for text in texts) > (1 - _MIN_SHARE) * len(texts):
        return 0.0
    is_plainly = named and all(has_word("address", [word]) or has_word("of_page", [word]) for word in words)
    score = 3.0 if is_plainly else 2.2 if named else 1.2
    score += 0.7 * has_word("of_page", words) - 2.0 * has_word("not_page", words)
    score -= 1.2 * has_word("not_page", field.above) + 0.1 * field.path.count(".")
    is_service = any(map(_is_service, found)) or any(_SERVICE_HOST.match(text) for text in texts[:_MAX_COMPARED])
    return (score - 1.5 * is_service - 1.0 * all(map(_is_home, found))) * field.distinct() ** 2


def _is_service(address: str) -> bool:
    """Whether an address leads to data for programs."""
    parts = urlsplit(address)
    is_below = any(name in ("api", "jsonapi", "wp-json", "rest") for name in parts.path.split("/"))
    return is_below or parts.path.endswith(".json")


def _is_home(address: str) -> bool:
    return urlsplit(address).path in ("", "/") and not urlsplit(address).query


def title_score(field: ItemField) -> float:
    """How much a field looks like the title of its item."""
    texts = [plain_text(text) for text in field.texts]
    if not field.fits(sum(map(_is_title, texts))):
        return 0.0
    score = _worth("titles", field.words) or 2.0 * "".join(field.words).endswith("title")
    score -= 1.2 * has_word("not_title", field.words) + 1.0 * has_word("not_title", field.above)
    mean = sum(map(len, texts)) / max(1, len(texts))
    score -= 0.6 * (mean > _LONG_TITLE_CHARS) + 0.5 * (mean < _SHORT_TITLE_CHARS) + 0.1 * field.path.count(".")
    return score * (0.1 + 0.9 * field.distinct())


def _is_title(text: str) -> bool:
    is_address = text.startswith(("http://", "https://", "/"))
    return 2 <= len(text) <= _MAX_TITLE_CHARS and not is_address and any(map(str.isalpha, text))


def time_score(field: ItemField, now: datetime) -> float:
    """How much a field looks like the time at which its item was published."""
    score = _worth("times", field.words) or 2.0 * "".join(field.words).endswith(("time", "date", "dt"))
    given = [value for value in field.values if value not in (None, "", 0, "0")][:_MAX_COMPARED]
    if not score or not given or has_word("not_time", field.words):
        return 0.0
    if sum(bool(item_time(value, now=now)) for value in given) < _MIN_SHARE * len(given):
        return 0.0
    is_of_other = has_word("not_page", field.above) or has_word("not_time", field.above)
    return score - 0.5 * is_of_other - 0.05 * field.path.count(".")


def author_score(field: ItemField) -> float:
    """How much a field looks like the author or the source of its item."""
    short = (text for text in field.texts if len(text) <= _MAX_AUTHOR_CHARS and "://" not in text)
    if not field.fits(sum(any(map(str.isalpha, text)) for text in short)):
        return 0.0
    above = _worth("authors", field.above) if has_word("names_of_people", field.words) else 0.0
    return max(_worth("authors", field.words), above) - 2.0 * has_word("not_author", field.words)


def summary_score(field: ItemField) -> float:
    """How much a field looks like a summary of its item."""
    if not field.fits(len(field.texts)):
        return 0.0
    return _worth("summaries", field.words) - 1.0 * has_word("not_title", field.above)


def heat_score(field: ItemField) -> float:
    """How much a field looks like a measure of attention."""
    if not field.fits(sum(any(map(str.isdigit, raw_text(value))) for value in field.values)):
        return 0.0
    return _worth("heats", field.words)

"""Tries sources: what is understood of an answer, a proposed recipe, saved answers and their tests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from crawler.config.yaml_file import beside
from crawler.sources.list_answers import ListAnswer, read_source
from crawler.sources.recipe_text import field_of
from crawler.sources.source_file import Source
from extractors.feeds import (
    Feed,
    ListRecipe,
    UnreadableError,
    looks_like_json,
    propose_recipe,
    read_by_recipe,
    read_feed,
    read_json_feed,
)

SUFFIXES = {"json": ".json", "xml": ".xml", "html": ".html"}
_MAX_SHOWN_DIFFERENCES = 5


@dataclass(frozen=True, slots=True)
class Tried:
    """The reading of an answer: the items, and a recipe that reads them; or the reason why it cannot be read."""

    feed: Feed | None
    recipe: ListRecipe | None
    fault: str = ""


def try_answer(body: bytes, url: str, kind: str, now: datetime, like: Sequence[str] = ()) -> Tried:
    """The reading of an answer without a recipe. Never raises."""
    recipe = propose_recipe(body, url, content_type=kind, like=like, now=now)
    if recipe is None:
        said = f"no list has the titles {', '.join(map(repr, like))}" if like else _why_not(body, url, kind)
        return Tried(None, None, said)
    if recipe.is_feed:
        return Tried(read_feed(body, url, with_texts=True), recipe)
    if "SITE/PATH" in recipe.url_template:
        fault = "the list has titles, but no addresses: complete url_template, and try the recipe"
        return Tried(None, recipe, fault)
    try:
        return Tried(read_by_recipe(body, url, recipe, content_type=kind, now=now), recipe)
    except UnreadableError as error:
        return Tried(None, recipe, str(error))


def _why_not(body: bytes, url: str, kind: str) -> str:
    if looks_like_json(body, kind):
        try:
            read_json_feed(body, url, content_type=kind)
        except UnreadableError as error:
            return str(error)
    return "no list was found in it"


def check_saved(source: Source) -> str:
    """The difference between a source's saved answer and its test; "" if there is none."""
    if source.test is None or source.path is None:
        return "it has no saved answer: scrapy source record " + source.name
    try:
        body = beside(source.path, source.test.answer).read_bytes()
    except OSError as error:
        return f"{source.test.answer} cannot be read: {error.strerror or error}"
    answer = read_source(body, _address(source), source.recipe, "", _moment(source.test.date))
    return "; ".join(_differences(source, answer))


def _address(source: Source) -> str:
    return (source.test.url if source.test else "") or source.url.partition("{")[0]


def _moment(date: str) -> datetime:
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return datetime.now(UTC)
    return moment if moment.tzinfo else moment.replace(hour=moment.hour or 12, tzinfo=UTC)


def _differences(source: Source, answer: ListAnswer) -> Iterator[str]:
    test = source.test
    if answer.feed is None or test is None:
        yield answer.fault
        return
    entries = answer.feed.entries
    if test.items and len(entries) != test.items:
        yield f"{len(entries)} items instead of {test.items}"
    for name, wanted in test.first.items():
        found: Any = field_of(entries[0], name) if entries else ""
        if found != wanted and str(found) != str(wanted):
            yield f"the first {name} is {found!r} instead of {wanted!r}"


def answer_path(folder: Path, name: str, body: bytes, kind: str) -> Path:
    """Where the answer of a source is saved: tests/NAME with the suffix of its kind, below the folder."""
    start = body[:200].lstrip().lower()
    suffix = next((SUFFIXES[each] for each in SUFFIXES if each in kind.lower()), "")
    if not suffix or suffix == ".html" or start[:1] in (b"{", b"["):
        suffix = (
            ".json"
            if start[:1] in (b"{", b"[")
            else ".xml"
            if start.startswith((b"<?xml", b"<rss", b"<feed"))
            else ".html"
        )
    return folder / "tests" / f"{name}{suffix}"

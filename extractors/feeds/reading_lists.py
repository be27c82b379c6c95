"""Reads a list of any shape: by a recipe, or without one if it is a feed or clearly a list."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from extractors.feeds.carried_json import carried_at, carried_values
from extractors.feeds.entries import Feed
from extractors.feeds.json_guess import GuessedList, guess_list, titled_list
from extractors.feeds.json_list import read_json_list
from extractors.feeds.json_paths import objects_at, raw_text
from extractors.feeds.json_text import UnreadableError, parse_json
from extractors.feeds.list_recipe import ListRecipe
from extractors.feeds.markup_list import plain_names, read_html_list, read_xml_list
from extractors.feeds.tree import root_of, unzipped
from extractors.html.document import Document
from extractors.html.page_selectors import SelectorError

_MAX_XML_BYTES = 10_000_000
_JSON_FEED = ListRecipe(
    list="items",
    fields={
        "url": "url | external_url | id",
        "title": "title | summary | content_text | content_html",
        "time": "date_published | date_modified",
        "author": "authors | author",
        "summary": "summary",
    },
    next="next_url",
)
"""JSON Feed 1.1, https://www.jsonfeed.org/version/1.1/."""


class ReadList(NamedTuple):
    """The reading of an answer, and the recipe by which it was read."""

    feed: Feed
    recipe: ListRecipe


def read_json_feed(body: bytes, url: str, *, content_type: str = "", now: datetime | None = None) -> ReadList:
    """A JSON Feed, or a JSON document that is clearly a list: an array of objects that have an address and a title.

    Raises UnreadableError, whose message says what is missing.
    """
    now, value = now or datetime.now(UTC), parse_json(body, content_type)
    if _is_json_feed(value):
        found = read_json_list(value, url, _JSON_FEED, now=now, zone=None)
        return ReadList(replace(found, hub=_hub(value), topic=_text(value, "feed_url")), _JSON_FEED)
    return _guessed(value, url, now)


def _guessed(value: Any, url: str, now: datetime) -> ReadList:
    guess = guess_list(value, url, now=now)
    if guess is None:
        raise UnreadableError(_why(value))
    return ReadList(read_json_list(value, url, guess.recipe, now=now, zone=None), guess.recipe)


def read_by_recipe(
    body: bytes, url: str, recipe: ListRecipe, *, content_type: str = "", now: datetime | None = None
) -> Feed:
    """The items of an answer by its recipe. Raises UnreadableError if what the recipe names is not there."""
    now, zone = now or datetime.now(UTC), _zone(recipe.zone)
    if recipe.html and recipe.list:
        written = "\n".join(filter(None, map(raw_text, objects_at(parse_json(body, content_type), recipe.list))))
        body, content_type = written.encode("utf-8", "replace"), "text/html; charset=utf-8"
    if recipe.html or recipe.json_in:
        page = Document(body, url, content_type=content_type, fetched_at=now)
        if recipe.json_in:
            return read_json_list(carried_at(page, recipe.json_in), url, recipe, now=now, zone=zone)
        try:
            return read_html_list(page, recipe, now=now, zone=zone)
        except SelectorError as error:
            raise UnreadableError(f"the page is too large for this selector: {error}") from error
    if recipe.xml:
        root = root_of(unzipped(body, _MAX_XML_BYTES), _MAX_XML_BYTES)
        if root is None:
            raise UnreadableError("it is not XML")
        return read_xml_list(plain_names(root), url, recipe, now=now, zone=zone)
    return read_json_list(parse_json(body, content_type), url, recipe, now=now, zone=zone)


def read_carried_list(page: Document, *, now: datetime) -> ReadList | None:
    """The best list in the JSON that a page carries for its scripts; None if there is none."""
    best: tuple[GuessedList, str, Any] | None = None
    for place, value in carried_values(page):
        guess = guess_list(value, page.url, now=now)
        if guess is not None and (best is None or guess.score > best[0].score):
            best = guess, place, value
    if best is None:
        return None
    recipe = replace(best[0].recipe, json_in=best[1])
    return ReadList(read_json_list(best[2], page.url, recipe, now=now, zone=None), recipe)


def _is_json_feed(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and "jsonfeed.org" in str(value.get("version", ""))[:100]
        and isinstance(value.get("items"), list)
    )


def _hub(value: Mapping[str, Any]) -> str:
    hubs = value.get("hubs")
    urls = (each.get("url") for each in hubs if isinstance(each, dict)) if isinstance(hubs, list) else ()
    return next((url for url in urls if isinstance(url, str)), "")


def _text(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""


def _why(value: Any) -> str:
    path, title = titled_list(value)
    if title:
        return (
            f"the JSON has a list at {path.removesuffix('[]') or 'its top'} with titles ({title}), but without addresses; "
            "a recipe with url_template can make them"
        )
    return "the JSON has no array of objects that have an address and a title; a recipe can say where they are"


@lru_cache(maxsize=100)
def _zone(name: str) -> ZoneInfo | None:
    return ZoneInfo(name) if name else None

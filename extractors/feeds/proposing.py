"""Proposes the recipe of a list from one answer, and from titles that it shows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from extractors.feeds.carried_json import carried_values
from extractors.feeds.declared_feeds import read_feed
from extractors.feeds.html_guess import guess_html_list
from extractors.feeds.json_arrays import arrays_of
from extractors.feeds.json_fields import fields_of
from extractors.feeds.json_guess import recipe_of, titled_list
from extractors.feeds.json_paths import plain_text
from extractors.feeds.json_text import UnreadableError, looks_like_json, parse_json
from extractors.feeds.list_recipe import ListRecipe
from extractors.feeds.reading_lists import read_carried_list, read_json_feed
from extractors.feeds.selectors import selected
from extractors.html.document import Document

_ID_NAMES = ("id", "_id", "contId", "docid", "doc_id", "newsId", "aid", "bvid", "tid", "uuid", "code", "slug", "key")


def propose_recipe(
    body: bytes, url: str, *, content_type: str = "", like: Sequence[str] = (), now: datetime | None = None
) -> ListRecipe | None:
    """A recipe that reads the list of an answer; None if there is none.

    like: titles on the list, or parts of them; the list is then the one that has them all. A recipe whose items have no address
    has an `url_template` with the name of their identity, which a person has to complete.
    """
    now, like = now or datetime.now(UTC), [" ".join(each.split()) for each in like if each.strip()]
    if looks_like_json(body, content_type):
        return _of_json(body, url, content_type, like, now)
    if (feed := read_feed(body, url)) is not None and feed.kind == "feed":
        return ListRecipe(list="feed")
    page = Document(body, url, content_type=content_type, fetched_at=now)
    for place, value in carried_values(page) if like else ():
        if (found := _like(value, url, like, now)) is not None:
            return replace(found, json_in=place)
    html, carried = guess_html_list(page, like), None if like else read_carried_list(page, now=now)
    if carried is None or (html is not None and len(selected(html.html, page.root)) >= len(carried.feed.entries)):
        return html
    return carried.recipe


def _of_json(body: bytes, url: str, kind: str, like: list[str], now: datetime) -> ListRecipe | None:
    try:
        value = parse_json(body, kind)
        if like:
            return _like(value, url, like, now)
        return read_json_feed(body, url, content_type=kind, now=now).recipe
    except UnreadableError:
        return _with_template(body, kind)


def _like(value: Any, url: str, like: list[str], now: datetime) -> ListRecipe | None:
    """The recipe of the array that has all these titles at one path."""
    for path, items in arrays_of(value).items():
        for title in _paths_with(items, like):
            found = recipe_of(path, items, url, now, title)
            return found if "url" in found.fields else replace(found, url_template=_template(items))
    return None


def _paths_with(items: list[dict[str, Any]], like: list[str]) -> Iterator[str]:
    for each in fields_of(items, sample=len(items)):
        texts = [plain_text(value) for value in each.values if isinstance(value, str)]
        if all(any(title in text for text in texts) for title in like):
            yield each.path


def _with_template(body: bytes, kind: str) -> ListRecipe | None:
    """A recipe for a list without addresses."""
    try:
        value = parse_json(body, kind)
    except UnreadableError:
        return None
    path, title = titled_list(value)
    if not title:
        return None
    items = arrays_of(value)[path]
    found = recipe_of(path, items, "", datetime.now(UTC), title)
    return replace(found, url_template=_template(items))


def _template(items: list[dict[str, Any]]) -> str:
    names = [each.path for each in fields_of(items) if each.distinct() == 1.0]
    by_name = {path.rpartition(".")[2]: path for path in names}
    found = next((by_name[name] for name in _ID_NAMES if name in by_name), "")
    found = found or next((path for path in names if path.lower().endswith("id")), "id")
    return f"https://SITE/PATH/{{{found}}}"

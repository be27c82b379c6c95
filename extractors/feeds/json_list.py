"""Reads the items of a list of JSON objects by a recipe."""

import re
from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any
from urllib.parse import quote

from extractors.feeds.body_text import body_lines
from extractors.feeds.entries import Feed, FeedEntry
from extractors.feeds.item_times import item_time
from extractors.feeds.json_paths import field_at, objects_at, plain_text, raw_text, text_at, value_at
from extractors.feeds.json_text import UnreadableError
from extractors.feeds.list_recipe import ListRecipe
from extractors.links.urls import MAX_LENGTH, resolve_url
from extractors.text.characters import unescape

MAX_ITEMS = 1_000
_HOLE = re.compile(r"\{([^{}:]{1,200})(?::([^{}]{1,40}))?\}")
_MAX_BODY_CHARS, _MAX_TITLE_CHARS = 500_000, 5_000
_INDEX = "$index"
_SAFE, _SAFE_IN_ADDRESS = ",@:~/", "/:?&=%,@~+!*();$'#"
"""Characters of a value that stay as they are in an address: of a name, and of a part of an address."""
_SCALED = {"万": 1e4, "萬": 1e4, "w": 1e4, "亿": 1e8, "億": 1e8, "k": 1e3, "m": 1e6}
_HEAT = re.compile(r"(-?\d[\d,]{0,18}(?:\.\d{1,6})?)\s?(万|萬|亿|億|[wkmWKM](?![a-z]))?")


def read_json_list(value: Any, url: str, recipe: ListRecipe, *, now: datetime, zone: tzinfo | None) -> Feed:
    """The items of a parsed document at this address, each address once. Raises UnreadableError where the list's path leads to
    nothing."""
    there = value_at(value, recipe.list.partition("[]")[0].removesuffix(".*"))
    if there is None and recipe.list:
        raise UnreadableError(f"there is nothing at list: {recipe.list}")
    items = objects_at(value, recipe.list)
    entries: dict[str, FeedEntry] = {}
    for item in items:
        entry = _entry(item, len(entries) + 1, url, recipe, now, zone)
        if entry is not None and entry.url not in entries:
            entries[entry.url] = entry
            if len(entries) == MAX_ITEMS:
                break
    further = _further(field_at(value, recipe.next)) if recipe.next else ""
    return Feed("feed", tuple(entries.values()), further=further, listed=len(items))


def _entry(item: Any, index: int, url: str, recipe: ListRecipe, now: datetime, zone: tzinfo | None) -> FeedEntry | None:
    fields = recipe.fields
    address = item_address(item, url, recipe, now, zone)
    title = _title(item, fields.get("title", ""))
    if not address or not (title or recipe.body_of):
        return None
    rank = fields.get("rank", "")
    return FeedEntry(
        address,
        published=item_time(_value(item, fields.get("time", "")), now=now, form=recipe.time_format, zone=zone),
        title=title,
        summary=_text(item, fields.get("summary", "")),
        author=_text(item, fields.get("author", "")),
        rank=index if rank in ("", _INDEX) else int(number_of(field_at(item, rank)) or index),
        heat=number_of(field_at(item, fields["heat"])) if "heat" in fields else None,
        body=raw_text(field_at(item, recipe.body_of))[:_MAX_BODY_CHARS] if recipe.body_of else "",
    )


def _value(item: Any, paths: str) -> Any:
    """A field; of a path in braces within a text, such as `{place}: {size}`, the text with its value."""
    if "{" not in paths:
        return field_at(item, paths) if paths else None
    return " ".join(_HOLE.sub(lambda found: text_at(item, found[1]), paths).split())


def _text(item: Any, paths: str) -> str:
    return plain_text(_value(item, paths))


def _title(item: Any, paths: str) -> str:
    """A field as text, of several lines the first."""
    value = _value(item, paths)
    lines = body_lines(raw_text(value)[:_MAX_TITLE_CHARS]) if isinstance(value, str) and "<" in value else ()
    return next(iter(lines), "") or plain_text(value)


def item_address(item: Any, url: str, recipe: ListRecipe, now: datetime, zone: tzinfo | None) -> str:
    """The canonical address of an item; "" if it has none."""
    if recipe.url_template and (made := filled(recipe.url_template, item, now, zone)):
        return resolve_url(url, made)
    for path in filter(None, recipe.fields.get("url", "").split("|")):
        written = unescape(raw_text(value_at(item, path.strip())).strip())
        if 0 < len(written) <= MAX_LENGTH and (address := resolve_url(url, written)):
            return address
    return ""


def filled(template: str, item: Any, now: datetime, zone: tzinfo | None) -> str:
    """The template with the item's values; "" if one is missing. `{time:%Y%m%d}` writes a time of the item."""
    missing = False

    def value(found: re.Match[str]) -> str:
        nonlocal missing
        given = field_at(item, found[1])
        text = _day(given, found[2], now, zone) if found[2] else plain_text(given)
        missing = missing or not text
        return quote(text, safe=_SAFE_IN_ADDRESS if text.startswith(("/", "http", "?")) else _SAFE)

    made = _HOLE.sub(value, template)
    return "" if missing else made


def _day(value: Any, form: str, now: datetime, zone: tzinfo | None) -> str:
    written = item_time(value, now=now, zone=zone)
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return ""
    return (moment.astimezone(zone) if zone and moment.tzinfo else moment).strftime(form)


def number_of(value: Any) -> float | None:
    """A number, or the first one in a text: 5,210, 1.2万, 3.4k; None if there is none."""
    if isinstance(value, bool) or value is None:
        return None
    found = _HEAT.search(raw_text(value)[:200])
    if found is None:
        return None
    number = float(found[1].replace(",", "")) * _SCALED.get((found[2] or "").lower(), 1.0)
    return number if abs(number) < 1e18 else None


def _further(value: Any) -> str:
    """The next page's address or cursor; "" for none, "yes" for a flag that there is one."""
    if isinstance(value, bool):
        return "yes" if value else ""
    text = raw_text(value).strip()
    return "" if text in ("0", "-1", "null", "None", "no_more", "false") else text[:MAX_LENGTH]


def field_shares(feed: Feed) -> Mapping[str, float]:
    """For each field the share of the entries that have it."""
    count = max(1, len(feed.entries))
    named = {"title": "title", "time": "published", "author": "author", "summary": "summary", "body": "body"}
    shares = {name: sum(bool(getattr(each, key)) for each in feed.entries) / count for name, key in named.items()}
    return shares | {"heat": sum(each.heat is not None for each in feed.entries) / count}

"""A source's file as text: a proposed recipe, and the test of a saved answer."""

import re
from typing import Any

import yaml

from extractors.feeds import Feed, FeedEntry, ListRecipe

_ENDLESS = 1_000_000
_TEST = re.compile(r"^test:.*\n?(?:[ \t]+.*\n?|\n(?=[ \t]))*", re.M)
_SHOWN = ("url", "title", "time", "author", "rank", "heat")


def recipe_text(url: str, recipe: ListRecipe, *, zone: str = "") -> str:
    """The file of a proposed source."""
    keys = ("list", "json_in", "html", "xml", "fields", "url_template", "time_format", "next", "body_of")
    values = {key: getattr(recipe, key) for key in keys}
    written = {"url": url, **{key: dict(value) if key == "fields" else value for key, value in values.items() if value}}
    if zone:
        written["zone"] = zone
    if not written.keys() & {"list", "html", "xml"} and "json_in" not in written:
        written["list"] = ""
    return "".join(f"{key}: {_flow(value)}\n" for key, value in written.items())


def test_text(answer: str, feed: Feed, date: str) -> str:
    """The key `test` for a saved answer."""
    first = feed.entries[0] if feed.entries else FeedEntry("")
    shown = {name: value for name in _SHOWN if (value := field_of(first, name))}
    return f"test: {_flow({'answer': answer, 'date': date, 'items': len(feed.entries), 'first': shown})}\n"


def with_test(text: str, test: str) -> str:
    """The text of a file with its test replaced, or added."""
    if _TEST.search(text):
        return _TEST.sub(lambda _: test, text, count=1)
    return f"{text.rstrip()}\n{test}"


def field_of(entry: FeedEntry, name: str) -> Any:
    """The value of a field as files call it."""
    return getattr(entry, {"time": "published"}.get(name, name))


def _flow(value: Any) -> str:
    """A value on one line of YAML, as it may stand within braces."""
    written = yaml.safe_dump([value], allow_unicode=True, width=_ENDLESS, default_flow_style=True, sort_keys=False)
    return str(written).strip()[1:-1]

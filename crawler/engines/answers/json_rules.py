"""Results by paths in an engine's JSON."""

import html
import json
import re
from dataclasses import dataclass
from typing import Any

from crawler.engines.base import BlockedError, NoResultsError, Reply, Result

_TAGS = re.compile(r"<[^<>]{1,200}>")


@dataclass(frozen=True, slots=True)
class JsonRules:
    """Dotted paths: of the list of results, and of each field in one of them; "" for what is not there."""

    items: str
    url: str = "url"
    title: str = "title"
    snippet: str = ""
    date: str = ""


def read_json(rules: JsonRules, reply: Reply) -> list[Result]:
    """Raises BlockedError if a page came instead of JSON, NoResultsError for an empty list."""
    items = value_at(parsed(reply), rules.items)
    if not isinstance(items, list):
        raise NoResultsError(f"no list at {rules.items}")
    results: list[Result] = []
    for item in items:
        url, title = text_at(item, rules.url), text_at(item, rules.title)
        if url.startswith(("http://", "https://")) and title:
            snippet, date = text_at(item, rules.snippet), text_at(item, rules.date)
            results.append(Result(url, title, snippet, date, len(results) + 1))
    if not results:
        raise NoResultsError("an empty list")
    return results


def parsed(reply: Reply) -> Any:
    """The answer's JSON; BlockedError for anything else."""
    try:
        return json.loads(reply.body)
    except (ValueError, RecursionError):
        raise BlockedError("something else came instead of JSON") from None


def value_at(value: Any, path: str) -> Any:
    """What stands at a dotted path; None if it leads nowhere."""
    for name in path.split(".") if path else ():
        value = value.get(name) if isinstance(value, dict) else None
    return value


def text_at(item: Any, path: str) -> str:
    """A field as plain text, without tags and entities."""
    value = value_at(item, path) if path else None
    if not isinstance(value, str | int | float):
        return ""
    return " ".join(html.unescape(_TAGS.sub("", str(value))).split())[:1_000]

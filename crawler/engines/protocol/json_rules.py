"""Results by paths in an engine's JSON."""

import html
import json
import re
from dataclasses import dataclass
from typing import Any

from crawler.engines.protocol.engine import BlockedError, NoResultsError, Reply, Result

_TAGS = re.compile(r"<[^<>]{1,200}>")


@dataclass(frozen=True, slots=True)
class JsonRules:
    """Dotted paths: to the list of results, and to each field within a result; "" for none."""

    items: str
    url: str = "url"
    title: str = "title"
    snippet: str = ""
    date: str = ""

    def read(self, reply: Reply) -> list[Result]:
        """Raises BlockedError if the answer is not JSON, NoResultsError for an empty list."""
        items = value_at(parse_json(reply), self.items)
        if not isinstance(items, list):
            raise NoResultsError(f"no list at {self.items}")
        results: list[Result] = []
        for item in items:
            url, title = text_at(item, self.url), text_at(item, self.title)
            if url.startswith(("http://", "https://")) and title:
                snippet, date = text_at(item, self.snippet), text_at(item, self.date)
                results.append(Result(url, title, snippet, date, len(results) + 1))
        if not results:
            raise NoResultsError("an empty list")
        return results


def parse_json(reply: Reply) -> Any:
    """The answer's JSON; raises BlockedError for anything else."""
    try:
        return json.loads(reply.body)
    except (ValueError, RecursionError):
        raise BlockedError("the answer is not JSON") from None


def value_at(value: Any, path: str) -> Any:
    """The value at a dotted path; None if there is none."""
    for name in path.split(".") if path else ():
        value = value.get(name) if isinstance(value, dict) else None
    return value


def text_at(item: Any, path: str) -> str:
    """A field as plain text without tags and entities."""
    value = value_at(item, path) if path else None
    if not isinstance(value, str | int | float):
        return ""
    return " ".join(html.unescape(_TAGS.sub("", str(value))).split())[:1_000]

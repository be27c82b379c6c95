"""Comments, reviews, answers and posts that a page declares in schema.org's words, by extruct."""

from collections.abc import Iterator
from typing import Any

from extruct import extract

KINDS = frozenset(
    ("Comment", "Review", "UserReview", "Answer", "Question", "DiscussionForumPosting", "SocialMediaPosting")
)


def records(source: str, url: str) -> list[dict[str, Any]]:
    """Author, time_text and text of each, in the order of the data."""
    data = extract(source, base_url=url, syntaxes=["json-ld", "microdata"], uniform=True, errors="ignore")
    found = [thing for things in data.values() for top in things for thing in _things(top)]
    return [_record(thing) for thing in found]


def _things(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        for each in value:
            yield from _things(each)
    elif isinstance(value, dict):
        kind = value.get("@type")
        if KINDS & set(kind if isinstance(kind, list) else [kind]):
            yield value
        for each in value.values():
            yield from _things(each)


def _record(thing: dict[str, Any]) -> dict[str, Any]:
    author = thing.get("author") or thing.get("creator") or ""
    name = author.get("name", "") if isinstance(author, dict) else author
    text = thing.get("text") or thing.get("reviewBody") or thing.get("articleBody") or thing.get("description") or ""
    time = thing.get("datePublished") or thing.get("dateCreated") or ""
    return {"author": str(name), "time_text": str(time), "text": str(text), "title": str(thing.get("headline") or "")}

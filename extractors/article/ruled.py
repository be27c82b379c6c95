"""The fields of an article that the rules of its site name."""

from dataclasses import dataclass
from functools import partial

from extractors.article.author_names import name_of
from extractors.article.body import find_body
from extractors.article.title import ruled_title
from extractors.article.zones import TimeStyle
from extractors.html.document import Document, SiteRules
from extractors.text.dates import parse_time

_MAX_AUTHORS = 10


@dataclass(frozen=True, slots=True)
class RuledFields:
    """The result of a rule, "" where it names nothing or finds nothing.

    Attributes:
        time: ISO 8601.
        said: for people: the name of the rule, what is from it, and what it did not find.
    """

    title: str = ""
    author: str = ""
    time: str = ""
    said: str = ""


def ruled_fields(page: Document, style: TimeStyle) -> RuledFields:
    """The fields of a page by the rules of its site; a field whose text is not a name, or has no time, counts as not found."""
    rules = page.rules
    if rules is None:
        return RuledFields()
    title, shown = page.once(ruled_title), rules.first_value("time", page.columns)
    author = ", ".join(
        dict.fromkeys(filter(None, map(name_of, rules.all_values("author", page.columns, _MAX_AUTHORS))))
    )
    time = page.attempt("dates", partial(_parsed, page, shown, style), "") if shown else ""
    found = {"body": page.once(find_body).by_rule, "title": bool(title), "author": bool(author), "time": bool(time)}
    return RuledFields(title, author, time, _said(rules, found))


def _parsed(page: Document, text: str, style: TimeStyle) -> str:
    return parse_time(text, now=page.made_at, zone=style.zone, day_first=style.day_first)


def _said(rules: SiteRules, found: dict[str, bool]) -> str:
    named = {name: has for name, has in found.items() if rules.fields.get(name) or (name == "body" and rules.body)}
    parts = (" ".join(name for name, has in named.items() if has is wanted) for wanted in (True, False))
    given, missing = parts
    if not named and not (rules.remove or rules.each):
        return ""
    return f"rule {rules.name}{': ' if given else ''}{given}" + (f", not found: {missing}" if missing else "")

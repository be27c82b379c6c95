"""Engines that an operator writes down in YAML: a URL template and selectors."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import quote

from crawler.declarations import Declaration
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result
from crawler.engines.html_rules import HtmlRules, RuleError, check_rules, read_html
from crawler.engines.json_rules import JsonRules, read_json

_ABOUT = {"delay": float, "rest": float, "max_rest": float, "pages": int}
_PLACES = ("{query}", "{page}", "{first}", "{offset}", "{language}")


def declared_engine(path: Path) -> tuple[Engine, bool]:
    """The engine of a file, and whether it is switched on. Raises DeclarationError.

    `url` holds {query}, and {page} from 1, {first} from 1 or {offset} from 0 in steps of `page_size`, {language};
    `html` or `json` hold the rules.
    """
    given = _Declaration(path)
    url = given.text("url")
    if not url.startswith(("http://", "https://")) or "{query}" not in url:
        given.fail("url", "must begin with http:// or https:// and hold {query}")
    kinds = [kind for kind in ("html", "json") if kind in given.values]
    if len(kinds) != 1:
        given.fail(kinds[-1] if kinds else "url", "needs either html or json rules beside it")
    about = About(path.stem, url.split("/")[2].split(":")[0], **given.numbers())
    size = int(given.number("page_size", 10, int))
    on = given.values.get("enabled", True)
    if not isinstance(on, bool):
        given.fail("enabled", "must be true or false")
    given.refuse_unknown({"url", "html", "json", "enabled", "page_size", *_ABOUT})
    return _engine(about, url, size, given, kinds[0]), bool(on)


def _engine(about: About, url: str, size: int, given: "_Declaration", kind: str) -> Engine:
    def request(query: Query, keys: Mapping[str, str]) -> Asking:
        """Fill the template."""
        offset = size * (query.page - 1)
        values = (quote(query.text), query.page, offset + 1, offset, query.language)
        filled = url
        for place, value in zip(_PLACES, values, strict=True):
            filled = filled.replace(place, str(value))
        return Asking(filled)

    if kind == "json":
        json_rules = JsonRules(**given.rules("json", JsonRules, ("items",)))
        return Engine(about, request, lambda reply: read_json(json_rules, reply), is_html=False)
    html_rules = HtmlRules(**given.rules("html", HtmlRules, ("block", "link")))
    try:
        check_rules(html_rules)
    except RuleError as error:
        given.fail("html", str(error))

    def results(reply: Reply) -> list[Result]:
        """By the rules."""
        return read_html(html_rules, reply)

    return Engine(about, request, results)


class _Declaration(Declaration):
    """That of an engine."""

    def numbers(self) -> dict[str, Any]:
        return {key: self.number(key, 0, kind) for key, kind in _ABOUT.items() if key in self.values}

    def rules(self, key: str, form: type, needed: tuple[str, ...]) -> dict[str, Any]:
        given = self.values[key]
        names = {each.name for each in fields(form)}
        if not isinstance(given, dict) or not all(isinstance(name, str) for name in given):
            self.fail(key, f"must hold {', '.join(sorted(names))}")
        if unknown := sorted(set(given) - names):
            self.fail(key, f"{unknown[0]!r} is not known; there are {', '.join(sorted(names))}")
        if missing := [name for name in needed if not given.get(name)]:
            self.fail(key, f"{missing[0]!r} is missing")
        for name, value in given.items():
            if not isinstance(value, str | (list if name == "target" else str)):
                self.fail(key, f"{name!r} must be text")
        return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()} | (
            {"target": (given["target"],)} if isinstance(given.get("target"), str) else {}
        )

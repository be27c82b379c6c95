"""Engines that an operator writes down in YAML: a URL template and selectors."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml

from crawler.engines.base import About, Asking, Engine, Query, Reply, Result
from crawler.engines.html_rules import HtmlRules, RuleError, check_rules, read_html
from crawler.engines.json_rules import JsonRules, read_json

_ABOUT = {"delay": float, "rest": float, "max_rest": float, "pages": int}
_PLACES = ("{query}", "{page}", "{first}", "{offset}", "{language}")


class DeclarationError(ValueError):
    """A file that cannot be used; the message names file, line and key."""


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


class _Declaration:
    """A file's values with the lines of their keys."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
            values: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise DeclarationError(f"{path}: cannot be read: {error}") from error
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = f", line {mark.line + 1}" if mark else ""
            raise DeclarationError(f"{path}{line}: is no YAML: {getattr(error, 'problem', error)}") from error
        if not isinstance(values, dict) or not isinstance(node, yaml.MappingNode):
            raise DeclarationError(f"{path}, line 1: must hold keys and values, like url: https://…")
        self.values: dict[Any, Any] = values
        self._lines = {key.value: key.start_mark.line + 1 for key, _ in node.value}

    def fail(self, key: str, message: str) -> None:
        raise DeclarationError(f"{self._path}, line {self._lines.get(key, 1)}, {key}: {message}")

    def text(self, key: str) -> str:
        value = self.values.get(key)
        if not isinstance(value, str) or not value:
            self.fail(key, "must be given, as text")
        return str(value)

    def number(self, key: str, default: float, kind: type = float) -> float:
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int if kind is int else (int, float)) or value < 0:
            self.fail(key, f"must be a number of at least 0, not {value!r}")
        return kind(value)  # type: ignore[no-any-return]  # int or float

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

    def refuse_unknown(self, known: set[str]) -> None:
        if unknown := [key for key in self.values if key not in known]:
            self.fail(str(unknown[0]), f"is not known; there are {', '.join(sorted(known))}")

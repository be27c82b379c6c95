"""All engines by name: built-in ones, and those in the operator's files.

settings/engines/NAME.yaml overrides limits of a built-in engine, or defines a new one. Built-in engines are such files too, or
modules if they need more than a file can express.
"""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from pkgutil import iter_modules
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from crawler import engines as room
from crawler.config.yaml_file import Declaration, DeclarationError, Strict
from crawler.engines.protocol.engine import (
    About,
    Cookies,
    Engine,
    EngineQuery,
    Keys,
    QueryRequest,
    Reply,
    query_url,
)
from crawler.engines.protocol.rules import HtmlRules, JsonRules, as_tuple
from crawler.sources.templates import FIELD, check_address, checked_template, filled, filled_parameters
from extractors.feeds import SelectorError, check_selector
from extractors.links.urls import host_of

logger = logging.getLogger(__name__)
_LIMITS = (
    *("order", "delay", "backoff", "max_backoff", "pages", "language", "time_range", "proxies", "proxy_policy"),
    "languages",
)
_RENAMED = {
    "warm_up": "is called visit_first",
    "json": "is called list (the former items), with fields beside it: url, title, summary (snippet), time (date)",
    "html": "is one result (the former block), with fields beside it: url (link), title, summary (snippet), time (date); and target",
}
"""Keys by their former names, and what they are called in the files of sources too."""
_TIMES = ("since", "today")
_FIELDS = ("query", "page", "index", "first", "offset", "next", "days", "language", "locale", "range", *_TIMES)
_SAMPLE_TYPES = {"html": "text/html", "json": "application/json", "xml": "application/rss+xml"}
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def built_in() -> dict[str, Engine]:
    """The built-in engines: one for each module and each YAML file of this folder."""
    names = [module.name for module in iter_modules(room.__path__) if not module.ispkg and module.name != "catalog"]
    engines = {name: import_module(f"{room.__name__}.{name}").ENGINE for name in names}
    for path in _yaml_files(files(room)):
        engines[path.name.removesuffix(".yaml")], _ = declared_engine(path, {})
    return dict(sorted(engines.items()))


def _yaml_files(folder: Traversable) -> list[Traversable]:
    there = folder.iterdir() if folder.is_dir() else ()
    return sorted((path for path in there if path.name.endswith(".yaml")), key=lambda path: path.name)


@dataclass(frozen=True, slots=True)
class EngineCatalog:
    """Engines, and which of them the operator enabled or disabled.

    Attributes:
        engines: all of them, by name.
        on: names that a file enables. off: names that a file disables, with that file.
    """

    engines: Mapping[str, Engine]
    on: tuple[str, ...] = ()
    off: Mapping[str, str] = field(default_factory=dict)

    def chosen(self, named: Iterable[str], usual: Iterable[str]) -> dict[str, Engine]:
        """The engines named for a run, else the default and the enabled ones without the disabled ones, sorted by `order`.

        Raises DeclarationError for an unknown name, and for a named engine that is disabled.
        """
        names = list(dict.fromkeys(named)) or [
            name for name in dict.fromkeys([*usual, *self.on]) if name not in self.off
        ]
        if unknown := [name for name in names if name not in self.engines]:
            raise DeclarationError(f"There is no engine {unknown[0]!r}. There are: {', '.join(sorted(self.engines))}.")
        if off := [name for name in names if name in self.off]:
            raise DeclarationError(f"The engine {off[0]} is disabled in {self.off[off[0]]}.")
        if not names:
            raise DeclarationError("Every engine is disabled; name one with -a engines=NAME or METASEARCH_ENGINES.")
        return {name: self.engines[name] for name in sorted(names, key=lambda name: self.engines[name].about.order)}


def read_catalog(folder: Traversable | None) -> EngineCatalog:
    """Built-in engines and those in the folder's *.yaml files. Raises DeclarationError for the first invalid file."""
    own = built_in()
    engines, on, off = dict(own), [], {}
    for path in _yaml_files(folder) if folder is not None else ():
        engine, is_on = declared_engine(path, own)
        engines[engine.about.name] = engine
        if is_on:
            on.append(engine.about.name)
        else:
            off[engine.about.name] = str(path)
    return EngineCatalog(engines, tuple(on), off)


def sample(engine: Engine) -> Reply:
    """A small answer in the engine's layout, to check its rules; raises FileNotFoundError if there is none."""
    about, folder = engine.about, files(room) / "samples"
    for suffix, kind in _SAMPLE_TYPES.items():
        if (path := folder / f"{about.name}.{suffix}").is_file():
            url = f"https://{about.host or 'search.example'}/search"
            return Reply(url, 200, path.read_bytes(), {"content-type": kind})
    raise FileNotFoundError(about.name)


def _template(text: str) -> str:
    return checked_template(text, _FIELDS, _TIMES)


def _address(text: str) -> str:
    check_address(text)
    return _template(text)


Template = Annotated[str, AfterValidator(_template)]


class EngineFields(Strict):
    """Where a result has its fields: selectors, or dotted paths; the words are those of a source's file."""

    url: str = ""
    title: str = ""
    summary: str = ""
    time: str = ""


class EngineFile(Strict):
    """A complete file; settings/engines/example.yaml explains each key. A missing key keeps the value in the code."""

    enabled: bool = True
    order: int = 100
    delay: Annotated[float, Field(ge=0)] = 5.0
    backoff: Annotated[float, Field(ge=0)] = 300.0
    max_backoff: Annotated[float, Field(ge=0)] = 86_400.0
    pages: Annotated[int, Field(ge=1)] = 10
    languages: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = ()
    language: Annotated[str, Field(pattern=r"^([a-z]{2})?$")] = ""
    time_range: Literal["", "day", "week", "month", "year"] = ""
    proxies: str = ""
    proxy_policy: Literal["sticky", "round_robin", "least_failed"] = "sticky"
    url: Annotated[str, AfterValidator(_address)] = ""
    parameters: dict[str, Template] = {}
    body: Template = ""
    visit_first: Annotated[str, AfterValidator(_address)] = ""
    headers: dict[str, Template] = {}
    cookies: dict[str, Template] = {}
    locales: dict[str, str] = {}
    page_size: Annotated[int, Field(ge=1)] = 10
    ranges: dict[Literal["day", "week", "month", "year"], str] = {}
    html: str = ""
    list: str = ""
    fields: EngineFields = EngineFields()
    target: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = ()


def declared_engine(path: Traversable, built_in: Mapping[str, Engine]) -> tuple[Engine, bool]:
    """The engine of a file, and whether it is enabled. Raises DeclarationError with file, line and key."""
    given = Declaration(path)
    for key, hint in _RENAMED.items():
        if key in given.values and (key != "html" or isinstance(given.values[key], dict)):
            given.fail(key, hint)
    read = given.checked(EngineFile)
    name = path.name.removesuffix(".yaml")
    limits: dict[str, Any] = {key: getattr(read, key) for key in _LIMITS if key in given.values}
    if "url" in given.values:
        _check_whole(given, read)
        texts = (read.url, read.body, *read.parameters.values(), *read.headers.values(), *read.cookies.values())
        needs = tuple(dict.fromkeys(found[0] for text in texts for found in FIELD.findall(text) if found[0]))
        host = host_of(FIELD.sub("x", read.url)) if "${" not in read.url.split("/")[2] else ""
        return _engine(About(name, host, needs=needs, **limits), read), read.enabled
    if name not in built_in:
        given.fail("url", f"must be given: there is no engine {name}, only {', '.join(sorted(built_in))}")
    if foreign := [key for key in given.values if key not in ("enabled", *_LIMITS)]:
        given.fail(str(foreign[0]), "needs a url as well: it is for a new engine")
    return replace(built_in[name], about=replace(built_in[name].about, **limits)), read.enabled


def _check_whole(given: Declaration, read: EngineFile) -> None:
    if not any("{query}" in text for text in (read.url, read.body, *read.parameters.values())):
        given.fail("url", "must contain {query}, unless body or parameters do")
    if bool(read.html) == bool(read.list):
        given.fail("list" if read.list else "url", "needs html or list as well, not both: where the results are")
    if read.html and not read.fields.url:
        given.fail("fields" if "fields" in given.values else "html", "needs fields.url: the link of a result")
    named = {"html": read.html, **{f"fields.{name}": text for name, text in read.fields}} if read.html else {}
    for key, text in named.items():
        try:
            check_selector(text)
        except SelectorError as error:
            given.fail(key.partition(".")[0], f"{key}: {error}")


def _engine(about: About, read: EngineFile) -> Engine:
    visit_first = QueryRequest(read.visit_first) if read.visit_first else None

    def request(query: EngineQuery, keys: Keys) -> QueryRequest:
        values = _values(query, read)
        url, body = (filled(text, values, keys, quoted=True) for text in (read.url, read.body))
        url = query_url(url, **filled_parameters(read.parameters, values, keys))
        headers = {name: filled(text, values, keys) for name, text in read.headers.items()}
        cookies: Cookies = {name: filled(text, values, keys) for name, text in read.cookies.items()}
        if not body:
            return QueryRequest(url, headers=headers, cookies=cookies)
        return QueryRequest(url, "POST", headers=_FORM | headers, cookies=cookies, body=body)

    return Engine(about, request, _rules(read).read, is_html=bool(read.html), visit_first=visit_first)


def _rules(read: EngineFile) -> HtmlRules | JsonRules:
    found = read.fields
    if read.list:
        paths = {"url": found.url or "url", "title": found.title or "title"}
        return JsonRules(items=read.list, snippet=found.summary, date=found.time, **paths)
    words = {"title": found.title, "snippet": found.summary, "date": found.time}
    return HtmlRules(block=read.html, link=found.url, target=read.target, **words)


def _values(query: EngineQuery, read: EngineFile) -> dict[str, object]:
    """The value of each field; "" if it has none."""
    offset = read.page_size * (query.page - 1)
    codes = tuple(read.ranges.get(name, "") for name in ("day", "week", "month", "year"))
    places = (query.text, query.page, query.page - 1, offset + 1, offset, offset or "", query.days() or "")
    locale = read.locales.get(query.language, read.locales.get("other", query.language))
    times = (query.since or "", date.today() if query.since else "")
    values = (*places, query.language, locale, query.age_code(codes), *times)
    return dict(zip(_FIELDS, values, strict=True))

"""All engines by name: those in code, and those in the operator's files.

settings/engines/NAME.yaml sets other limits for an engine in code, or is a whole engine without code.
"""

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from pkgutil import iter_modules
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import AfterValidator, Field

from crawler import engines as room
from crawler.config.yaml_file import Declaration, DeclarationError
from crawler.engines.protocol.engine import About, Engine, Keys, Query, QueryRequest, Reply, key_of
from crawler.engines.protocol.rules import HtmlRules, JsonRules, Strict
from extractors.links.urls import host_of

logger = logging.getLogger(__name__)
_LIMITS = ("order", "delay", "backoff", "max_backoff", "pages", "language", "time_range", "proxies", "proxy_policy")
_FIELDS = ("query", "page", "first", "offset", "language", "range", "since")
_FIELD = re.compile(r"(?<!\$)\{([^{}]*)\}")
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}

_NOT_ENGINES = ("catalog", "declared")


def built_in() -> dict[str, Engine]:
    """The engines in code: one for each module of this room."""
    names = [module.name for module in iter_modules(room.__path__) if not module.ispkg and module.name != "catalog"]
    return {name: import_module(f"{room.__name__}.{name}").ENGINE for name in sorted(names)}


@dataclass(frozen=True, slots=True)
class Catalog:
    """Engines, and which of them the operator enabled or disabled.

    Attributes:
        engines: all of them, by name.
        on: names that a file enables; off: names that a file disables, with that file.
    """

    engines: Mapping[str, Engine]
    on: tuple[str, ...] = ()
    off: Mapping[str, str] = field(default_factory=dict)

    def chosen(self, named: Iterable[str], usual: Iterable[str]) -> dict[str, Engine]:
        """The engines named for a run, else the usual and the enabled ones without the disabled ones, sorted by `order`.

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


def read_catalog(folder: Traversable | None) -> Catalog:
    """Engines in code and in the folder's *.yaml files. Raises DeclarationError for the first invalid file."""
    own = built_in()
    engines, on, off = dict(own), [], {}
    files = sorted(folder.iterdir(), key=lambda path: path.name) if folder is not None and folder.is_dir() else []
    for path in files:
        if not path.name.endswith(".yaml"):
            continue
        engine, is_on = declared_engine(path, own)
        engines[engine.about.name] = engine
        if is_on:
            on.append(engine.about.name)
        else:
            off[engine.about.name] = str(path)
    return Catalog(engines, tuple(on), off)


def sample(engine: Engine) -> Reply:
    """A small answer in the engine's layout, to check its rules; raises FileNotFoundError if there is none."""
    name = engine.about.name
    folder = files(room) / "samples"
    found = next((each for each in folder.iterdir() if each.name in (f"{name}.html", f"{name}.json")), None)
    if found is None:
        raise FileNotFoundError(name)
    kind = "application/rss+xml" if name == "rss" else "text/html"
    return Reply(
        f"https://{engine.about.host or 'search.example'}/search", 200, found.read_bytes(), {"content-type": kind}
    )


def _template(text: str) -> str:
    if unknown := [field for field in _FIELD.findall(text) if field not in _FIELDS]:
        known = ", ".join(f"{{{field}}}" for field in _FIELDS)
        raise ValueError(f"{{{unknown[0]}}} is not known; there are {known}, and ${{NAME}} from the environment")
    return text


def _address(text: str) -> str:
    if text and (not text.startswith(("http://", "https://")) or not host_of(_FIELD.sub("x", text))):
        raise ValueError("must begin with http:// or https:// and a host")
    return _template(text)


Template = Annotated[str, AfterValidator(_template)]


class EngineFile(Strict):
    """A whole file; settings/engines/example.yaml explains each key. A missing key keeps the value in the code."""

    enabled: bool = True
    order: int = 100
    delay: Annotated[float, Field(ge=0)] = 5.0
    backoff: Annotated[float, Field(ge=0)] = 300.0
    max_backoff: Annotated[float, Field(ge=0)] = 86_400.0
    pages: Annotated[int, Field(ge=1)] = 10
    language: Annotated[str, Field(pattern=r"^([a-z]{2})?$")] = ""
    time_range: Literal["", "day", "week", "month", "year"] = ""
    proxies: str = ""
    proxy_policy: Literal["sticky", "round_robin", "least_failed"] = "sticky"
    url: Annotated[str, AfterValidator(_address)] = ""
    body: Template = ""
    warm_up: Annotated[str, AfterValidator(_address)] = ""
    headers: dict[str, Template] = {}
    page_size: Annotated[int, Field(ge=1)] = 10
    ranges: dict[Literal["day", "week", "month", "year"], str] = {}
    html_rules: Annotated[HtmlRules | None, Field(alias="html")] = None
    json_rules: Annotated[JsonRules | None, Field(alias="json")] = None


def declared_engine(path: Traversable, built_in: Mapping[str, Engine]) -> tuple[Engine, bool]:
    """The engine of a file, and whether it is enabled. Raises DeclarationError with file, line and key."""
    given = Declaration(path)
    _read_old_names(given, path)
    read = given.checked(EngineFile)
    name = path.name.removesuffix(".yaml")
    limits: dict[str, Any] = {key: getattr(read, key) for key in _LIMITS if key in given.values}
    if "url" in given.values:
        _check_whole(given, read)
        needs = tuple(dict.fromkeys(_VARIABLE.findall("\n".join((read.url, read.body, *read.headers.values())))))
        host = host_of(_FIELD.sub("x", read.url)) if "${" not in read.url.split("/")[2] else ""
        return _engine(About(name, host, needs=needs, **limits), read), read.enabled
    if name not in built_in:
        given.fail("url", f"must be given: {name} is no engine in code (there are {', '.join(sorted(built_in))})")
    if foreign := [key for key in given.values if key not in ("enabled", *_LIMITS)]:
        given.fail(str(foreign[0]), "needs a url as well: it is for an engine without code")
    return replace(built_in[name], about=replace(built_in[name].about, **limits)), read.enabled


def _read_old_names(given: Declaration, path: Traversable) -> None:
    """Keys by the names of version 0.1, with a line in the log."""
    for old, new in (("rest", "backoff"), ("max_rest", "max_backoff")):
        if old in given.values and new not in given.values:
            logger.warning("%s: %s is now called %s; the old name will not be read for long", path, old, new)
            given.rename(old, new)


def _check_whole(given: Declaration, read: EngineFile) -> None:
    if "{query}" not in read.url + read.body:
        given.fail("url", "must contain {query}, unless body does")
    if (read.html_rules is None) == (read.json_rules is None):
        given.fail("json" if read.json_rules else "url", "needs html or json rules as well, not both")


def _engine(about: About, read: EngineFile) -> Engine:
    warm_up = QueryRequest(read.warm_up) if read.warm_up else None

    def request(query: Query, keys: Keys) -> QueryRequest:
        """Fill the templates."""
        values = _values(query, read)
        url, body = (_filled(text, values, keys, quoted=True) for text in (read.url, read.body))
        headers = {name: _filled(text, values, keys, quoted=False) for name, text in read.headers.items()}
        if not body:
            return QueryRequest(url, headers=headers)
        return QueryRequest(url, "POST", headers=_FORM | headers, body=body)

    if read.json_rules is not None:
        return Engine(about, request, read.json_rules.read, is_html=False, warm_up=warm_up)
    assert read.html_rules is not None
    return Engine(about, request, read.html_rules.read, warm_up=warm_up)


def _values(query: Query, read: EngineFile) -> dict[str, str]:
    offset = read.page_size * (query.page - 1)
    codes = tuple(read.ranges.get(name, "") for name in ("day", "week", "month", "year"))
    since = query.since.isoformat() if query.since else ""
    values = (query.text, query.page, offset + 1, offset, query.language, query.age_code(codes), since)
    return {name: str(value) for name, value in zip(_FIELDS, values, strict=True)}


def _filled(text: str, values: Mapping[str, str], keys: Keys, *, quoted: bool) -> str:
    """The text with its fields replaced; raises KeyMissingError for an unset variable."""
    with_keys = _VARIABLE.sub(lambda found: key_of(keys, found[1]).replace("{", "%7B"), text)
    return _FIELD.sub(lambda found: quote(values[found[1]]) if quoted else values[found[1]], with_keys)

"""What an operator writes in settings/engines/NAME.yaml: manners of an engine in code, or an engine without code."""

import re
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources.abc import Traversable
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from crawler.config.yaml_file import Declaration
from crawler.engines.answers.html_rules import HtmlRules, check_selector, read_html
from crawler.engines.answers.json_rules import JsonRules, read_json
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result, key_of
from extractors.links.urls import host_of

_MANNERS = ("order", "delay", "rest", "max_rest", "pages", "language", "time_range", "proxies", "proxy_policy")
_PLACES = ("query", "page", "first", "offset", "language", "range", "since")
_PLACE = re.compile(r"(?<!\$)\{([^{}]*)\}")
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def _template(text: str) -> str:
    if unknown := [place for place in _PLACE.findall(text) if place not in _PLACES]:
        places = ", ".join(f"{{{place}}}" for place in _PLACES)
        raise ValueError(f"{{{unknown[0]}}} is not known; there are {places}, and ${{NAME}} from the environment")
    return text


def _address(text: str) -> str:
    if text and (not text.startswith(("http://", "https://")) or not host_of(_PLACE.sub("x", text))):
        raise ValueError("must begin with http:// or https:// and a host")
    return _template(text)


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Selector = Annotated[str, AfterValidator(check_selector)]
Template = Annotated[str, AfterValidator(_template)]


class HtmlKeys(_Strict):
    """See HtmlRules."""

    block: Annotated[Selector, Field(min_length=1)]
    link: Annotated[Selector, Field(min_length=1)]
    title: Selector = ""
    snippet: Selector = ""
    date: Selector = ""
    target: Annotated[list[str], BeforeValidator(_listed)] = []


class JsonKeys(_Strict):
    """See JsonRules."""

    items: str
    url: str = "url"
    title: str = "title"
    snippet: str = ""
    date: str = ""


class EngineFile(_Strict):
    """A whole file; docs/metasearch.md explains each key. What is left out is as in the code."""

    enabled: bool = True
    order: int = 100
    delay: Annotated[float, Field(ge=0)] = 5.0
    rest: Annotated[float, Field(ge=0)] = 300.0
    max_rest: Annotated[float, Field(ge=0)] = 86_400.0
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
    html_rules: Annotated[HtmlKeys | None, Field(alias="html")] = None
    json_rules: Annotated[JsonKeys | None, Field(alias="json")] = None


def declared_engine(path: Traversable, built_in: Mapping[str, Engine]) -> tuple[Engine, bool]:
    """The engine of a file, and whether it is switched on. Raises DeclarationError with file, line and key."""
    given = Declaration(path)
    read = given.checked(EngineFile)
    name = path.name.removesuffix(".yaml")
    manners: dict[str, Any] = {key: getattr(read, key) for key in _MANNERS if key in given.values}
    if "url" in given.values:
        _check_whole(given, read)
        needs = tuple(dict.fromkeys(_VARIABLE.findall("\n".join((read.url, read.body, *read.headers.values())))))
        host = host_of(_PLACE.sub("x", read.url)) if "${" not in read.url.split("/")[2] else ""
        return _engine(About(name, host, needs=needs, **manners), read), read.enabled
    if name not in built_in:
        given.fail("url", f"must be given: {name} is no engine in code (there are {', '.join(sorted(built_in))})")
    if alien := [key for key in given.values if key not in ("enabled", *_MANNERS)]:
        given.fail(str(alien[0]), "needs a url beside it: it is for an engine without code")
    return replace(built_in[name], about=replace(built_in[name].about, **manners)), read.enabled


def _check_whole(given: Declaration, read: EngineFile) -> None:
    if "{query}" not in read.url + read.body:
        given.fail("url", "must hold {query}, unless body does")
    if (read.html_rules is None) == (read.json_rules is None):
        given.fail("json" if read.json_rules else "url", "needs either html or json rules beside it")


def _engine(about: About, read: EngineFile) -> Engine:
    warm_up = Asking(read.warm_up) if read.warm_up else None

    def request(query: Query, keys: Mapping[str, str]) -> Asking:
        """Fill the template."""
        values = _values(query, read)
        url, body = (_filled(text, values, keys, quoted=True) for text in (read.url, read.body))
        headers = {name: _filled(text, values, keys, quoted=False) for name, text in read.headers.items()}
        if not body:
            return Asking(url, headers=headers)
        return Asking(url, "POST", headers=_FORM | headers, body=body)

    if read.json_rules is not None:
        json_rules = JsonRules(**read.json_rules.model_dump())
        return Engine(about, request, lambda reply: read_json(json_rules, reply), is_html=False, warm_up=warm_up)
    assert read.html_rules is not None
    html_rules = HtmlRules(**{**read.html_rules.model_dump(), "target": tuple(read.html_rules.target)})

    def results(reply: Reply) -> list[Result]:
        """By the rules."""
        return read_html(html_rules, reply)

    return Engine(about, request, results, warm_up=warm_up)


def _values(query: Query, read: EngineFile) -> dict[str, str]:
    offset = read.page_size * (query.page - 1)
    codes = tuple(read.ranges.get(name, "") for name in ("day", "week", "month", "year"))
    since = query.since.isoformat() if query.since else ""
    values = (query.text, query.page, offset + 1, offset, query.language, query.age_code(codes), since)
    return {name: str(value) for name, value in zip(_PLACES, values, strict=True)}


def _filled(text: str, values: Mapping[str, str], keys: Mapping[str, str], *, quoted: bool) -> str:
    """Raises KeyMissingError for a variable that the environment does not have."""
    with_keys = _VARIABLE.sub(lambda found: key_of(keys, found[1]).replace("{", "%7B"), text)
    return _PLACE.sub(lambda found: quote(values[found[1]]) if quoted else values[found[1]], with_keys)

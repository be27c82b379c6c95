"""A source as its file describes it: settings/sources/NAME.yaml, explained in docs/sources.md."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from crawler.config.yaml_file import Declaration, Strict, TimeZone
from crawler.sources.templates import FIELD, check_address
from extractors.feeds import ListRecipe, SelectorError, check_selector

DATES, COUNTERS = ("date", "today", "yesterday"), ("page", "index", "first", "offset", "next")
"""Fields of an address besides those of `with`: days, and what tells the pages of a list apart."""
_SPAN = re.compile(r"(\d{1,6})\s?([smhd])")
_SECONDS = {"s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_MAX_ADDRESSES = 1_000
_TEXT_KEYS = ("list", "json_in", "html", "xml", "url_template", "zone", "time_format", "next", "body_of")


def _span(text: Any) -> Any:
    """Seconds of "10m", "2h" or "1d"; a number is one of seconds."""
    if isinstance(text, int | float) and not isinstance(text, bool) and text >= 0:
        return float(text)
    found = _SPAN.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError("must be a time like 10m, 2h or 1d")
    return float(found[1]) * _SECONDS[found[2]]


def _web_address(text: str) -> str:
    check_address(text)
    return text


def _texts(value: Any) -> Any:
    """Values of an address as texts; YAML reads some of them as numbers."""
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str | int | float) and not isinstance(each, bool) for each in values):
        raise ValueError("must be a list of values")
    return tuple(str(each) for each in values)


class SourceTest(Strict):
    """A saved answer, and what is read from it."""

    answer: str
    items: Annotated[int, Field(ge=0)] = 0
    first: dict[Literal["url", "title", "time", "author", "summary", "rank", "heat"], str | int | float] = {}
    url: str = ""
    date: str = ""


class SourceFile(Strict):
    """A complete file."""

    url: Annotated[str, Field(min_length=1), AfterValidator(_web_address)]
    with_values: Annotated[dict[str, Annotated[tuple[str, ...], BeforeValidator(_texts)]], Field(alias="with")] = {}
    parameters: dict[str, str] = {}
    headers: dict[str, str] = {}
    body: str = ""
    every: Annotated[float, BeforeValidator(_span)] = 0.0
    list: str = ""
    json_in: str = ""
    html: str = ""
    xml: str = ""
    fields: dict[Literal["url", "title", "time", "author", "summary", "rank", "heat"], str] = {}
    url_template: str = ""
    zone: TimeZone | Literal[""] = ""
    time_format: str = ""
    next: str = ""
    pages: Annotated[int, Field(ge=1, le=1_000)] = 5
    page_size: Annotated[int, Field(ge=1)] = 20
    visit_first: Annotated[str, AfterValidator(_web_address)] = ""
    body_of: str = ""
    kind: Literal["list", "hot_list"] = "list"
    language: str = ""
    test: SourceTest | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A source with its recipe.

    Attributes:
        url, parameters, headers, body: templates of its request, see `crawler.sources.templates`.
        values: the values of each field of its address that is a list. every: seconds between two visits at most, 0: no bound.
        pages: of one reading at most. page_size: what {offset} and {first} grow by.
        visit_first: a page whose cookies are sent, "" for none.
        is_hot: it is a hot list, whose ranks are kept.
        path: of its file. test: its saved answer.
    """

    name: str
    url: str
    recipe: ListRecipe
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    every: float = 0.0
    pages: int = 5
    page_size: int = 20
    visit_first: str = ""
    is_hot: bool = False
    path: Traversable | None = None
    test: SourceTest | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The templates of its request."""
        return (self.url, self.body, *self.parameters.values(), *self.headers.values())


def declared_source(path: Traversable) -> Source:
    """The source of a file. Raises DeclarationError with file, line and key."""
    given = Declaration(path)
    read = given.checked(SourceFile)
    _check_shape(given, read)
    _check_fields(given, read)
    recipe = ListRecipe(
        fields={str(name): path for name, path in read.fields.items()},
        **{key: getattr(read, key) for key in _TEXT_KEYS},
    )
    return Source(
        path.name.removesuffix(".yaml"),
        read.url,
        recipe,
        read.with_values,
        read.parameters,
        read.headers,
        read.body,
        read.every,
        read.pages,
        read.page_size,
        read.visit_first,
        read.kind == "hot_list",
        path,
        read.test,
    )


def _check_shape(given: Declaration, read: SourceFile) -> None:
    """Fail unless the file says where the items and their addresses are."""
    shapes = [key for key in ("list", "json_in", "html", "xml") if getattr(read, key)]
    if not shapes and not read.fields:
        given.fail(
            "url", "needs one of list, json_in, html and xml as well: where the items are; list: feed for a feed"
        )
    if (len(set(shapes) - {"json_in"}) > 1 and set(shapes) != {"list", "html"}) or (
        read.json_in and (read.html or read.xml)
    ):
        given.fail(shapes[-1], f"cannot stand beside {shapes[0]}: the items are at one place")
    if read.html or read.xml:
        selectors = {"html": read.html, "xml": read.xml, "next": read.next, "body_of": read.body_of}
        _check_selectors(given, {**selectors, **{f"fields.{name}": text for name, text in read.fields.items()}})
    elif read.list != "feed":
        if "url" not in read.fields and not read.url_template:
            given.fail("fields", "needs url, unless there is a url_template")
        if "title" not in read.fields and not read.body_of:
            given.fail("fields", "needs title, unless there is body_of")


def _check_selectors(given: Declaration, selectors: Mapping[str, str]) -> None:
    for key, text in selectors.items():
        whole = text.startswith(("/", "./", ".//"))
        for each in [text] if whole else text.split(" | "):
            if each.strip() and each.strip() != "$index":
                try:
                    check_selector(each.strip())
                except SelectorError as error:
                    given.fail(key, str(error))


def _check_fields(given: Declaration, read: SourceFile) -> None:
    """Fail for a field in braces that is not known, and for too many addresses."""
    known = (*DATES, *COUNTERS, *read.with_values)
    for key, text in (
        ("url", read.url),
        ("body", read.body),
        *(("parameters", each) for each in read.parameters.values()),
    ):
        if key == "body" and text.startswith("{"):
            continue
        for environment, name, form in FIELD.findall(text):
            if not environment and (name not in known or (form and name not in DATES)):
                given.fail(key, f"{{{name}}} is not known; there are {', '.join(f'{{{each}}}' for each in known)}")
    count = 1
    for values in read.with_values.values():
        count *= max(1, len(values))
    if count > _MAX_ADDRESSES:
        given.fail("with", f"makes {count:,} addresses; at most {_MAX_ADDRESSES:,} are visited")

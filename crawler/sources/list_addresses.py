"""The addresses of a source: one for each combination of its values, of its days and of its pages."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import product
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from w3lib.url import add_or_replace_parameters

from crawler.sources.source_file import COUNTERS, DATES, Source
from crawler.sources.templates import FIELD, filled, filled_parameters
from extractors.links.urls import canonical_url, resolve_url

_COUNTED = frozenset(("page", "index", "first", "offset"))


@dataclass(frozen=True, slots=True)
class ListAddress:
    """One page of a source.

    Attributes:
        values: of the fields of `with`. page: from 1. cursor: what the page before says, "" on the first.
    """

    source: Source
    url: str
    values: Mapping[str, str]
    page: int = 1
    cursor: str = ""
    body: str = ""

    def headers(self) -> dict[str, str]:
        """Raises KeyMissingError for an unset variable."""
        return {name: filled(text, {}, os.environ) for name, text in self.source.headers.items()}

    def further(self, said: str, answered: str, now: datetime, *, has_items: bool) -> "ListAddress | None":
        """The next page; None if there is none, or the source's bound is reached.

        said: the next page's address or cursor, see `Feed.further`; answered: the address of this answer.
        """
        source = self.source
        if self.page >= source.pages or (source.recipe.next and not said):
            return None
        if said.startswith(("http://", "https://", "/", "?")) and "next" not in _names(source):
            url = resolve_url(answered, said)
            return replace(self, url=url, page=self.page + 1, cursor=said) if url else None
        if "next" in _names(source) if said else _COUNTED & _names(source) and has_items:
            return _address(source, self.values, now, self.page + 1, said)
        return _address(source, self.values, now, self.page + 1, said) if said and _COUNTED & _names(source) else None


def first_addresses(source: Source, now: datetime) -> Iterator[ListAddress]:
    """The first pages of a source at this moment (aware). Raises KeyMissingError for an unset variable."""
    for values in product(*source.values.values()):
        yield _address(source, dict(zip(source.values, values, strict=True)), now)


def _names(source: Source) -> set[str]:
    return {name for text in source.texts for environment, name, _ in FIELD.findall(text) if not environment}


def _address(source: Source, values: Mapping[str, str], now: datetime, page: int = 1, cursor: str = "") -> ListAddress:
    fields = _fields(source, values, now, page, cursor)
    url = filled(source.url, fields, os.environ, quoted=True)
    if parameters := filled_parameters(source.parameters, fields, os.environ):
        url = add_or_replace_parameters(url, parameters)
    body = _filled_body(source.body, fields)
    return ListAddress(source, url, values, page, cursor, body)


def _filled_body(text: str, fields: Mapping[str, object]) -> str:
    """A body with the known fields replaced; the braces of JSON stay."""
    return re.sub(r"\{(\w+)\}", lambda found: str(fields.get(found[1], found[0])), text)


def _fields(source: Source, values: Mapping[str, str], now: datetime, page: int, cursor: str) -> dict[str, object]:
    local = now.astimezone(ZoneInfo(source.recipe.zone)) if source.recipe.zone else now
    offset = source.page_size * (page - 1)
    counted = zip(COUNTERS, (page, page - 1, offset + 1, offset, cursor), strict=True)
    days = zip(DATES, (local.date(), local.date(), local.date() - timedelta(days=1)), strict=True)
    return {**values, **dict(counted), **dict(days)}


class AddressPattern:
    """Tells which addresses are those of a source.

    Args:
        source: whose address, with its parameters, is the pattern.
    """

    def __init__(self, source: Source) -> None:
        self._source = source

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """The canonical address with a group for each field; a marker takes a field's place while it is made."""
        names: list[str] = []

        def marker(found: re.Match[str]) -> str:
            names.append(found[2] or "")
            return f"zqx{len(names) - 1}xqz"

        source = self._source
        text = FIELD.sub(marker, source.url)
        if source.parameters:
            text = add_or_replace_parameters(
                text, {key: FIELD.sub(marker, each) for key, each in source.parameters.items()}
            )
        escaped = re.escape(canonical_url(text))
        return re.compile(re.sub(r"zqx(\d+)xqz", lambda found: self._group(names, int(found[1])), escaped))

    def _group(self, names: list[str], number: int) -> str:
        name = names[number]
        values = self._source.values.get(name)
        inner = "|".join(map(re.escape, values)) if values else r"[^?#]*?" if name in DATES else r"[^/?&#]*?"
        return f"(?P<{name}>{inner})" if values and names.index(name) == number else f"(?:{inner})"

    @property
    def length(self) -> int:
        """Characters outside fields: the longer, the more specific."""
        return len(FIELD.sub("", self._source.url))

    def match(self, url: str) -> Mapping[str, str] | None:
        """The values of the fields of `with` in an address of the source; None for any other address."""
        found = self._pattern.fullmatch(canonical_url(url) or url)
        return None if found is None else {name: unquote(value) for name, value in found.groupdict().items()}

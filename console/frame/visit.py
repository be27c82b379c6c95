"""One request as pages see it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from console.access.people import Person
from console.frame.desk import Desk
from console.frame.words import Words


@dataclass(frozen=True, slots=True)
class Visit:
    """Who asks for what.

    Attributes:
        params: filters of the address, checked; those that are not given are missing.
        place: the parts of the path, such as `key`.
        path: of the page, without the prefix.
        address: the network address of the reader, for the audit.
        cookie: the value that the token of forms belongs to.
    """

    desk: Desk
    person: Person
    words: Words
    zone: ZoneInfo
    now: datetime
    path: str
    address: str = ""
    cookie: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    place: Mapping[str, str] = field(default_factory=dict)

    def url(self, path: str, **params: Any) -> str:
        """The address of a page of the console; parameters without a value are left out."""
        given = {name: _text(value) for name, value in params.items() if value not in (None, "", False)}
        return f"{self.desk.config.prefix}{path}" + (f"?{urlencode(given)}" if given else "")

    def here(self, **changes: Any) -> str:
        """This page's address with other parameters; `after` is dropped unless it is given: other rows have other places."""
        return self.url(self.path, **{**self.params, "after": None, **changes})


def _text(value: Any) -> str:
    return "1" if value is True else str(value)

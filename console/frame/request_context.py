"""The context of one request, as passed to pages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from console.access.people import Person
from console.frame.app_context import AppContext
from console.frame.word_catalogue import Words


@dataclass(frozen=True, slots=True)
class RequestContext:
    """The person, language, time zone and parameters of a request.

    Attributes:
        params: validated query parameters; absent ones are missing.
        place: path parameters, such as `key`.
        path: path of the page, without the prefix.
        address: the client's IP address, for the audit log.
        cookie: the cookie value that the form token is derived from.
    """

    app: AppContext
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
        """The URL of a console page; empty parameters are omitted."""
        given = {name: _text(value) for name, value in params.items() if value not in (None, "", False)}
        return f"{self.app.config.prefix}{path}" + (f"?{urlencode(given)}" if given else "")

    def here(self, **changes: Any) -> str:
        """This page's URL with changed parameters; `after` is dropped unless given, as a cursor fits only its own rows."""
        return self.url(self.path, **{**self.params, "after": None, **changes})


def _text(value: Any) -> str:
    return "1" if value is True else str(value)

"""Page declarations: path, filters, data and actions. The JSON API and its OpenAPI document are derived from them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from starlette.responses import Response

from console.access.people import Role
from console.frame.app_context import AppContext
from console.frame.request_context import RequestContext
from pipelines.stores.base import Column, MutableRow, Row

MenuGroup = Literal["look", "collect", "manage", ""]
ParamKind = Literal["text", "lines", "count", "number", "date", "flag", "choice", "words"]


@dataclass(frozen=True, slots=True)
class Param:
    """A query parameter or a form field.

    Attributes:
        kind: count is a whole number from 0, number a fraction, date `2026-11-22`, flag is `1` or nothing, words are texts with spaces
            between, which an address may also give one by one; lines are a long text.
        choices: the words that a choice may have.
        says: English description for the API document.
    """

    name: str
    kind: ParamKind = "text"
    choices: tuple[str, ...] = ()
    says: str = ""
    required: bool = False


AFTER = Param("after", says="from the answer before")


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """The outcome of an action.

    Attributes:
        subject: what it is about: an address, a host, a term.
        facts: the changes, for the sentence `PAGE.done.ACTION` and for the undo. Plain JSON values.
        back: path of the page to return to; "" is the page with the form.
        secret: shown once and never stored.
        shown: data that the page shows in place of its own, of an action that is a view.
    """

    subject: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    back: str = ""
    secret: str = ""
    shown: Mapping[str, Any] = field(default_factory=dict)


class ActionRefusedError(Exception):
    """The action cannot be carried out; nothing was changed.

    `key` is that of the sentence, `values` fill it. `status` is 409 if a concurrent change came first.
    """

    def __init__(self, key: str, status: int = 409, **values: Any) -> None:
        super().__init__(key)
        self.key = key
        self.status = status
        self.values = values


@dataclass(frozen=True, slots=True)
class Action:
    """An action of a page: a form posted to PATH/NAME.

    Attributes:
        do: carries it out; may raise ActionRefusedError.
        undo: reverts a row of `decisions`; may raise ActionRefusedError. None if it cannot be undone.
        fields: of the form.
        is_view: it changes nothing; its outcome has the data to be shown.
    """

    name: str
    do: Callable[[RequestContext, Mapping[str, Any]], ActionOutcome]
    role: Role = Role.ANALYST
    fields: tuple[Param, ...] = ()
    undo: Callable[[RequestContext, Row], None] | None = None
    is_view: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """Export of every row that passes the page's filters, read by key in parts."""

    columns: Sequence[Column]
    rows: Callable[[RequestContext], Iterator[MutableRow]]


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A row as an entry of a feed: `path` of its page, `at` when it came, `address` of the original, `source` its site."""

    path: str
    title: str
    at: str
    text: str = ""
    address: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class ListFeed:
    """How the rows of a list become a feed; `defaults` are filters that it has unless others are given."""

    entry: Callable[[Row], ListEntry]
    defaults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConsolePage:
    """A page and its twin under /api.

    Attributes:
        name: of its template `NAME.html` and its words `NAME.yaml`.
        path: `/sites` or `/articles/{key}`.
        view: the data of the page, as plain JSON values; None if there is no such thing.
        params: its filters.
        role: who may see it.
        group: section of the navigation, "" for none.
        waits: number of pending decisions, at most 100; must be cheap.
        files: further answers, by path: downloads. Few are made at once.
        is_costly: few are made at once.
        feed: for lists that people may read as a web feed.
    """

    name: str
    path: str
    view: Callable[[RequestContext], Mapping[str, Any] | None]
    params: tuple[Param, ...] = ()
    role: Role = Role.VIEWER
    group: MenuGroup = ""
    actions: tuple[Action, ...] = ()
    export: Export | None = None
    waits: Callable[[AppContext], int] | None = None
    files: Mapping[str, Callable[[RequestContext], Response]] = field(default_factory=dict)
    is_costly: bool = False
    feed: ListFeed | None = None

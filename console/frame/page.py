"""How a page is declared: its address, its filters, its data, its decisions. The JSON API and its document follow from this."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from starlette.responses import Response

from console.access.people import Role
from console.frame.app_context import AppContext
from console.frame.request_context import RequestContext
from pipelines.stores.base import Column, MutableRow, Row

MenuGroup = Literal["look", "collect", "manage", ""]
ParamKind = Literal["text", "count", "number", "date", "flag", "choice", "words"]


@dataclass(frozen=True, slots=True)
class Param:
    """A filter in the address, or a field of a form.

    Attributes:
        kind: count is a whole number from 0, number a fraction, date `2026-11-22`, flag is `1` or nothing, words are texts with spaces
            between, which an address may also give one by one.
        choices: the words that a choice may have.
        says: for readers of the API, in English.
    """

    name: str
    kind: ParamKind = "text"
    choices: tuple[str, ...] = ()
    says: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """What a decision did.

    Attributes:
        subject: what it is about: an address, a host, a term.
        facts: what changed: for the sentence `PAGE.done.ACTION` that people read afterwards, and for the undo. Plain JSON values.
        back: path of the page to return to; "" is the page with the form.
        secret: shown once, and stored nowhere.
    """

    subject: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    back: str = ""
    secret: str = ""


class ActionRefusedError(Exception):
    """A decision that cannot be carried out; nothing was changed.

    `key` is that of the sentence, `values` fill it. `status` is 409 if somebody else was faster.
    """

    def __init__(self, key: str, status: int = 409, **values: Any) -> None:
        super().__init__(key)
        self.key = key
        self.status = status
        self.values = values


@dataclass(frozen=True, slots=True)
class Action:
    """A decision that the page offers: a form posted to PATH/NAME.

    Attributes:
        do: carries it out; may raise RefusedError.
        undo: takes back what the row of `decisions` says; may raise RefusedError. None where nothing can be taken back.
        fields: of the form.
    """

    name: str
    do: Callable[[RequestContext, Mapping[str, Any]], ActionOutcome]
    role: Role = Role.ANALYST
    fields: tuple[Param, ...] = ()
    undo: Callable[[RequestContext, Row], None] | None = None


@dataclass(frozen=True, slots=True)
class Export:
    """Every row that the filters of the page let through, read by key in parts."""

    columns: Sequence[Column]
    rows: Callable[[RequestContext], Iterator[MutableRow]]


@dataclass(frozen=True, slots=True)
class ConsolePage:
    """A page and its twin under /api.

    Attributes:
        name: of its template `NAME.html` and its words `NAME.yaml`.
        path: `/sites` or `/articles/{key}`.
        view: the data of the page, as plain JSON values; None if there is no such thing.
        params: its filters.
        role: who may see it.
        group: in which part of the list of pages it is, "" if in none.
        waits: how many things wait for a decision there; cheap, at most 100.
        files: further answers, by path: downloads.
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

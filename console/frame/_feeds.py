"""Lists as web feeds, Atom and JSON Feed, for whoever has the address that a person made; the token in it opens that list alone."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring
from zoneinfo import ZoneInfo

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from console.access.people import Person, Role
from console.access.throttle import Throttle
from console.frame.app_context import AppContext
from console.frame.page import ConsolePage, ListEntry
from console.frame.params import ParamError, read_params
from console.frame.request_context import RequestContext
from console.frame.safety import is_direct_and_local, reader_address
from console.frame.word_catalogue import Words, wished

KINDS = {"atom": "application/atom+xml; charset=utf-8", "json": "application/feed+json"}
_ATOM = "http://www.w3.org/2005/Atom"
_TRIES, _ADDRESS_TRIES, _FEED_TRIES = 20, 300, 60
"""Answers in five minutes: of one feed to one address, of wrong or new feeds to one address, and of one feed."""
_MAX_TEXT_CHARS = 1_000
_UNKNOWN = datetime.fromtimestamp(0, UTC)


def feed_throttle(app_context: AppContext) -> Throttle:
    return Throttle(app_context.throttle.clock, _TRIES, _ADDRESS_TRIES, _FEED_TRIES, "readings of feeds")


def answer(request: Request, app_context: AppContext, pages: Iterable[ConsolePage], throttle: Throttle) -> Response:
    """A feed, 304 if the reader has it; 404 for an unknown or revoked token, 429 with a wait for one that is read too often."""
    token, _, kind = request.path_params["name"].rpartition(".")
    wait = throttle.admit(
        hashlib.sha256(token.encode("utf-8", "replace")).hexdigest(), reader_address(request, app_context.config)
    )
    if wait > 0:
        return PlainTextResponse("This feed is read too often.\n", 429, {"Retry-After": str(int(wait) + 1)})
    row = app_context.sessions.feed(token) if kind in KINDS else None
    person = _person(request, app_context, row) if row else None
    page = next((page for page in pages if row and page.feed and page.name == row["feed"].get("page")), None)
    if row is None or person is None or page is None or not person.may(page.role):
        raise HTTPException(404)
    ctx = _context(request, app_context, person, page, row["feed"])
    return _conditional(request, _ATOM_OR_JSON[kind](ctx, page, row), KINDS[kind])


def _person(request: Request, app_context: AppContext, row: Mapping[str, Any]) -> Person | None:
    """The owner of a feed, if the account is still active; on a console without accounts, anyone on this machine."""
    account = app_context.people.get(row["user"])
    if account:
        return Person(account["name"], Role.named(account["role"]), True, False)
    is_open = row["user"] == "local" and is_direct_and_local(request) and not app_context.people.any()
    return Person("local", Role.VIEWER, True, False) if is_open else None


def _context(
    request: Request, app_context: AppContext, person: Person, page: ConsolePage, feed: Mapping[str, Any]
) -> RequestContext:
    given = {**(page.feed.defaults if page.feed else {}), **feed.get("params", {})}
    try:
        params = read_params(page.params, given)
    except ParamError as error:
        raise HTTPException(404, str(error)) from None
    words = Words(wished(feed.get("language", "")))
    return RequestContext(
        app_context, person, words, ZoneInfo(feed.get("zone") or app_context.config.zone), app_context.now(), page.path,
        reader_address(request, app_context.config), params=params,
    )  # fmt: skip


def _conditional(request: Request, body: bytes, kind: str) -> Response:
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, max-age=300"}
    known = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
    return (
        Response(status_code=304, headers=headers) if tag in known else Response(body, media_type=kind, headers=headers)
    )


def _entries(ctx: RequestContext, page: ConsolePage) -> Sequence[ListEntry]:
    data = page.view(ctx) or {}
    return [page.feed.entry(row) for row in data.get("rows", ())] if page.feed else []


def _title(ctx: RequestContext, page: ConsolePage, row: Mapping[str, Any]) -> str:
    return f"{row['label'] or ctx.words(f'{page.name}.nav')} · topicrawl"


def _address(ctx: RequestContext, path: str, **params: Any) -> str:
    config = ctx.app.config
    return f"{config.address.rstrip('/').removesuffix(config.prefix)}{ctx.url(path, **params)}"


def _at(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return _UNKNOWN
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _plain(text: str) -> str:
    """The printable characters of a text, at most a bounded number."""
    return "".join(char for char in text[:_MAX_TEXT_CHARS] if char.isprintable())


def _atom(ctx: RequestContext, page: ConsolePage, row: Mapping[str, Any]) -> bytes:
    entries, home = _entries(ctx, page), _address(ctx, page.path, **ctx.params)
    root = Element("feed", {"xmlns": _ATOM, "xml:lang": ctx.words.tag})
    _texts(root, {"title": _plain(_title(ctx, page, row)), "id": f"urn:topicrawl:feed:{row['key'][:16]}"})
    _texts(root, {"updated": max((_at(each.at) for each in entries), default=_UNKNOWN).isoformat()})
    SubElement(root, "link", rel="alternate", href=home)
    for each in entries:
        entry, own = SubElement(root, "entry"), _address(ctx, each.path)
        SubElement(SubElement(entry, "author"), "name").text = _plain(each.source) or "topicrawl"
        _texts(
            entry,
            {"title": _plain(each.title), "id": own, "updated": _at(each.at).isoformat(), "summary": _plain(each.text)},
        )
        SubElement(entry, "link", rel="alternate", href=own)
        if each.address.startswith(("http://", "https://")):
            SubElement(entry, "link", rel="related", href=_plain(each.address))
    made: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return made


def _texts(parent: Element, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        SubElement(parent, name).text = text


def _json(ctx: RequestContext, page: ConsolePage, row: Mapping[str, Any]) -> bytes:
    items = [
        {
            "id": _address(ctx, each.path), "url": _address(ctx, each.path), "external_url": each.address, "title": _plain(each.title),
            "content_text": _plain(each.text), "date_published": _at(each.at).isoformat(), "authors": [{"name": _plain(each.source)}],
        }
        for each in _entries(ctx, page)
    ]  # fmt: skip
    home = _address(ctx, page.path, **ctx.params)
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": _title(ctx, page, row),
        "home_page_url": home,
        "items": items,
    }
    return json.dumps(feed, ensure_ascii=False).encode()


_ATOM_OR_JSON = {"atom": _atom, "json": _json}

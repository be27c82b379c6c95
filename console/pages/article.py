"""One article: its content, relevance and origin, and the page as fetched."""

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from console.access.people import Role
from console.frame.decisions import note_audit
from console.frame.page import ConsolePage, Param
from console.frame.paging import cursor_of
from console.frame.request_context import RequestContext
from console.frame.safety import SANDBOX
from console.queries.article import article, as_tree, charset, records, source, story, versions
from console.queries.articles import event_of
from console.queries.inert_page import inert_apart
from extractors.apart import ApartError

_MAX_BODY_CHARS, _MAX_BODY_LINES = 100_000, 3_000
_MAX_POST_CHARS, _MAX_POST_LINES = 10_000, 200
_MAX_TITLE_CHARS = 1_000


def _view(ctx: RequestContext) -> Mapping[str, Any] | None:
    store, key = ctx.app.store, ctx.place["key"]
    row = article(store, key)
    if row is None:
        return None
    after = cursor_of(ctx.params, 3)
    found = records(store, key, after)
    is_named = bool(ctx.params.get("names")) and ctx.person.may(Role.ANALYST)
    if is_named and (found.rows or row["kind"] == "thread"):
        note_audit(store, ctx.now, ctx.person.name, "saw_names", row["url"])
    body = _beginning(row["body"], _MAX_BODY_CHARS, _MAX_BODY_LINES)
    row |= {
        "is_long": body != (row["body"] or ""),
        "body": body,
        "title": _beginning(row["title"], _MAX_TITLE_CHARS, 1),
    }
    row["author"] = row["author"] and row["author"][:_MAX_TITLE_CHARS]
    row["relevance_reason"] = _beginning(row["relevance_reason"], _MAX_POST_CHARS, 1)
    for post in found.rows:
        for name in ("text", "quote"):
            post[name] = _beginning(post[name], _MAX_POST_CHARS, _MAX_POST_LINES, "…")
    return {
        "article": row if is_named else ctx.app.names.page(row),
        "records": as_tree(found.rows if is_named else list(map(ctx.app.names.post, found.rows))),
        "is_named": is_named,
        "has_source": ctx.person.may(Role.ANALYST),
        "shown": len(found.rows),
        "part": {"after": found.after, "looked": found.looked, "is_cut": False},
        "story": story(store, key),
        "event": event_of(store, key),
        "versions": versions(store, key),
        "words": _words(row["relevance_reason"] or ""),
    }


def _beginning(text: str | None, chars: int, lines: int, cut: str = "") -> str:
    """The beginning of a text, of a length that costs little to show, with a mark where it is cut."""
    whole = text or ""
    found = "\n".join(whole[:chars].split("\n", lines)[:lines])
    return found if found == whole else found + cut


def _words(reason: str) -> list[str]:
    """The terms that a reason of relevance names: `0.93: 首付×3* 房贷×1`."""
    return [word for word, cross, _ in (each.rpartition("×") for each in reason.partition(": ")[2].split()) if cross]


def _download(ctx: RequestContext) -> Response:
    """The bytes as fetched, never shown by the browser."""
    headers = {"Content-Disposition": 'attachment; filename="page.html"'}
    return Response(_source(ctx), media_type="application/octet-stream", headers=headers)


def _as_fetched(ctx: RequestContext) -> Response:
    try:
        body = inert_apart(_source(ctx), _encoding(charset(ctx.app.store, ctx.place["key"])))
    except ApartError as error:
        raise HTTPException(413, str(error)) from error
    return Response(body, media_type="text/html; charset=utf-8", headers={"Content-Security-Policy": SANDBOX})


def _source(ctx: RequestContext) -> bytes:
    """The stored bytes, which name people: for analysts, and noted. Raises HTTPException."""
    if not ctx.person.may(Role.ANALYST):
        raise HTTPException(403)
    body = source(ctx.app.store, ctx.place["key"])
    if body is None:
        raise HTTPException(404)
    row = article(ctx.app.store, ctx.place["key"]) or {}
    note_audit(ctx.app.store, ctx.now, ctx.person.name, "saw_names", row.get("url") or ctx.place["key"])
    return body


def _encoding(name: str) -> str:
    try:
        "".encode(name)
    except LookupError:
        return "utf-8"
    return name


PAGE = ConsolePage(
    name="article",
    is_costly=True,
    path="/articles/{key}",
    view=_view,
    params=(
        Param("after", says="from the answer before: further posts and comments"),
        Param("names", "flag", says="the names of authors; needs the role analyst, and is noted"),
    ),
    files={"source": _download, "page": _as_fetched},
)

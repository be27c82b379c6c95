"""Request and response security: headers, host names, size and time limits."""

import asyncio
import logging
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from console.config import ConsoleConfig, is_loopback

logger = logging.getLogger(__name__)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-DNS-Prefetch-Control": "off",
    "X-Robots-Tag": "noindex",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
_MAX_BODY_BYTES = 200_000
_BODY_SECONDS = 10.0
_MAX_FIELDS = 500


_OF_PROXIES = frozenset(("forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "proxy-connection"))


class Safety:
    """ASGI middleware that strips the proxy prefix and adds security headers."""

    def __init__(self, app: ASGIApp, config: ConsoleConfig) -> None:
        self._app = app
        self._prefix = config.prefix
        self._headers = dict(_HEADERS)
        if config.is_tls:
            self._headers["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        if self._prefix and scope["path"].startswith(self._prefix + "/"):
            scope = {**scope, "path": scope["path"][len(self._prefix) :]}
            scope.pop("raw_path", None)
        await self._app(scope, receive, send_safely)


def is_direct_and_local(request: Request) -> bool:
    """Whether the client is local, used a local host name, and came without a proxy.

    A proxy shows itself by a header, or by HTTP/1.0, which some speak to what is behind them and no browser speaks.
    """
    forwarded = any(name in _OF_PROXIES or name.startswith("x-forwarded") for name in request.headers)
    forwarded = forwarded or request.scope.get("http_version") == "1.0"
    peer = request.client.host if request.client else ""
    return not forwarded and is_loopback(peer) and is_loopback(_host_name(request.headers))


def _host_name(headers: Headers) -> str:
    try:
        return urlsplit(f"//{headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""


def reader_address(request: Request, config: ConsoleConfig) -> str:
    """The client's IP address; behind the reverse proxy of CONSOLE_URL, the one added by the proxy."""
    peer = request.client.host if request.client else ""
    forwarded = request.headers.get("x-forwarded-for", "")
    return forwarded.rpartition(",")[2].strip()[:60] if config.origin and forwarded else peer


def is_from_other_site(headers: Headers) -> bool:
    """Whether a page of another site made the browser ask. Programs say nothing about it."""
    return headers.get("sec-fetch-site", "") in ("cross-site", "same-site")


def is_same_origin(request: Request, config: ConsoleConfig) -> bool:
    """Whether a change was asked for by a page of this console. Browsers say where a form was; who says nothing is refused."""
    origin = request.headers.get("origin", "").lower()
    if not origin:
        return request.headers.get("sec-fetch-site") == "same-origin"
    return origin == (config.origin or f"http://{request.headers.get('host', '').lower()}")


async def read_form(request: Request) -> Mapping[str, str]:
    """The fields of a posted form, values of one name with spaces between.

    Raises HTTP errors: 413 if too long, 408 if too slow, 415 if not a form.
    """
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        raise HTTPException(415, "send a form: application/x-www-form-urlencoded")
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > _MAX_BODY_BYTES:
                    raise HTTPException(413, f"a form has at most {_MAX_BODY_BYTES:,} bytes")
    except TimeoutError:
        logger.warning("Refused a form from %s: it arrived too slowly", request.client.host if request.client else "?")
        raise HTTPException(408, "the form arrived too slowly") from None
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError:
        raise HTTPException(400, "the form cannot be read") from None
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: " ".join(each) for name, each in values.items()}


def scheme_of(address: str) -> str:
    """The scheme of what somebody typed, "" without one, "?" for what is no address."""
    try:
        return urlsplit(address).scheme
    except ValueError:
        return "?"


def own_path(text: str, other: str = "/") -> str:
    """A path of this console, `other` for anything that could lead elsewhere."""
    is_own = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable() and "\\" not in text
    return text[:2_000] if is_own else other


class HostCheck:
    """On this machine alone every client may have full access, so requests that a foreign web page could make are refused.

    Those are requests for a non-local host name, which may point here (DNS rebinding), and requests from a page of another site.
    """

    def __init__(self, app: ASGIApp, config: ConsoleConfig) -> None:
        self._app = app
        self._is_checked = config.is_loopback and not config.origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(Headers(scope=scope)) if scope["type"] == "http" and self._is_checked else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, headers: Headers) -> Response | None:
        if not is_loopback(_host_name(headers)):
            sentence = "This name does not belong to the console; set CONSOLE_URL to the address that people type.\n"
            return PlainTextResponse(sentence, 421)
        if is_from_other_site(headers):
            return PlainTextResponse("Another site asked for this page. Type the console's address to see it.\n", 403)
        return None

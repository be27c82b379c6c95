"""Cookies from a browser's export: the Netscape format, or JSON as extensions and browser drivers write it."""

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from crawler.identities.base import IdentityError
from crawler.identities.plain_cookies import PlainCookie

_MOST_BYTES = 10_000_000


def read_cookies(path: Path) -> list[PlainCookie]:
    """All cookies of the file; IdentityError, which quotes nothing of it, if it is in neither format."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise IdentityError(f"{path} has more than {_MOST_BYTES:,} bytes: that is no export of cookies")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        said = getattr(error, "strerror", None) or "is no text in UTF-8"
        raise IdentityError(f"{path} cannot be read: {said}") from None
    return _json(text, path) if text.lstrip()[:1] in ("[", "{") else _netscape(text, path)


def fitting(cookies: Iterable[PlainCookie], domains: Iterable[str], now: float | None = None) -> list[PlainCookie]:
    """Those that hosts of these domains are sent, and that have not expired."""
    wanted, moment = tuple(domains), time.time() if now is None else now
    return [
        cookie
        for cookie in cookies
        if any(_belongs(cookie["domain"].lstrip("."), domain) for domain in wanted)
        and (cookie["expires"] is None or cookie["expires"] > moment)
    ]


def _belongs(host: str, domain: str) -> bool:
    return host == domain or host.endswith(f".{domain}")


def _netscape(text: str, path: Path) -> list[PlainCookie]:
    """Seven fields a line with tabs between them; the standard library's reader wants a first line that tools leave out, and
    tells what it cannot read."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.removeprefix("#HttpOnly_").split("\t")
        if not line.strip() or (line.startswith("#") and not line.startswith("#HttpOnly_")):
            continue
        if len(fields) != 7 or not fields[0].strip(". ") or not fields[4].lstrip("-").isdecimal():
            raise IdentityError(f"{path}, line {number}: is no cookie in the Netscape format, nor is the file JSON")
        domain, below, folder, secure, expires, name, value = fields
        host = domain.strip().lstrip(".")
        found.append(
            {
                "name": name,
                "value": value,
                "domain": f".{host}" if below == "TRUE" else host,
                "path": folder or "/",
                "secure": secure == "TRUE",
                "expires": max(0, int(expires)) or None,  # 0: as long as the browser runs
            }
        )
    if not found:
        raise IdentityError(f"{path} holds no cookies")
    return found


def _json(text: str, path: Path) -> list[PlainCookie]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise IdentityError(f"{path} is no JSON") from None
    entries = given.get("cookies") if isinstance(given, dict) else given
    if not isinstance(entries, list) or not entries:
        raise IdentityError(f"{path} holds no list of cookies")
    found = [_cookie(entry) for entry in entries]
    if bad := [number for number, cookie in enumerate(found, start=1) if cookie is None]:
        raise IdentityError(f"{path}: cookie {bad[0]} lacks name, value or domain")
    return [cookie for cookie in found if cookie is not None]


def _cookie(entry: Any) -> PlainCookie | None:
    if not isinstance(entry, dict):
        return None
    name, value, domain = (entry.get(key) for key in ("name", "value", "domain"))
    if not (isinstance(name, str) and isinstance(value, str) and isinstance(domain, str) and name and domain):
        return None
    host_only = entry.get("hostOnly") is True
    expires = entry.get("expirationDate", entry.get("expires", entry.get("expiry")))
    return {
        "name": name,
        "value": value,
        "domain": domain.lstrip(".") if host_only else domain,
        "path": entry.get("path") if isinstance(entry.get("path"), str) and entry["path"] else "/",
        "secure": entry.get("secure") is True,
        "expires": int(expires) if isinstance(expires, int | float) and 0 < expires < 1e12 else None,
    }

"""Cookies exported by a browser: the Netscape format, or the JSON of extensions and browser drivers."""

import json
import time
from collections.abc import Iterable
from pathlib import Path

from crawler.identities.base import IdentityError
from crawler.identities.plain_cookies import PlainCookie

_MAX_BYTES = 10_000_000


def read_cookies(path: Path) -> list[PlainCookie]:
    """All cookies of a file; IdentityError, which quotes nothing of it, if it has neither format."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise IdentityError(f"{path} has more than {_MAX_BYTES:,} bytes: that is no cookie file")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8 text"
        raise IdentityError(f"{path} cannot be read: {reason}") from None
    return _json(text, path) if text.lstrip()[:1] in ("[", "{") else _netscape(text, path)


def cookies_for(cookies: Iterable[PlainCookie], domains: Iterable[str], now: float | None = None) -> list[PlainCookie]:
    """The cookies for hosts of these domains that have not expired. `now` is in seconds since the epoch."""
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
    """Seven fields a line, separated by tabs. The reader of the standard library needs a first line that tools leave out,
    and quotes lines in its errors."""
    found: list[PlainCookie] = []
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.removeprefix("#HttpOnly_").split("\t")
        if not line.strip() or (line.startswith("#") and not line.startswith("#HttpOnly_")):
            continue
        if len(fields) != 7 or not fields[0].strip(". ") or not fields[4].lstrip("-").isdecimal():
            raise IdentityError(
                f"{path}, line {number}: is not a cookie in the Netscape format, and the file is not JSON"
            )
        domain, below, folder, secure, expires, name, value = fields
        host = domain.strip().lstrip(".")
        found.append(
            {
                "name": name,
                "value": value,
                "domain": f".{host}" if below == "TRUE" else host,
                "path": folder or "/",
                "secure": secure == "TRUE",
                "expires": max(0, int(expires)) or None,  # 0: until the end of the session
            }
        )
    if not found:
        raise IdentityError(f"{path} has no cookies")
    return found


def _json(text: str, path: Path) -> list[PlainCookie]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise IdentityError(f"{path} is not JSON") from None
    entries = given.get("cookies") if isinstance(given, dict) else given
    if not isinstance(entries, list) or not entries:
        raise IdentityError(f"{path} has no list of cookies")
    found = [_cookie(entry) for entry in entries]
    if bad := [number for number, cookie in enumerate(found, start=1) if cookie is None]:
        raise IdentityError(f"{path}: cookie {bad[0]} lacks name, value or domain")
    return [cookie for cookie in found if cookie is not None]


def _cookie(entry: object) -> PlainCookie | None:
    if not isinstance(entry, dict):
        return None
    name, value, domain = (entry.get(key) for key in ("name", "value", "domain"))
    if not (isinstance(name, str) and isinstance(value, str) and isinstance(domain, str) and name and domain):
        return None
    host_only = entry.get("hostOnly") is True
    expires = entry.get("expirationDate", entry.get("expires", entry.get("expiry")))
    path = entry.get("path")
    return {
        "name": name,
        "value": value,
        "domain": domain.lstrip(".") if host_only else domain,
        "path": path if isinstance(path, str) and path else "/",
        "secure": entry.get("secure") is True,
        "expires": int(expires) if isinstance(expires, int | float) and 0 < expires < 1e12 else None,
    }

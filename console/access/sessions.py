"""Sessions of people and tokens of programs; only their hashes are stored."""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from console.access.people import People, Person, Role
from pipelines.stores.base import Condition, MutableRow, Row, Store, Table
from pipelines.stores.people_tables import API_TOKENS, SESSIONS

SCOPES = ("read", "decide")
FEED = "feed"
_TOKEN_DAYS = 365


def form_token(cookie: str) -> str:
    """The CSRF token of a form: other sites can make a browser send the cookie but do not know the token."""
    return hmac.new(cookie.encode("utf-8", "replace"), b"form", "sha256").hexdigest() if cookie else ""


def is_form_token(given: str, cookie: str) -> bool:
    return bool(cookie) and hmac.compare_digest(given.encode("utf-8", "replace"), form_token(cookie).encode())


def new_secret() -> str:
    return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True)
class Sessions:
    """Opens, finds and ends sessions and tokens."""

    store: Store
    people: People
    now: Callable[[], datetime]
    hours: float

    def open(self, user: str) -> str:
        """Create a session and return its cookie value; any earlier cookie is ignored (no session fixation)."""
        secret, now = new_secret(), self.now()
        ends = (now + timedelta(hours=self.hours)).isoformat(timespec="seconds")
        row = {"key": _hash(secret), "user": user, "created_at": now.isoformat(timespec="seconds"), "ends_at": ends}
        self.store.upsert(SESSIONS, [row | {"state": "open"}]).result()
        return secret

    def person(self, cookie: str) -> Person | None:
        """The person of a session; None if it is unknown or expired."""
        row = self._open_row(SESSIONS, cookie)
        account = self.people.get(row["user"]) if row else None
        if account is None:
            return None
        name, role = account["name"], Role.named(account["role"])
        language, zone, topics = account["language"] or "", account["zone"] or "", tuple(account["topics"] or ())
        return Person(name, role, language=language, zone=zone, topics=topics)

    def end(self, cookie: str) -> None:
        if self._open_row(SESSIONS, cookie):
            self.store.upsert(SESSIONS, [{"key": _hash(cookie), "state": "ended"}]).result()

    def end_all(self, user: str) -> int:
        """End every session and token of this user, as after a password change; returns their number."""
        open_ones = [Condition("user", "=", user), Condition("state", "=", "open")]
        ended = 0
        for table in (SESSIONS, API_TOKENS):
            rows = [{"key": row["key"], "state": "ended"} for row in self.store.select(table, open_ones)]
            self.store.upsert(table, rows).result()
            ended += len(rows)
        return ended

    def add_token(self, user: str, label: str, scopes: Sequence[str], days: int = _TOKEN_DAYS) -> str:
        """Create a token for this user; it is shown once and cannot be recovered from the store."""
        return self._add_token(user, label, {"scopes": [scope for scope in SCOPES if scope in scopes]}, days)

    def add_feed(self, user: str, label: str, feed: Mapping[str, Any], days: int = _TOKEN_DAYS) -> str:
        """Create a token that opens this list as a feed and nothing else."""
        return self._add_token(user, label, {"scopes": [FEED], "feed": dict(feed)}, days)

    def _add_token(self, user: str, label: str, more: Mapping[str, Any], days: int) -> str:
        secret, now = f"tc_{new_secret()}", self.now()
        row = {
            "key": _hash(secret),
            "user": user,
            "label": label[:100],
            **more,
            "created_at": now.isoformat(timespec="seconds"),
            "ends_at": (now + timedelta(days=days)).isoformat(timespec="seconds"),
            "state": "open",
        }
        self.store.upsert(API_TOKENS, [row]).result()
        return secret

    def program(self, token: str) -> Person | None:
        """The person of a token, with its permissions."""
        row = self._open_row(API_TOKENS, token)
        account = self.people.get(row["user"]) if row else None
        if row is None or account is None or FEED in (row["scopes"] or ()):
            return None
        return Person(account["name"], Role.named(account["role"]), True, "decide" in (row["scopes"] or ()))

    def feed(self, token: str) -> Row | None:
        """The row of a feed's token."""
        row = self._open_row(API_TOKENS, token)
        is_feed = row is not None and row["scopes"] == [FEED] and isinstance(row["feed"], dict)
        return row if is_feed else None

    def tokens(self, user: str = "") -> Iterator[MutableRow]:
        """Active tokens of one user or all, without their secrets."""
        where = [Condition("state", "=", "open"), *([Condition("user", "=", user)] if user else [])]
        return self.store.select(API_TOKENS, where, limit=1_000)

    def end_token(self, key: str) -> None:
        if self.store.get(API_TOKENS, key):
            self.store.upsert(API_TOKENS, [{"key": key, "state": "ended"}]).result()

    def _open_row(self, table: Table, secret: str) -> Row | None:
        row = self.store.get(table, key := _hash(secret)) if secret else None
        if row and not hmac.compare_digest(str(row["key"]), key):
            return None
        now = self.now().isoformat(timespec="seconds")
        return row if row and row["state"] == "open" and row["ends_at"] > now else None


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()

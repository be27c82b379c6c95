"""Pushed feeds (WebSub, W3C 2018): subscriptions, their verification and leases, and authentication of messages.

A hub may fall silent, so a pushed feed is still visited at a low rate, and items that visits find first count against the hub.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

LEASE_SECONDS = 5 * 86_400
"""Requested; the hub decides."""
_RENEWAL_SHARE = 0.1
"""A lease is renewed when this share of it is left."""
_ANSWER_SECONDS, _RETRY_SECONDS, _DENIED_SECONDS = 600.0, 3_600.0, 86_400.0
_MIN_LEASE_SECONDS = 60.0
_MAX_SUBSCRIPTIONS = 2_000
_METHODS = frozenset(("sha1", "sha256", "sha384", "sha512"))
_MIN_BELIEF = 3.0
"""Items that must have been pushed before visits are reduced."""


@dataclass(slots=True)
class Subscription:
    """One feed at its hub.

    Attributes:
        source: the address of the source. topic: the hub's name of the feed.
        token: identifies it in the callback's address. secret: the hub's signing key.
        until: end of the lease, 0 without one. ask_at: time of the next request to the hub.
        pushed, missed: items pushed first, and found first by a visit, since the lease began; with forgetting.
    """

    source: str
    hub: str
    topic: str
    token: str
    secret: str
    until: float = 0.0
    ask_at: float = 0.0
    pushed: float = 0.0
    missed: float = 0.0

    def belief(self, now: float) -> float:
        """The expected share of new items that will be pushed, 0 … 1."""
        if now >= self.until or self.pushed < _MIN_BELIEF:
            return 0.0
        return self.pushed / (self.pushed + self.missed + 1)


class Subscriptions:
    """All subscriptions of a watch.

    Args:
        address: the public address of the listener, ending in "/".
    """

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/") + "/"
        self._by_source: dict[str, Subscription] = {}
        self._by_token: dict[str, Subscription] = {}

    def __len__(self) -> int:
        return len(self._by_source)

    def active(self, now: float) -> int:
        """The number of valid leases."""
        return sum(now < found.until for found in self._by_source.values())

    def of(self, source: str) -> Subscription | None:
        """The subscription of a source."""
        return self._by_source.get(source)

    def see(self, source: str, hub: str, topic: str) -> None:
        """Note the hub of a source; a changed hub gets a new subscription."""
        known = self._by_source.get(source)
        if known is not None and (known.hub, known.topic) == (hub, topic):
            return
        if not hub.startswith(("http://", "https://")) or len(self._by_source) >= _MAX_SUBSCRIPTIONS:
            return
        if known is not None:
            del self._by_token[known.token]
        token = secrets.token_urlsafe(24)
        made = Subscription(source, hub, topic, token, secrets.token_urlsafe(32))
        self._by_source[source] = self._by_token[token] = made

    def due(self, now: float) -> Iterator[tuple[Subscription, dict[str, str]]]:
        """Subscriptions to request or renew, with the form for the hub."""
        for found in self._by_source.values():
            if now >= found.ask_at:
                found.ask_at = now + _ANSWER_SECONDS
                yield found, self._form(found)

    def _form(self, found: Subscription) -> dict[str, str]:
        callback = self._address + found.token
        asked = {"mode": "subscribe", "topic": found.topic, "callback": callback, "secret": found.secret}
        return {f"hub.{name}": value for name, value in (asked | {"lease_seconds": str(LEASE_SECONDS)}).items()}

    def answered(self, token: str, status: int, now: float) -> None:
        """Note the hub's answer to a request; 202 means that it verifies, perhaps already."""
        found = self._by_token.get(token)
        if found is not None and not 200 <= status < 300:
            found.ask_at = now + _RETRY_SECONDS

    def verify(self, token: str, said: Mapping[str, str], now: float) -> str | None:
        """The answer to a hub's verification; None if we did not request it."""
        found, mode = self._by_token.get(token), said.get("hub.mode", "")
        if found is None or said.get("hub.topic") != found.topic:
            return None
        if mode == "denied":
            found.until, found.ask_at = 0.0, now + _DENIED_SECONDS
            return ""
        challenge, lease = said.get("hub.challenge", ""), said.get("hub.lease_seconds", "")
        if mode != "subscribe" or not challenge:
            return None
        seconds = float(lease) if lease.isdecimal() and len(lease) < 12 else float(LEASE_SECONDS)
        seconds = min(max(seconds, _MIN_LEASE_SECONDS), 4.0 * LEASE_SECONDS)
        found.until, found.ask_at = now + seconds, now + seconds * (1 - _RENEWAL_SHARE)
        return challenge

    def message(self, token: str, body: bytes, signature: str, now: float) -> Subscription | None:
        """The subscription of a message; None if unknown, or if the signature is wrong."""
        found = self._by_token.get(token)
        if found is None or now >= found.until or not is_signed(body, found.secret, signature):
            return None
        return found

    def knows(self, token: str) -> bool:
        """Whether the subscription exists; a hub may end an unknown one."""
        return token in self._by_token

    def count(self, source: str, now: float, *, pushed: int = 0, missed: int = 0) -> None:
        """Count new items pushed first, or found first by a visit during the lease."""
        found = self._by_source.get(source)
        if found is None or now >= found.until:
            return
        kept = 0.9 if missed else 1.0
        found.pushed, found.missed = found.pushed * kept + pushed, found.missed * kept + missed


def is_signed(body: bytes, secret: str, signature: str) -> bool:
    """Whether `signature`, in the format of X-Hub-Signature (method=hexadecimal digest), matches the body and the secret."""
    method, _, digest = signature.strip().partition("=")
    if method.lower() not in _METHODS:
        return False
    right = hmac.new(secret.encode(), body, getattr(hashlib, method.lower())).hexdigest()
    return hmac.compare_digest(right.encode(), digest.strip().lower().encode("utf-8", "replace"))

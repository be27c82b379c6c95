"""The protocol of stores that keep the sessions of identities, and the lock for log-ins.

Before it logs in, a node takes the turn and gets a fencing token, a number that grows with every turn. A turn expires, so that
a dead node does not block others; later writes with its old token are refused.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypedDict

TURN_SECONDS = 120.0
"""A turn expires after this time; a log-in is cancelled earlier."""


class PlainCookie(TypedDict):
    """A cookie as plain values. `domain` starts with a dot if subdomains get it too; `expires` is in seconds since the
    epoch, None for the end of the session."""

    name: str
    value: str | None
    domain: str
    path: str
    secure: bool
    expires: int | None


class IdentityError(Exception):
    """Identities cannot be stored or read; the message has the reason and the remedy."""


class IdentitiesUnavailableError(IdentityError):
    """The server does not answer; the call may be repeated."""


class Key(NamedTuple):
    """An identity at a site: the name of the site's file ("" for all sites without a log-in), and the identity's name."""

    site: str
    identity: str


@dataclass(frozen=True, slots=True)
class Session:
    """The shared state of an identity at a site.

    Attributes:
        generation: number of log-ins and imports so far; 0: none.
        check: the address of a page that only logged-in users see; "" if unknown.
        form_tells: False for sites that show a password field even to logged-in users.
        since: start of the session, in seconds since the epoch.
        failures: failed log-ins since then.
        rests_until: when the next log-in is allowed, in seconds since the epoch.
        said: why the last log-in failed.
    """

    generation: int = 0
    cookies: tuple[PlainCookie, ...] = field(default=(), repr=False)
    check: str = ""
    form_tells: bool = True
    since: float = 0.0
    failures: int = 0
    rests_until: float = 0.0
    said: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """The caller may log in, and must then call `finish`, `fail` or `release`; `fence` is its fencing token."""

    fence: int


@dataclass(frozen=True, slots=True)
class Busy:
    """Another node is logging in; its turn expires after `seconds`."""

    seconds: float


@dataclass(frozen=True, slots=True)
class NewerSession:
    """There is a session unknown to the caller."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """A log-in failed for the reason `said`; the next is allowed after `seconds`."""

    seconds: float
    said: str


class IdentityStore(Protocol):
    """Calls do I/O and may be made from any thread. They raise IdentityError if the storage fails."""

    def session(self, key: Key) -> Session:
        """The stored session; an empty one if there is none."""

    def take_turn(self, key: Key, seen: int, *, at_once: bool = False) -> Turn | Busy | NewerSession | Backoff:
        """Take the turn, unless the session has another generation than `seen`, another node has the turn, or the backoff of
        a failed log-in lasts (which `at_once` ignores)."""

    def finish(self, key: Key, turn: Turn, session: Session) -> int:
        """Store the session; returns its new generation, 0 if the turn has expired."""

    def fail(self, key: Key, turn: Turn, said: str, backoff: float) -> None:
        """Record a failed log-in; the next is allowed after `backoff` seconds."""

    def release(self, key: Key, turn: Turn) -> None:
        """End the turn without a change."""

    def put(self, key: Key, cookies: tuple[PlainCookie, ...]) -> int:
        """Store imported cookies; returns the new generation. A log-in in progress will be refused."""

    def keep(self, key: Key, generation: int, cookies: tuple[PlainCookie, ...]) -> bool:
        """Replace the cookies if the generation is still current; returns whether it is."""

    def close(self) -> None:
        """Close the storage."""

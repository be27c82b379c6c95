"""The protocol of stores that keep the sessions of identities, and the lock for log-ins.

A node takes the turn before it logs in, and gets a fencing token, a number that grows with every turn. A turn expires, so
that a node that dies blocks nobody; what it writes after that is refused because of its old token.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypedDict

TURN_SECONDS = 120.0
"""After which a turn expires; a log-in is cancelled before."""


class PlainCookie(TypedDict):
    """What a server sees of a cookie. `domain` starts with a dot if subdomains get it too; `expires` is in seconds since
    the epoch, None for the end of the session."""

    name: str
    value: str | None
    domain: str
    path: str
    secure: bool
    expires: int | None


class IdentityError(Exception):
    """Identities cannot be stored or read; the message says why and what to do."""


class IdentitiesUnavailableError(IdentityError):
    """The server does not answer; the call may be repeated."""


class Key(NamedTuple):
    """An identity at a site: the name of the site's file ("" for all sites without a log-in), and the identity's name."""

    site: str
    identity: str


@dataclass(frozen=True, slots=True)
class Session:
    """What nodes share of an identity at a site.

    Attributes:
        generation: number of log-ins and imports so far; 0: none.
        check: the address of a page that only logged-in users see; "" if none is known.
        form_tells: False for sites whose pages have a password field also for logged-in users.
        since: when it began, in seconds since the epoch.
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
    """Another node logs in; its turn expires after `seconds`."""

    seconds: float


@dataclass(frozen=True, slots=True)
class NewerSession:
    """There is a session that the caller did not know."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """A log-in failed; the next is allowed after `seconds`. `said` is the reason."""

    seconds: float
    said: str


class IdentityStore(Protocol):
    """Calls do I/O and may be made from any thread. They raise IdentityError if the storage does not work."""

    def session(self, key: Key) -> Session:
        """The stored session; an empty one if there is none."""

    def take_turn(self, key: Key, seen: int, *, at_once: bool = False) -> Turn | Busy | NewerSession | Backoff:
        """Take the turn, unless there is a session of another generation than `seen`, another node has the turn, or a failed
        log-in must wait (which `at_once` ignores)."""

    def finish(self, key: Key, turn: Turn, session: Session) -> int:
        """Store the session as the next generation and return that; 0 if the turn has expired."""

    def fail(self, key: Key, turn: Turn, said: str, backoff: float) -> None:
        """Record that the log-in failed; the next is allowed after `backoff` seconds."""

    def release(self, key: Key, turn: Turn) -> None:
        """End the turn without a change."""

    def put(self, key: Key, cookies: tuple[PlainCookie, ...]) -> int:
        """Store imported cookies as the next generation and return that; a log-in in progress will be refused."""

    def keep(self, key: Key, generation: int, cookies: tuple[PlainCookie, ...]) -> bool:
        """Replace the cookies if this is still the generation; returns whether it is."""

    def close(self) -> None:
        """Close the storage."""

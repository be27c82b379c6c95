"""Sessions of identities at sites, and whose turn it is to log in: the protocol of stores that keep them.

Who wants to log in takes the turn and gets a fence, a number that grows with every turn. A turn ends by itself after a
time, so that a node that dies in the middle holds nobody up; what it would still say then is refused by its fence.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from crawler.identities.plain_cookies import PlainCookie

TURN_SECONDS = 120.0
"""After which a turn passes to others; a log-in is given up before."""


class IdentityError(Exception):
    """Identities cannot be kept or had; the message says why and what to do."""


class AwayError(IdentityError):
    """The server does not answer; it may be asked again."""


class Key(NamedTuple):
    """An identity at a site: the name of the site's file ("" for what it has at sites without a log-in), and its own."""

    site: str
    identity: str


@dataclass(frozen=True, slots=True)
class Session:
    """What nodes share of an identity at a site.

    Attributes:
        generation: how often its cookies were made anew; 0: never.
        check: the address of a page that only those who are logged in see; "" if none is known.
        form_tells: False for sites whose pages have a field for a password also for those who are logged in.
        since: when it began, seconds since the epoch.
        failures: log-ins that failed since; rests_until: when the next may be tried; said: why the last one failed.
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
    """Ours: to log in, and then to say how that went."""

    fence: int


@dataclass(frozen=True, slots=True)
class Busy:
    """Somebody logs in; `seconds` until that turn ends by itself."""

    seconds: float


@dataclass(frozen=True, slots=True)
class NewerSession:
    """There is a session already that the asker did not know."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """A log-in failed; the next may be tried in so many seconds."""

    seconds: float
    said: str


class IdentityStore(Protocol):
    """Calls take a moment of I/O and may be made from any thread. IdentityError if the storage is away."""

    def session(self, key: Key) -> Session:
        """What is known; a fresh one if nothing is."""

    def take_turn(self, key: Key, seen: int, *, at_once: bool = False) -> Turn | Busy | NewerSession | Backoff:
        """The turn, unless there is a session of another generation than `seen`, or somebody has it, or a failed log-in
        rests (which `at_once` passes over)."""

    def finish(self, key: Key, turn: Turn, session: Session) -> int:
        """Keep the cookies and what was learned as the next generation, which is told; 0 if the turn has passed on."""

    def fail(self, key: Key, turn: Turn, said: str, rest: float) -> None:
        """The log-in failed: the next may be tried in `rest` seconds."""

    def release(self, key: Key, turn: Turn) -> None:
        """The turn ends, and nothing has changed."""

    def put(self, key: Key, cookies: tuple[PlainCookie, ...]) -> int:
        """Cookies from elsewhere are the next generation, which is told; a log-in under way is refused by its fence."""

    def keep(self, key: Key, generation: int, cookies: tuple[PlainCookie, ...]) -> bool:
        """Replace the cookies if this is still the generation; whether it is."""

    def all(self) -> Iterator[tuple[Key, Session]]:
        """Each that is kept, by site and identity."""

    def close(self) -> None:
        """Let go of the storage."""

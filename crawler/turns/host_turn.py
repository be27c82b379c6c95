"""The turn of one request at its host."""

from dataclasses import dataclass

PLACE_SECONDS = 120.0
"""A request without an end holds its place for this long: its process was killed."""
PLACE_WAIT_SECONDS = 0.25
"""Between two looks at a host that has all its requests in progress."""


@dataclass(frozen=True, slots=True)
class HostTurn:
    """One request to a host.

    Attributes:
        host: a name, or a server address as text.
        delay: seconds until the next request may follow.
        places: requests in progress at once.
        token: unique to this request.
    """

    host: str
    delay: float
    places: int
    token: str

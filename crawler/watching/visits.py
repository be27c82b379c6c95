"""One request of a watch, and what an operator sets for all of them."""

from dataclasses import dataclass, field

from scrapy.settings import BaseSettings


@dataclass(frozen=True, slots=True)
class WatchVisit:
    """One request.

    Attributes:
        kind: list, feed, map, robots, more (a further page of a list), page, recheck or backlog.
        source: address of the source that is visited, or that announced the page.
        headers: validators to be sent.
        level: of a further page of a list, which.
    """

    kind: str
    url: str
    host: str
    source: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    level: int = 0
    grows: bool | None = None


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """What an operator sets.

    Attributes:
        per_hour: requests in all; per_host: to one host at first; most_per_host: at most.
        gap: seconds between two visits of one source at least.
        rechecks, backlog: shares of all requests.
        words: of the topic, for which the search of each site is a source.
    """

    per_hour: float = 1_000.0
    per_host: float = 78.0
    most_per_host: float = 600.0
    gap: float = 30.0
    rechecks: float = 0.2
    backlog: float = 0.05
    words: tuple[str, ...] = ()


@dataclass(slots=True)
class NewPageDelays:
    """New pages of a site that were fetched, and the seconds from the announcement to the fetch, summed."""

    count: int = 0
    seconds: float = 0.0


def options_of(settings: BaseSettings, words: tuple[str, ...] = ()) -> WatchOptions:
    """The WATCH_ settings, and the words of the topic."""
    return WatchOptions(
        per_hour=settings.getfloat("WATCH_REQUESTS_PER_HOUR"),
        per_host=settings.getfloat("WATCH_HOST_REQUESTS_PER_HOUR"),
        most_per_host=settings.getfloat("WATCH_HOST_REQUESTS_MAX"),
        gap=settings.getfloat("WATCH_MIN_INTERVAL"),
        rechecks=settings.getfloat("WATCH_RECHECK_SHARE"),
        backlog=settings.getfloat("WATCH_BACKLOG_SHARE"),
        words=words,
    )

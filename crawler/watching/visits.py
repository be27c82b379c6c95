"""One request of a watch, and the operator's options."""

from dataclasses import dataclass, field

from scrapy.settings import BaseSettings


@dataclass(frozen=True, slots=True)
class WatchVisit:
    """One request.

    Attributes:
        kind: list, feed, map, robots, more (a further page of a list), page, recheck or backlog.
        source: address of the visited source, or of the one that announced the page.
        headers: validators to send.
        level: number of a further page of a list.
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
    """The operator's settings.

    Attributes:
        per_hour: total requests per hour. per_host: initially to one host. most_per_host: maximum to one host.
        gap: minimum seconds between two visits of one source.
        rechecks, backlog: shares of all requests.
        words: of the topic; the results of each site's search for them are sources.
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
    """Number of new pages fetched from a site, and the sum of seconds from announcement to fetch."""

    count: int = 0
    seconds: float = 0.0


def options_of(settings: BaseSettings, words: tuple[str, ...] = ()) -> WatchOptions:
    """The options from the WATCH_ settings and the words of the topic."""
    return WatchOptions(
        per_hour=settings.getfloat("WATCH_REQUESTS_PER_HOUR"),
        per_host=settings.getfloat("WATCH_HOST_REQUESTS_PER_HOUR"),
        most_per_host=settings.getfloat("WATCH_HOST_REQUESTS_MAX"),
        gap=settings.getfloat("WATCH_MIN_INTERVAL"),
        rechecks=settings.getfloat("WATCH_RECHECK_SHARE"),
        backlog=settings.getfloat("WATCH_BACKLOG_SHARE"),
        words=words,
    )

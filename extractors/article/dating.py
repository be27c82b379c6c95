"""When a page was published: the most trusted piece of evidence that is credible, with its precision.

What a list says of its item comes first, then what the page declares, its address, and what it shows in its head. A list that was
watched before shows a new page soon after it is published, so that the time between two visits dates a page that says nothing, and
shows that an older date is not its own. What a page says only in running text counts where no list showed the page.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal

from extractors.article.published import PageEvidence, PublishedTime
from extractors.text.dates import parse_time
from extractors.text.instants import Interval, Precision, interval_of

Evidence = PageEvidence | Literal["list", "seen"]
_SLACK = timedelta(days=2)
"""Time between publication and a first sighting in a watched list."""
_MAX_AHEAD = timedelta(hours=14)
"""Largest offset of a zone, by which a time without the right zone seems to be in the future."""
_CLOCKS = timedelta(minutes=10)
"""Difference between clocks of servers."""
_HOUR, _DAY = timedelta(hours=1), timedelta(hours=36)
"""Longest times between two visits that give an hour, and a day."""
_DAY_CHARS = len("2026-01-31")
_COUNTED = frozenset(("second", "minute", "hour", "day"))


@dataclass(frozen=True, slots=True)
class Sighting:
    """Facts that lists gave of a page before it was read.

    Attributes:
        said: when it was published, as a feed, sitemap or API writes it; "" if it says nothing.
        after, by: the last visit (aware) at which a list did not show it, None if the list was not watched before; and the first one
            at which it did, None if no watched list showed it.
        is_new: whether it is certainly new then; else the list may show old pages too.
    """

    said: str = ""
    after: datetime | None = None
    by: datetime | None = None
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class PageTime:
    """When a page was published.

    Attributes:
        text: ISO 8601, cut to its precision, in the place's own zone; "" if unknown.
        interval: what it may mean; None if unknown.
        evidence: list (a feed, sitemap or API), declared, address, head, seen (first shown by a watched list), text; "" if unknown.
    """

    text: str = ""
    interval: Interval | None = None
    evidence: Evidence = ""

    @property
    def precision(self) -> Precision | Literal[""]:
        return self.interval.precision if self.interval else ""

    def counted(self, found: datetime) -> datetime:
        """The instant by which the page is sorted and counted: that of its publication if at least the day is known, else `found`.

        In a day or hour it is when the page was found, if that was in it; of a page that was found later the middle of the day.
        """
        if self.interval is None or self.interval.precision not in _COUNTED:
            return found
        begin, end = self.interval.begin, self.interval.end
        if self.interval.precision != "day" or found < begin:
            return begin
        return found if found < end else begin + (end - begin) / 2


def page_time(
    declared: PublishedTime, read_at: datetime, zone: tzinfo | None = None, seen: Sighting | None = None
) -> PageTime:
    """The time of publication of a page that was read then (aware). `declared`: by the page itself; `zone`: of its times without one."""
    zone, seen = zone or UTC, seen or Sighting()
    pieces = [each for each in _pieces(declared, read_at, zone, seen) if _is_credible(each, seen)]
    if not pieces:
        return PageTime()
    best = pieces[0]
    return next((each for each in pieces if _refines(each, best)), best)


def _pieces(declared: PublishedTime, read_at: datetime, zone: tzinfo, seen: Sighting) -> Iterator[PageTime]:
    """The known times, the most trusted first, without those in the future."""
    latest = min(read_at, seen.by) if seen.by else read_at
    said = _in_zone(parse_time(seen.said, now=latest, zone=zone), zone)
    yield from _past(PageTime(said, interval_of(said, zone), "list"), latest, zone)
    yield from _past(PageTime(declared.text, interval_of(declared.text, zone), declared.evidence), latest, zone)
    if seen.after is not None and seen.by is not None:
        shown = _between(seen.after, seen.by, zone)
        yield from (PageTime(text, interval_of(text, zone), "seen") for text in (shown,) if text)


def _in_zone(text: str, zone: tzinfo) -> str:
    """Feeds write times in UTC or in their server's zone."""
    if len(text) <= _DAY_CHARS:
        return text
    try:
        return datetime.fromisoformat(text).astimezone(zone).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        return ""


def _past(piece: PageTime, latest: datetime, zone: tzinfo) -> Iterator[PageTime]:
    """The piece, or its day if its clock is ahead by no more than a zone; nothing if it lies in the future."""
    if piece.interval is None:
        return
    ahead = piece.interval.begin - latest
    if ahead <= _CLOCKS:
        yield piece
    elif ahead <= _MAX_AHEAD:
        day = piece.text[:_DAY_CHARS]
        yield PageTime(day, interval_of(day, zone), piece.evidence)


def _is_credible(piece: PageTime, seen: Sighting) -> bool:
    if piece.evidence == "text":
        return seen.by is None
    if piece.evidence == "seen" or piece.interval is None or seen.after is None or not seen.is_new:
        return True
    return piece.interval.end >= seen.after - _SLACK


def _refines(piece: PageTime, best: PageTime) -> bool:
    """Whether a less trusted piece says the same more exactly; a sighting says when a page was shown, not when it was written."""
    if piece.interval is None or best.interval is None or piece.evidence in ("seen", "text"):
        return False
    is_inside = best.interval.begin <= piece.interval.begin and piece.interval.end <= best.interval.end
    return is_inside and piece.interval.precision != best.interval.precision and best.interval.precision != "second"


def _between(after: datetime, by: datetime, zone: tzinfo) -> str:
    """The hour or day in the middle of two visits; "" if they are too far apart."""
    middle = (after + (by - after) / 2).astimezone(zone)
    if not timedelta() <= by - after <= _DAY:
        return ""
    return middle.date().isoformat() if by - after > _HOUR else _hour(middle)


def _hour(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H}{moment.isoformat()[-6:]}"

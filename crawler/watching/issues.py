"""Lists under a path of their day, like the pages of a daily paper: the next day's list takes the place of the last one."""

import re
from datetime import UTC, date, datetime
from functools import lru_cache

from crawler.links.traps import pattern_of
from crawler.watching.sites import WatchedSite, WatchSource
from crawler.watching.sources import UNSEEN_CANDIDATE, Sources
from extractors.article.published import day_of_url
from extractors.article.zones import zone_of_host

_MAX_DAYS_OFF = 1
"""Days between today, in UTC, and the day of a list that may be the newest issue; calendars lead to all others."""


def see_issue(sources: Sources, site: WatchedSite, url: str, depth: int, now: float) -> None:
    """Watch a list of a day, if it is the newest of its kind: in place of one of an earlier day, else as a new source."""
    if url in site.sources or not _is_current(day_of_list(url), now) or has_newer(site, url):
        return
    earlier = [each for each in _alike(site, url) if day_of_list(each.url) < day_of_list(url)]
    if earlier:
        name = _without_day(url)
        sources.move(site, min(earlier, key=lambda each: _without_day(each.url) != name), url, now)
    elif site.admits(url):
        sources.add(site, url, "list", now, UNSEEN_CANDIDATE, depth)


def next_issue(url: str, now: float) -> str:
    """The address of today's list, for one of an earlier day; "" for others."""
    day, today = day_of_list(url), datetime.fromtimestamp(now, zone_of_host(url) or UTC).date()
    if not day or day >= today.isoformat():
        return ""
    written = re.search(_written(day), url)
    if written is None:
        return ""
    year_end, month_end, month, date_of_month = (written[number] for number in range(1, 5))
    is_padded = "0" in (month[0], date_of_month[0]) or len(month + date_of_month) == 4
    numbers = [f"{each:02}" if is_padded else str(each) for each in (today.month, today.day)]
    found = f"{today.year}{year_end}{numbers[0]}{month_end}{numbers[1]}"
    return re.sub(_written(day), found, url)


def has_newer(site: WatchedSite, url: str) -> bool:
    """Whether the list of a later day has taken the place of this one."""
    day = day_of_list(url)
    return bool(day) and any(day_of_list(each.url) > day for each in _alike(site, url))


@lru_cache(maxsize=4_096)
def day_of_list(url: str) -> str:
    """The day in an address, "" if there is none."""
    return day_of_url(url)


def day_of(moment: float) -> str:
    """The day of a moment in UTC, ISO 8601."""
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def _alike(site: WatchedSite, url: str) -> list[WatchSource]:
    pattern = pattern_of(url)
    dated = (each for each in site.sources.values() if each.kind == "list" and day_of_list(each.url))
    return [each for each in dated if pattern_of(each.url) == pattern]


def _is_current(day: str, now: float) -> bool:
    try:
        return abs((date.fromisoformat(day) - date.fromisoformat(day_of(now))).days) <= _MAX_DAYS_OFF
    except ValueError:
        return False


@lru_cache(maxsize=4_096)
def _without_day(url: str) -> str:
    return re.sub(_written(day_of_list(url)), "*", url)


def _written(day: str) -> str:
    """A pattern of a day as addresses write it; its groups are what follows year and month, the month, and the day."""
    year, month, date_of_month = day.split("-")
    return rf"{year}(?P<y>[-/]?)(?=0?{int(month)}(?P<m>[-/]?)0?{int(date_of_month)}(?!\d))(0?{int(month)})[-/]?(0?{int(date_of_month)})"

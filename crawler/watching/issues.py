"""Lists under a path of their day, like the pages of a daily paper: the next day's list takes the place of the last one."""

import re
from datetime import UTC, date, datetime
from functools import lru_cache

from crawler.links.traps import pattern_of
from crawler.watching.sites import WatchedSite, WatchSource
from crawler.watching.sources import UNSEEN_CANDIDATE, Sources
from extractors.article.published import day_of_url

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
    year, month, day = day_of_list(url).split("-")
    return re.sub(rf"{year}[-/]?0?{int(month)}[-/]?0?{int(day)}(?!\d)", "*", url)

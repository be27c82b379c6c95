"""Dates of articles that a watch finds in the living web, against what the simulated sites did.

python -m benchmarks.living_dates --seed 61 --hours 24 --per-hour 1000     by evidence and precision: pages, wrong ones, error

A date is wrong if it is more than two days from the truth. The error is the time from what the date may mean (a minute, an hour, a day) to
the truth; it is 0 if the truth lies in it. Beside it stand the same pages dated by what the page itself says, without lists.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from scrapy.http import HtmlResponse, Request

from benchmarks.living import run, world_of
from crawler.links.page_head import CanonicalAddresses
from crawler.watching.answers import VisitAnswer
from crawler.watching.reading import answer_of
from crawler.watching.visits import PAGE_KINDS, WatchOptions, WatchVisit
from crawler.watching.watch import Watch
from extractors.article.dating import PageTime
from extractors.page import Page
from pipelines.dating import time_of
from pipelines.items import PageItem

FIRST = datetime(2026, 3, 2, tzinfo=timezone(timedelta(hours=8)))
"""When virtual time begins."""
_WRONG = timedelta(days=2)


class _Asked:
    """A visit as the simulator is asked it."""

    def __init__(self, visit: WatchVisit) -> None:
        parts = urlsplit(visit.url)
        self.visit, self.host = visit, visit.host
        self.target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self.headers = {name.lower(): value for name, value in visit.headers.items()}


class DatingWatch:
    """A watch that keeps the times of pages; see `benchmarks.living.Policy`.

    Attributes:
        times: by address of a page when it is first read: its time, that by the page alone, and the kind of the visit.
    """

    def __init__(self, world: Any, per_hour: float) -> None:
        self.times: dict[str, tuple[PageTime, PageTime, str]] = {}
        self._addresses = CanonicalAddresses()
        self._watch = Watch(WatchOptions(per_hour=per_hour))
        for url in world.seeds():
            self._watch.start(url, FIRST.timestamp())

    def next(self, now: float) -> _Asked | None:
        """See `Policy`."""
        visit = self._watch.next(FIRST.timestamp() + now)
        return None if visit is None else _Asked(visit)

    def seen(self, request: _Asked, answer: Any, now: float) -> None:
        """See `Policy`."""
        visit, at = request.visit, FIRST + timedelta(seconds=now)
        if answer.drop:
            self._watch.answered(visit, VisitAnswer(0), at.timestamp())
            return
        response = HtmlResponse(visit.url, answer.status, dict(answer.headers), answer.body, request=Request(visit.url))
        item = self._item(response, at) if visit.kind in PAGE_KINDS and answer.status == 200 else None
        outcome = self._watch.answered(visit, answer_of(visit, response, item), at.timestamp())
        if item is not None and outcome == "new":
            self.times.setdefault(visit.url, (time_of(item.page, visit.listed), time_of(item.page), visit.kind))

    def _item(self, response: HtmlResponse, at: datetime) -> PageItem:
        kind = (response.headers.get("Content-Type") or b"").decode("latin-1")
        page = Page(response.body, response.url, content_type=kind, fetched_at=at.astimezone(UTC))
        return PageItem(self._addresses.of(page), response.url, response.status, page, page.links)


def truth_of(world: Any) -> dict[str, datetime]:
    """By address, when each article was published."""
    sites = [site for site in world.sites if hasattr(site, "finance")]
    pairs = ((f"http://{site.host}{site.url(i)}", at) for site in sites for i, at in enumerate(site.t))
    return {url: FIRST + timedelta(seconds=float(at)) for url, at in pairs}


def error(time: PageTime, truth: datetime) -> timedelta | None:
    """From the interval of a time to the truth; None without a time."""
    if time.interval is None:
        return None
    return max(time.interval.begin - truth, truth - time.interval.end, timedelta())


def table(times: dict[str, tuple[PageTime, PageTime, str]], truth: dict[str, datetime], place: int) -> Iterator[str]:
    """Lines by evidence and precision, and of all."""
    groups: defaultdict[str, list[timedelta | None]] = defaultdict(list)
    for url, each in times.items():
        if url in truth:
            time = each[place]
            assert isinstance(time, PageTime)
            found = error(time, truth[url])
            for name in ("all", "all new" if each[2] == "page" else "all older", f"{time.evidence} {time.precision}"):
                groups[name].append(found)
    yield f"{'':<18}{'pages':>7}{'undated':>9}{'> 2 days':>9}{'median s':>10}{'in it':>8}"
    for name, errors in sorted(groups.items()):
        known = [each for each in errors if each is not None]
        seconds = [each.total_seconds() for each in known]
        middle, inside = (float(np.median(seconds)), np.mean(np.array(seconds) == 0)) if seconds else (0.0, 0.0)
        wrong = sum(each > _WRONG for each in known)
        undated = len(errors) - len(known)
        yield f"{name.strip() or 'none':<18}{len(errors):>7}{undated:>9}{wrong:>9}{middle:>10.0f}{inside:>8.3f}"


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--seed", type=int, default=61)
    ask.add_argument("--sites", type=int, default=40)
    ask.add_argument("--hours", type=float, default=24.0, help="virtual hours")
    ask.add_argument("--per-hour", type=float, default=1_000.0, help="requests a virtual hour")
    asked = ask.parse_args()
    world = world_of(asked.seed, asked.hours + 1, asked.sites)
    policy = DatingWatch(world, asked.per_hour)
    run(world, policy, asked.hours)
    truth = truth_of(world)
    for title, place in (("with lists", 0), ("by the page alone", 1)):
        print(title, *table(policy.times, truth, place), sep="\n", end="\n\n")


if __name__ == "__main__":
    main()

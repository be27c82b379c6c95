"""Rows of what happened, as the console shows them: events of made pages, counts of words, alerts with their rules."""

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from analysis.events.store import JOB
from analysis.events.store.spread_thresholds import writes_of
from pipelines.stores.alert_tables import ALERT_MESSAGES, ALERT_RULES, ALERTS
from pipelines.stores.analysis_tables import ANALYSIS_JOBS, COUNTS, EVENTS, MEMBERS
from pipelines.stores.base import Row, Table

Rows = Iterator[tuple[Table, Mapping[str, Any]]]
_PLACES = ("上海市", "深圳市", "广州市", "", "", "", "武汉市", "成都市")
_PEOPLE = ("王建国", "李静", "陈志远", "赵敏")
_LARGEST = 20
"""The largest event has one page in this many."""
_NEIGHBOURS = 100_000
_DAYS = 60
_WORDS = "首付 房贷 公积金 二手房 限购 土地 保交楼 契税 租赁 以旧换新 房产税 法拍房 利率 楼市 新政 成交".split()


def made_events(pages: Sequence[Row], seed: int = 4) -> Rows:
    """Each page in one event, within the same hundred thousand pages: a few of hundreds or thousands, many of two or three, as news
    has it. Every page has five comments."""
    chance = random.Random(seed)
    yield ANALYSIS_JOBS, {"name": JOB, "state": {"reaches": True}}
    number = 0
    for begin in range(0, len(pages), _NEIGHBOURS):
        for size, each in enumerate(_groups(chance, pages[begin : begin + _NEIGHBOURS])):
            yield from _event(chance, sorted(each, key=lambda page: str(page["published_at"])), number + size)
        number += len(pages)


def _groups(chance: random.Random, pages: Sequence[Row]) -> Iterator[list[Row]]:
    pairs = [pages[place : place + 2] for place in range(0, len(pages), 2)]  # a page and its copy stay together
    chance.shuffle(pairs)
    left = list(chain.from_iterable(pairs))
    number = place = 0
    while place < len(left):
        size = len(pages) // _LARGEST // (1 + number) + chance.randint(1, 3)
        yield left[place : place + size]
        number, place = number + 1, place + size


def _event(chance: random.Random, pages: Sequence[Row], number: int) -> Rows:
    first, last = pages[0], pages[-1]
    sites: dict[str, str] = {}
    for page in pages:
        sites.setdefault(page["host"], page["published_at"])
        yield MEMBERS, {
            "page": page["key"], "event": first["key"], "story": f"story{number // 5}", "at": page["published_at"], "site": page["host"],
            "title": page["title"], "url": page["url"], "topic": "housing", "comments": 5, "repost": int(chance.random() < 0.3),
            "likeness": round(chance.uniform(0.6, 1), 2),
        }  # fmt: skip
    place, person = _PLACES[number % 8], _PEOPLE[number % 4]
    day = first["published_at"][:10]
    row = {
        "event": first["key"], "story": f"story{number // 5}", "name": first["title"], "state": "open", "topic": "housing",
        "first_at": first["published_at"], "last_at": last["published_at"], "begin": f"{day}T00:00:00", "end": f"{day}T23:59:59",
        "place": place, "people": [person], "first_page": first["key"], "first_site": first["host"], "pages": len(pages),
        "site_count": len(sites), "comments": 5 * len(pages), "reposts": len(pages) // 4, "pages_24h": len(pages) // 2,
        "sites": [{"site": site, "at": at} for site, at in sites.items()],
        "elements": [
            {"kind": "when", "page": first["key"], "text": "昨日", "sentence": "市住房和城乡建设局昨日发布通知", "begin": f"{day}T00:00:00",
             "end": f"{day}T23:59:59"},
            {"kind": "where", "page": first["key"], "text": place, "sentence": f"{place}发布通知", "parents": []},
            {"kind": "who", "page": last["key"], "text": person, "sentence": f"局长{person}表示"},
        ],
    }  # fmt: skip
    yield EVENTS, row
    yield from writes_of(row)


def made_counts(now: datetime, words: int, seed: int = 5) -> Rows:
    """The given number of words on each of sixty days, most of them rare; places and people; all pages of each day."""
    chance = random.Random(seed)
    for back in range(_DAYS):
        day = (now - timedelta(days=back)).date().isoformat()
        for topic in ("", "housing"):
            yield _counted(chance, topic, "all", "", day, 4_320)
        for number in range(words):
            word = _WORDS[number] if number < len(_WORDS) else f"{_WORDS[number % len(_WORDS)]}{number}"
            if (count := int(900 / (1 + number) * chance.uniform(0.5, 1.5)) or chance.randint(0, 2)) > 0:
                yield _counted(chance, "housing", "term", word, day, count)
        for dimension, values in (("place", _PLACES), ("person", _PEOPLE)):
            for value in filter(None, values):
                yield _counted(chance, "housing", dimension, value, day, chance.randint(1, 90))


def _counted(
    chance: random.Random, topic: str, dimension: str, value: str, day: str, count: int
) -> tuple[Table, Mapping[str, Any]]:
    hours = [0] * 24
    for hour in chance.choices(range(24), k=min(count, 24)):
        hours[hour] += max(1, count // 24)
    total = sum(hours)
    return COUNTS, {
        "topic": topic, "dimension": dimension, "value": value, "day": day, "pages": hours, "posts": hours, "pages_total": total,
        "posts_total": total,
    }  # fmt: skip


def made_alerts(now: datetime, pages: Sequence[Row], alerts: int = 500) -> Rows:
    """Two rules, and alerts about pages, one in ten of them seen."""
    yield (
        ALERT_RULES,
        {"name": "城市放松首付", "rule": {"kind": "event", "topic": "housing"}, "state": "active", "by": "anna"},
    )
    yield ALERT_RULES, {"name": "首付", "rule": {"kind": "term", "term": "首付"}, "state": "active", "by": "anna"}
    for number in range(min(alerts, len(pages))):
        page, moment = pages[number], now - timedelta(minutes=28 + 47 * number)
        at, key = moment.isoformat(timespec="seconds"), f"{moment:%Y%m%dT%H%M%S}-{number}"
        yield ALERTS, {
            "key": key, "rule": "城市放松首付", "kind": "event", "subject": page["key"], "title": page["title"],
            "text": "9 sites and 12 pages report it", "link": page["url"], "state": "open" if number < 5 else "over", "begin": at,
            "first_at": at, "last_at": at, "size": 9.0, "number": 1, "spread": 1, "acknowledged_at": at if number % 10 == 9 else "",
            "facts": {},
        }  # fmt: skip
        yield ALERT_MESSAGES, {
            "key": f"m{number}", "alert": key, "channel": "desk", "state": "sent", "attempts": 1, "made_at": at, "sent_at": at,
            "error": "", "title": page["title"],
        }  # fmt: skip

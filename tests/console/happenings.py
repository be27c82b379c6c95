"""Events with their reports and counts, hostile ones among them."""

from collections.abc import Iterator, Mapping
from typing import Any

from pipelines.stores.analysis_tables import COUNTS, EVENTS, MEMBERS
from pipelines.stores.base import Store, Table
from tests.console.filling import ATTACK, at, hostile_page, page

EVIL = hostile_page()["key"]
TITLES = ("首付比例下调", "首付比例下调，市民怎么看", "首付比例下调")


def report(row: Mapping[str, Any], event: str, minutes: float, **more: Any) -> dict[str, Any]:
    """A member of an event."""
    return {
        "page": row["key"], "event": event, "story": "s", "placed_event": event, "placed_story": "s", "at": at(minutes),
        "site": row["host"], "title": row["title"], "url": row["url"], "topic": row["topic"], "likeness": 0.9, "vector": b"",
        "comments": 0, "repost": 0,
    } | more  # fmt: skip


def event(key: str, minutes: float, **more: Any) -> dict[str, Any]:
    return {
        "event": key, "story": "s", "name": "首付比例下调", "state": "open", "topic": "housing", "first_at": at(minutes + 600),
        "last_at": at(minutes), "begin": "2026-11-21T00:00:00", "end": "2026-11-22T00:00:00", "place": "上海市", "place_code": "31",
        "first_page": key, "first_site": "host1.example", "people": ["王建国"], "pages": 3, "site_count": 2, "comments": 5, "reposts": 1,
        "pages_24h": 3, "sites": [{"site": "host1.example", "at": at(minutes + 600)}, {"site": "host2.example", "at": at(minutes)}],
        "elements": [
            {"kind": "when", "page": key, "text": "昨天", "sentence": "昨天发布通知", "begin": "2026-11-21T00:00:00",
             "end": "2026-11-22T00:00:00"},
            {"kind": "where", "page": key, "text": "上海", "sentence": "上海发布通知", "code": "31", "parents": []},
            {"kind": "who", "page": key, "text": "王建国", "sentence": "局长王建国表示"},
        ], "changed_at": at(1),
    } | more  # fmt: skip


def rows() -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """An event of three pages, whose first is page 5 and is copied by page 2, a hostile one, and forty-odd others; their counts."""
    first, copy, third = page(5, "host2.example"), page(2, "host2.example"), page(7, "host1.example")
    key = first["key"]
    yield EVENTS, event(key, 5)
    for row, minutes, more in ((first, 605, {"comments": 130}), (copy, 455, {"repost": 1}), (third, 5, {})):
        yield MEMBERS, report(row, key, minutes, **more)
    quoted = [
        {"kind": kind, "page": EVIL, "text": ATTACK, "sentence": ATTACK, "begin": ATTACK}
        for kind in ("when", "where", "who")
    ]
    attacked = dict.fromkeys(("name", "topic", "place", "begin", "end", "first_site", "story"), ATTACK)
    yield EVENTS, event(EVIL, 1, **attacked, people=[ATTACK], elements=quoted, sites=[{"site": ATTACK, "at": at(1)}])
    yield MEMBERS, report(hostile_page(), EVIL, 1, site=ATTACK, comments=1)
    yield from (
        (EVENTS, event(f"e{number}", 100 + number, name=f"第{number}件事", story="t", pages=2)) for number in range(60)
    )
    told = [("housing", "term", "首付", (3, 5)), ("housing", "term", ATTACK, (1, 2))]
    for topic, dimension, value, counts in [*told, ("housing", "all", "", (4, 8)), ("", "all", "", (4, 8))]:
        for day, count in zip(("2026-11-20", "2026-11-22"), counts, strict=True):
            yield COUNTS, counted(topic, dimension, value, day, count)


def counted(topic: str, dimension: str, value: str, day: str, count: int) -> dict[str, Any]:
    """A row with `count` pages in the eighth hour of a day."""
    hours = [0] * 7 + [count] + [0] * 16
    return {
        "topic": topic, "dimension": dimension, "value": value, "day": day, "pages": hours, "posts": hours, "pages_total": count,
        "posts_total": count,
    }  # fmt: skip


def fill_events(store: Store) -> None:
    store.write(list(rows())).result()

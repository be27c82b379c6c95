"""Event output: rows with growth, one event in full, and a graph of events and pages."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, TextIO
from xml.sax.saxutils import escape, quoteattr

from analysis.jobs import instant
from pipelines.stores.analysis_tables import EVENTS, MEMBERS
from pipelines.stores.base import Condition, Order, Row, Store, StoreError
from pipelines.stores.filters import since, until

COLUMNS = ("event", "name", "state", "first_at", "first_published", "last_at", "last_published", "begin", "end", "place", "people",
           "pages", "site_count", "pages_24h", "comments", "reposts", "topic", "story", "first_site")  # fmt: skip
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_GROWING = timedelta(days=1)
_NODES = ("name", "at", "site", "url")


def events(
    store: Store,
    now: datetime,
    *,
    since_text: str = "",
    until_text: str = "",
    topic: str = "",
    pages: int = 1,
    dropped: bool = False,
    zone: tzinfo = UTC,
) -> Iterator[dict[str, Any]]:
    """Events with enough pages whose last report is in the span, with days of the zone, latest first; StoreError for an invalid time."""
    where = [since("last_at", since_text, now, zone)] if since_text else []
    where += [until("last_at", until_text, now, zone)] if until_text else []
    where += [Condition("topic", "=", topic)] if topic else []
    where += [Condition("pages", ">=", pages)] if pages > 1 else []
    for row in store.select(EVENTS, where, [Order("last_at", descending=True)]):
        if dropped or row["state"] != "dropped":
            yield row | {"state": state(row, now)}


def state(row: Row, now: datetime) -> str:
    """dropped, growing (a report within the last day), or quiet."""
    if row["state"] == "dropped":
        return "dropped"
    recent = instant(row["last_at"] or "") >= (now - _GROWING).isoformat(timespec="seconds")
    return "growing" if recent else "quiet"


def event_of(store: Store, key: str) -> Row:
    """The event with this key or of the page with this key; raises StoreError if there is none."""
    row = store.get(EVENTS, key)
    if row is None:
        member = store.get(MEMBERS, key)
        row = store.get(EVENTS, member["event"]) if member else None
    if row is None:
        raise StoreError(f"there is no event {key!r}; scrapy analysis events lists them")
    return row


def event_with_members(store: Store, key: str) -> tuple[Row, list[Row]]:
    """Like `event_of`, with its members in time order."""
    row = event_of(store, key)
    members = store.select(MEMBERS, [Condition("event", "=", row["event"])])
    return row, sorted(members, key=lambda each: (each["at"], each["page"]))


def other_events(store: Store, row: Row) -> list[Row]:
    """The other events of its story, in the order of time."""
    found = store.select(EVENTS, [Condition("story", "=", row["story"])])
    return sorted((each for each in found if each["event"] != row["event"]), key=lambda each: each["first_at"])


def write_graphml(store: Store, rows: Iterable[Mapping[str, Any]], out: TextIO) -> int:
    """Stories, events and pages as nodes, "part of" as edges, for Gephi, yEd and networkx; returns how many nodes."""
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for name in ("kind", *_NODES):
        out.write(f'<key id="{name}" for="node" attr.name="{name}" attr.type="string"/>\n')
    out.write('<graph edgedefault="directed">\n')
    stories: set[str] = set()
    count = 0
    for row in rows:
        _, members = event_with_members(store, row["event"])
        nodes = (
            []
            if row["story"] in stories
            else [(f"story {row['story']}", "story", {"name": row["name"], "at": row["first_at"]})]
        )
        stories.add(row["story"])
        nodes.append((f"event {row['event']}", "event", {"name": row["name"], "at": row["first_at"]}))
        nodes += [
            (each["page"], "page", {"name": each["title"], **{name: each[name] for name in _NODES[1:]}})
            for each in members
        ]
        for node in nodes:
            _write_node(out, *node)
        _write_edge(out, f"event {row['event']}", f"story {row['story']}")
        for each in members:
            _write_edge(out, each["page"], f"event {row['event']}")
        count += len(nodes)
    out.write("</graph>\n</graphml>\n")
    return count


def _write_node(out: TextIO, key: str, kind: str, values: Mapping[str, Any]) -> None:
    data: Sequence[tuple[str, Any]] = (("kind", kind), *values.items())
    inner = "".join(f'<data key="{name}">{escape(_clean(str(value or "")))}</data>' for name, value in data)
    out.write(f"<node id={quoteattr(_clean(key))}>{inner}</node>\n")


def _write_edge(out: TextIO, source: str, target: str) -> None:
    out.write(f"<edge source={quoteattr(_clean(source))} target={quoteattr(_clean(target))}/>\n")


def _clean(text: str) -> str:
    """Without characters that XML forbids."""
    return _NOT_XML.sub("", text)

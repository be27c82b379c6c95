"""Tables of the analysis: its queue, its leases, names, events."""

from datetime import date, datetime

from pipelines.stores.base import Column, Table

ANALYSIS_QUEUE = Table(
    "analysis_queue",
    (Column("page"), Column("token"), Column("queued_at")),
    key=("page",),
    indexes=(("queued_at",),),
)
"""Pages whose text or records have changed and that wait for the analysis. A row is removed only with the token that was read with
it, so that a page that changes during its analysis is queued again."""

ANALYSIS_JOBS = Table(
    "analysis_jobs",
    (Column("name"), Column("holder"), Column("until", "real"), Column("version"), Column("state", "packed")),
    key=("name",),
)
"""Leases on jobs that one node at a time does: holder, expiry (seconds since 1970), and the job's state; `version` changes
with each `state`."""

READINGS = Table(
    "readings",
    (
        Column("page"),
        Column("digest"),
        Column("base"),
        Column("names", "packed", shape=[[object]]),
        Column("times", "packed", shape=[[object]]),
        Column("elements", "packed", shape={str: [[str]]}),
        Column("report", "blob"),
    ),
    key=("page",),
)
"""Annotations of a page's title and body, joined by a line break: `names` are lists of start, end, kind (person, place or
org) and, of a place, its code; `times` lists of start, end, first and last second (naive, local to the page), unit. `elements`: when,
where and who of the main event, each with its text and its sentence. `base` is the time that relative times are counted from."""

EVENTS = Table(
    "events",
    (
        Column("event"),
        *(Column(name) for name in ("story", "name", "state", "topic")),
        *(Column(name, shape=datetime) for name in ("first_at", "last_at")),
        *(Column(name) for name in ("first_published", "last_published", "begin", "end")),
        *(Column(name) for name in ("place", "place_code", "first_page", "first_site", "changed_at")),
        Column("people", "json", shape=[str]),
        Column("elements", "json", shape=[{"kind": str, "page": str, "text": str, "sentence": str}]),
        Column("sites", "json", shape=[{"site": str, "at": datetime}]),
        *(Column(name, "integer") for name in ("pages", "site_count", "comments", "reposts", "pages_24h")),
    ),
    key=("event",),
    indexes=(
        ("story",),
        ("last_at", "first_at", "site_count"),
        ("last_at", "event"),
        ("first_at",),
        ("site_count", "event"),
        ("topic", "last_at"),
    ),
)
"""One row for each event with the pages that report it (`members`); its key is that of its first page. `name` is its most
central title; `begin` and `end` say when it happened, `elements` quote the sentences that say when, where and who. `sites`: the
order in which sites reported it, with their first instants. `state` is open, or dropped (not of the topic). `pages_24h`: pages of the
day before the event's last one. `first_published` and `last_published` are the times of the first and last page, no more exact than they
are known; `first_at` and `last_at` the instants by which they are sorted."""

EVENT_REACHES = Table(
    "event_reaches",
    (
        *(Column(name) for name in ("event", "at", "topic")),
        *(Column(name, "integer") for name in ("sites", "width", "before")),
    ),
    key=("event", "sites", "at"),
    indexes=(("sites", "topic", "at", "width", "before", "event"), ("sites", "at", "width", "before", "event")),
)
"""Instants at which an event (not dropped) was reported by a number of sites (2 to 20) in its shortest time so far: `width` seconds,
after `before` seconds until then. Made from `events`, for alert rules."""

MEMBERS = Table(
    "members",
    (
        Column("page"),
        *(Column(name) for name in ("event", "story", "placed_event", "placed_story")),
        Column("at", shape=datetime),
        *(Column(name) for name in ("site", "title", "url", "topic")),
        Column("likeness", "real"),
        Column("vector", "blob"),
        *(Column(name, "integer") for name in ("comments", "repost")),
    ),
    key=("page",),
    indexes=(("event", "at", "page"), ("story",), ("at", "page"), ("placed_event",)),
)
"""The event and the story of each page with a title; `placed_event` and `placed_story` are what was computed, before people's
decisions. `at` is the instant of publication, or else when the page was first seen; `repost` is 1 for a repost by its title. Later reports
are compared with `vector`."""

EVENT_DECISIONS = Table(
    "event_decisions",
    (
        *(
            Column(name)
            for name in ("key", "action", "event", "other", "value", "by", "at", "undone_at", "topic", "since")
        ),
        Column("nearness", "real"),
    ),
    key=("key",),
    indexes=(("event",),),
)
"""People's decisions about events, which survive recomputation: action is merge (`event` into `other`), split (the page
`other` out of `event`, together with the pages split into the same `value`), rename (`event` is called `value`) or drop (`event` is not
of the topic). Keys sort by time. What the analysis learns from a merge or a split: `nearness` is the likeness of both parts, divided by the
limit for one event (empty: not looked at yet), `topic` and `since` are those of the first page of the later part."""

COUNTS = Table(
    "counts",
    (
        *(Column(name) for name in ("topic", "dimension", "value")),
        Column("day", shape=date),
        Column("pages", "json", shape=[int]),
        Column("posts", "json", shape=[int]),
        Column("pages_total", "integer"),
        Column("posts_total", "integer"),
    ),
    key=("topic", "dimension", "value", "day"),
    indexes=(("topic", "dimension", "day"),),
)
"""Pages and posts in each of the 24 hours of a day (UTC), empty if there were none. `dimension` is all, host, kind,
term, person, place, mood, or verdict (repost: copies by their title); Rows of `topic` "" are of all topics together for all, host
and verdict, and of pages without a topic for the others, which `read_series` sums over the topics."""

COUNTED_PAGES = Table("counted_pages", (Column("page"), Column("cells", "packed", shape=[[object]])), key=("page",))
"""Each page's contribution to the counts: lists of topic, dimension, value, day, hour, measure, count."""

COUNT_JOURNAL = Table("count_journal", (Column("name"), Column("entry", "packed")), key=("name",))
"""Rows that are being written to the counts; written again after a kill, so that nothing is counted twice."""

ANALYSIS_TABLES = (
    ANALYSIS_QUEUE,
    ANALYSIS_JOBS,
    READINGS,
    EVENTS,
    EVENT_REACHES,
    MEMBERS,
    EVENT_DECISIONS,
    COUNTS,
    COUNTED_PAGES,
    COUNT_JOURNAL,
)

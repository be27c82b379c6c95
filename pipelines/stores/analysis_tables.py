"""What the analysis of stored pages keeps: what waits for it, who does it, names, events."""

from pipelines.stores.base import Column, Table

ANALYSIS_QUEUE = Table(
    "analysis_queue",
    (Column("page"), Column("token"), Column("queued_at")),
    key=("page",),
    indexes=(("queued_at",),),
)
"""Pages whose text or records have changed and that wait for the analysis. A row is removed only with the token that was read with
it, so that a page that changes meanwhile waits again."""

ANALYSIS_JOBS = Table(
    "analysis_jobs",
    (Column("name"), Column("holder"), Column("until", "real"), Column("version"), Column("state", "packed")),
    key=("name",),
)
"""Jobs that one node at a time does: who holds it, until when (seconds since 1970), and what the job remembers; `version` changes
with each `state`."""

READINGS = Table(
    "readings",
    (
        Column("page"),
        Column("digest"),
        Column("base"),
        Column("names", "packed"),
        Column("times", "packed"),
        Column("elements", "packed"),
        Column("report", "blob"),
    ),
    key=("page",),
)
"""What the analysis reads in a page's title and body, joined by a line break: `names` are lists of start, end, kind (person, place or
org) and, of a place, its code; `times` lists of start, end, first and last second (naive, local to the page), unit. `elements`: when,
where and who of the main happening, each with its text and its sentence. `base` is the time that relative times are counted from."""

EVENTS = Table(
    "events",
    (
        Column("event"),
        *(Column(name) for name in ("story", "name", "state", "topic", "first_at", "last_at", "begin", "end")),
        *(Column(name) for name in ("place", "place_code", "first_page", "first_site", "changed_at")),
        Column("people", "json"),
        Column("elements", "json"),
        Column("sites", "json"),
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
"""One row for each happening with the pages that report it (`members`); its key is that of the page that began it. `name` is its most
central title; `begin` and `end` say when it happened, `elements` quote the sentences that say when, where and who. `sites`: who
reported after whom, and at which instant first. `state` is open, or dropped (not of the topic). `pages_24h`: pages of the day before
the event's last one."""

EVENT_REACHES = Table(
    "event_reaches",
    (
        *(Column(name) for name in ("event", "at", "topic")),
        *(Column(name, "integer") for name in ("sites", "width", "before")),
    ),
    key=("event", "sites", "at"),
    indexes=(("sites", "topic", "at", "width", "before", "event"), ("sites", "at", "width", "before", "event")),
)
"""When events that are not dropped were reported by so many sites (2 to 20) within less time than before: `width` seconds, and `before`
until then. Made from `events`, for rules that look for events."""

MEMBERS = Table(
    "members",
    (
        Column("page"),
        *(
            Column(name)
            for name in ("event", "story", "placed_event", "placed_story", "at", "site", "title", "url", "topic")
        ),
        Column("likeness", "real"),
        Column("vector", "blob"),
        *(Column(name, "integer") for name in ("comments", "repost")),
    ),
    key=("page",),
    indexes=(("event", "at", "page"), ("story",), ("at", "page"), ("placed_event",)),
)
"""The event and the story of each page with a title; `placed_event` and `placed_story` are what was computed, before people's
decisions. `at` is the instant of publication, or else when the page was first seen; `repost` is 1 for a repost by its title. `vector`
is what later reports are compared with."""

EVENT_DECISIONS = Table(
    "event_decisions",
    (*(Column(name) for name in ("key", "action", "event", "other", "value", "by", "at", "undone_at")),),
    key=("key",),
    indexes=(("event",),),
)
"""People's decisions about events, which hold when events are computed again: action is merge (`event` into `other`), split (the page
`other` out of `event`, together with the pages split into the same `value`), rename (`event` is called `value`) or drop (`event` is not
of the topic). Keys sort by time."""

COUNTS = Table(
    "counts",
    (
        *(Column(name) for name in ("topic", "dimension", "value", "day")),
        Column("pages", "json"),
        Column("posts", "json"),
        Column("pages_total", "integer"),
        Column("posts_total", "integer"),
    ),
    key=("topic", "dimension", "value", "day"),
    indexes=(("topic", "dimension", "day"),),
)
"""How many pages and posts there were in each of the 24 hours of a day (UTC), nothing if there were none. `dimension` is all, host, kind,
term, person, place, mood, or verdict (repost: copies by their title); `topic` "" is all topics together for all, host and verdict, and
pages without a topic for the rest."""

COUNTED_PAGES = Table("counted_pages", (Column("page"), Column("cells", "packed")), key=("page",))
"""What each page has added to the counts: lists of topic, dimension, value, day, hour, measure, count."""

COUNT_JOURNAL = Table("count_journal", (Column("name"), Column("entry", "packed")), key=("name",))
"""Rows that are being written to the counts: written again after a kill, so that nothing is counted twice."""

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

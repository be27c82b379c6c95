"""Tables of watches and lists: sources, pages that they announce, earlier texts of pages, and how lists were read."""

from pipelines.stores.base import Column, Table

WATCH_SOURCES = Table(
    "watch_sources",
    (
        Column("crawl"),
        Column("key"),
        *(Column(name) for name in ("url", "site", "host", "kind", "state", "visited_at", "last_new_at")),
        Column("per_day", "real"),
        Column("visits", "integer"),
        Column("items_first_seen_here", "integer"),
        Column("depth", "integer"),
        Column("failures", "integer"),
        Column("relevance", "real"),
        Column("interval", "real"),
        Column("memory", "packed", shape={}),
        Column("asked"),
        Column("missed", "real"),
    ),
    key=("crawl", "key"),
    indexes=(("crawl", "site"), ("state", "items_first_seen_here", "crawl", "key"), ("asked",)),
)
"""Sources that announce new items to a watch: `kind` is list, feed or map (a sitemap), `state` new, watched, unreadable (its answer is no
list), dead or dropped; `per_day` is the expected number of items, `items_first_seen_here` counts items that it showed first; `missed` is
the expected number from its last new item to its last visit: more than a few mean that the source is silent. `interval` is set by a
person (seconds, 0: not set), and `asked` is a person's request to a running watch. `memory` is the watch's state: rates, validators, the
last listing."""

WATCH_PAGES = Table(
    "watch_pages",
    (
        Column("crawl"),
        Column("key"),
        *(Column(name) for name in ("url", "host", "source", "state", "digest", "changed_at", "said", "title")),
        Column("found", "real"),
        Column("shown_after", "real"),
        Column("surely_new", "integer"),
        Column("due", "real"),
        Column("stage", "integer"),
        Column("failures", "integer"),
        Column("rechecked", "integer"),
    ),
    key=("crawl", "key"),
    indexes=(("crawl", "state"),),
)
"""Pages that a watch has found: waiting, backlog (known before the watch began), known, gone or failed. `found` and `due` (the
next visit, 0: none) are seconds since 1970; `changed_at` is when a correction or the end of the page was noticed."""

VERSIONS = Table(
    "versions",
    (
        Column("page"),
        Column("fetched_at"),
        *(Column(name) for name in ("url", "title", "body", "content_hash", "replaced_at")),
    ),
    key=("page", "fetched_at"),
    indexes=(("replaced_at",),),
)
"""Earlier texts of pages that were corrected: the text from `fetched_at` until the correction was noticed."""

WATCHES = Table(
    "watches", (Column("crawl"), Column("hourly_profile", "packed", shape=object), Column("saved_at")), key=("crawl",)
)
"""A watch's statistics over all sites."""

LIST_STATES = Table(
    "list_states",
    (
        Column("key"),
        *(
            Column(name)
            for name in ("url", "source", "host", "state", "reason", "read_at", "good_at", "changed_at", "mended_at")
        ),
        Column("items", "integer"),
        Column("recipe", "json", shape={}),
        Column("shares", "json", shape={str: float}),
        Column("good", "blob"),
        Column("bad", "blob"),
    ),
    key=("key",),
    indexes=(("state", "key"),),
)
"""One row for each address of a list: `source` is the name of its recipe, "" without one. `state` is read, unreadable (never read), or
layout_changed (read before, and its shape has changed since `changed_at`, because of `reason`; `mended_at` is when it was read
again). `items` and `shares` (of items that have each field), `recipe` and `good` are those of the last answer that was read whole, at
`good_at`; `bad` is the latest other one. Answers are cut, and compressed with zstd."""

RANKINGS = Table(
    "rankings",
    (
        Column("key"),
        *(Column(name) for name in ("source", "list", "day", "crawl")),
        Column("first_at", "text", first=True),
        Column("last_at"),
        Column("visits", "integer"),
        Column("items", "packed", shape=[[str]]),
        Column("series", "blob"),
    ),
    key=("key",),
    indexes=(("source", "list", "day"), ("day",), ("last_at",)),
)
"""One row for each hot list, crawl and day (UTC): `list` is the address that was read, `items` are key, title and address of each item, and
`series` the rank and heat of each at every visit, as `pipelines.rankings` packs them."""

WATCH_TABLES = (WATCH_SOURCES, WATCH_PAGES, VERSIONS, WATCHES, LIST_STATES, RANKINGS)

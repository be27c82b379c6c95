"""The tables of every store."""

from pipelines.stores.alert_tables import ALERT_TABLES
from pipelines.stores.analysis_tables import ANALYSIS_TABLES
from pipelines.stores.base import Column, Kind, Table
from pipelines.stores.people_tables import DECISION_TABLES
from pipelines.stores.watch_tables import WATCH_TABLES


def _columns(kind: Kind, *names: str) -> tuple[Column, ...]:
    return tuple(Column(name, kind) for name in names)


def _texts(*names: str) -> tuple[Column, ...]:
    return _columns("text", *names)


PAGES = Table(
    "pages",
    (
        Column("key"),
        *_texts(
            "url", "host", "kind", "title", "author", "published", "modified", "source", "body", "summary", "language"
        ),
        *_texts("image", "method", "topic", "relevance_reason", "content_hash", "canonical", "body_markdown"),
        Column("keywords", "json", shape=[str]),
        *_columns("real", "confidence", "relevance"),
        *_columns("integer", "status", "depth"),
        Column("parts", "json", shape=[str]),
        Column("first_seen", "text", first=True),
        *_texts("fetched_at", "published_at", "published_precision", "published_by", "counted_at"),
        Column("listed", "json", first=True, shape={str: str}),
    ),
    key=("key",),
    indexes=(
        *(("host", "published"), ("fetched_at",), ("published",), ("published_at",), ("host", "fetched_at")),
        ("canonical",),
        ("counted_at",),
        ("host", "counted_at"),
    ),
)
"""One row for each page with content: the article and its origin. Times are ISO 8601. `published_at` is
the instant at which `published` begins, in UTC, with its precision: second, minute, hour, day, month or year. `published_by` says
how it is known and `listed` what lists showed, as `extractors.article.dating` describes them; pages are sorted and counted
by `counted_at`."""

SOURCES = Table(
    "sources",
    (Column("key"), Column("body", "blob"), *_texts("compression", "charset", "fetched_at", "made_at")),
    key=("key",),
)
"""The page's bytes as fetched, compressed. `made_at`: when the server generated them; relative dates refer to it."""

URLS = Table(
    "urls",
    (
        Column("key"),
        *_texts("url", "host", "state", "etag", "last_modified", "fetched_at", "referrer", "found_by", "reason"),
        Column("activity"),
        *_columns("integer", "status", "depth", "failures"),
        Column("relevance", "real"),
        Column("first_seen", "text", first=True),
    ),
    key=("key",),
    indexes=(("host", "state", "key"), ("state", "key")),
)
"""The URL table: state is fetched, unchanged, part (of the article or thread in `reason`), redirected (to the address in
`reason`), other (not a page), unreadable (a start page that is neither page nor list), irrelevant, failed, refused (not requested,
because of robots.txt or our own rules) or dead. `activity` is a list's information on a thread at the time of its fetch."""

LINKS = Table("links", (Column("page"), Column("links", "packed", shape=[[str]])), key=("page",))
"""A page's outgoing links in document order: pairs of URL and anchor text."""

RECORDS = Table(
    "records",
    (
        *_texts("page", "key"),
        *_texts(
            "kind", "url", "author", "author_url", "time", "time_text", "title", "text", "quote", "parent", "floor"
        ),
        Column("last_time"),
        *_columns("integer", "part", "place", "replies", "views", "likes", "is_first"),
        Column("first_seen", "text", first=True),
        *_texts("fetched_at", "time_at", "time_precision"),
    ),
    key=("page", "key"),
    indexes=(("time",), ("time_at",)),
)
"""Posts, comments, reviews and entries of thread lists, each under its page; those of a thread with several pages under the
first page. They are ordered by `part`, the number in the address of their page, and `place`, their place on it. `time_at` relates to
`time` as `published_at` relates to `published` in pages."""

SITE_MEMORY = Table("site_memory", (Column("host"), Column("lines", "blob"), Column("changed_at")), key=("host",))
"""Boilerplate of hosts: `lines` is the compressed memory of `extractors.site_boilerplate`."""

REREADS = Table(
    "rereads",
    (Column("key"), *_texts("host", "page", "begun_at"), Column("counts", "json", shape=[object])),
    key=("key",),
)
"""Progress of unfinished runs of `scrapy reread`: the pages of hosts before `host` are read, and those of `host` up to `page`.
`key` is made from the conditions of the run."""

RUNS = Table(
    "runs",
    (
        Column("key"),
        *_texts("spider", "job", "started", "finished", "reason", "sentence"),
        Column("exit_code", "integer"),
        Column("arguments", "json", shape={}),
        *_columns("integer", "pages", "off_topic", "duplicates", "unchanged", "refused", "articles", "errors"),
        *_texts("state", "seen", "node", "alike", "moved_at"),
    ),
    key=("key",),
    indexes=(("started",), ("state", "started"), ("alike", "started"), ("finished",)),
)
"""One row for each run of a spider; `job` is scrapyd's job id, `node` the machine. `state` is running, done, left (work remains for a
later run) or failed; `seen` is the last heartbeat: a running run without a heartbeat for minutes was killed. `alike` is the
same for runs of one spider with the same arguments. `moved_at` is when the run last received responses."""

PROPAGATION = Table(
    "propagation",
    (
        Column("page"),
        *_texts("story", "original", "verdict", "rule", "matched", "title", "url", "site", "author", "published"),
        *_columns("real", "cosine", "delay_hours"),
        *_columns("integer", "reposts", "replies", "views", "comments"),
        Column("keywords", "json", shape=[str]),
        *_texts("fetched_at", "published_at", "by_title", "by_body"),
        Column("body_likeness", "real"),
        Column("place", "integer"),
        Column("first_seen", "text", first=True),
    ),
    key=("page",),
    indexes=(("story", "published"), ("published",), ("fetched_at",), ("verdict", "fetched_at"), ("place",)),
)
"""One row for each page with a title: its story (the page of it that was collected first), the story's original (see
`pipelines.originals`; `published_at` is the instant of `published` in UTC), the hours between the original and this page (none where
they are unknown), and the story's number of reposts. `suspected`: similar, but a rule objects. `verdict` is by title and body; `by_title`
is by the title alone, `by_body` is same, different or "" where the first sentences do not decide, `body_likeness` is their similarity,
0 … 1. `undecided`: no process could decide when the page was stored; a later one will. `place` is the title's number in the order in which
titles were decided."""

QUERIES = Table(
    "queries",
    (
        Column("key"),
        *_texts("crawl", "topic", "engine", "words", "site", "state", "reason", "asked_at"),
        *_columns("integer", "page", "place", "results", "new", "relevant", "tries"),
        Column("carried", "json", shape={}),
    ),
    key=("key",),
    indexes=(("crawl", "state"), ("crawl", "engine", "words", "key")),
)
"""Query pages of the meta-search: state is waiting, results, none, blocked (sent again) or layout_changed. `new` counts results
unknown before, `relevant` those of the topic; `carried` is data that the page needs from the previous answer."""

RESULTS = Table(
    "results",
    (
        *_texts("query", "key"),
        *_texts(
            "crawl", "engine", "words", "url", "target", "title", "snippet", "date", "date_text", "state", "found_at"
        ),
        Column("rank", "integer"),
        Column("score", "real"),
    ),
    key=("query", "key"),
    indexes=(("crawl",), ("key",)),
)
"""Results of engines; `target` is where a redirect leads, if that is known. `date` is ISO 8601, `date_text` the engine's
own text; `score` is the expected relevance by title and snippet. State is new, known (fetched before), old (published before
the wanted day), dead or failed."""

ENGINE_BACKOFFS = Table(
    "rests", (Column("engine"), Column("blocks", "integer"), Column("until", "real")), key=("engine",)
)
"""Blocking engines: consecutive blocks, and until when (seconds since 1970) no node queries them."""

REDIRECTS = Table("redirects", (Column("key"), *_texts("url", "target", "resolved_at")), key=("key",))
"""Engines' redirects that only a request could resolve."""

SITES = Table(
    "sites",
    (
        *_texts("crawl", "host"),
        *_texts("home", "state", "reason"),
        *_columns("integer", "pages", "relevant"),
        *(Column(name, "json", shape=[str]) for name in ("sitemaps", "feeds")),
    ),
    key=("crawl", "host"),
    indexes=(("state", "crawl", "host"), ("state", "relevant", "crawl", "host")),
)
"""Hosts with several relevant pages: proposed, accepted for a deep crawl, or rejected by people."""
LET_IN = "let_in"
"""The state of a host that a crawl or an operator has accepted."""

TOPICS = Table("topics", (Column("topic"), Column("version", "integer"), Column("changed_at")), key=("topic",))
"""Versions of topics, which change when people decide on terms; running nodes read them regularly."""

TERMS = Table(
    "terms",
    (
        *_texts("topic", "word"),
        *_texts("shown", "class", "state", "origin", "example"),
        *_columns("real", "weight", "score"),
        Column("pages", "integer"),
        Column("synonyms", "json", shape=[str]),
        Column("history", "json", shape=[{"at": str, "state": str, "by": str}]),
    ),
    key=("topic", "word"),
    indexes=(("topic", "state"),),
)
"""Terms proposed for topics: `word` is folded, state is candidate, accepted or rejected, `history` lists states (at, state, by),
oldest first."""

EXAMPLES = Table(
    "examples",
    (Column("topic"), Column("key"), *_texts("url", "by", "at"), Column("wanted", "integer")),
    key=("topic", "key"),
)
"""Pages that people have marked for a topic: `wanted` is 1 or 0, `key` that of the page."""

JUDGES = Table(
    "judges",
    (
        Column("topic"),
        Column("weights", "blob"),
        Column("bias", "real"),
        Column("examples", "integer"),
        Column("learned_at"),
        Column("alone", "integer"),
    ),
    key=("topic",),
)
"""Models learned from a topic's examples: `weights` are 16-bit floats of `extractors.topic.example_model`, lowest byte first;
`alone`: the terms are ignored."""

_PAGE_TABLES = (PAGES, SOURCES, URLS, LINKS, RECORDS, SITE_MEMORY, REREADS, RUNS, PROPAGATION)
_SEARCH_TABLES = (QUERIES, RESULTS, ENGINE_BACKOFFS, REDIRECTS, SITES, TOPICS, TERMS, EXAMPLES, JUDGES)
TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        *(*_PAGE_TABLES, *_SEARCH_TABLES, *WATCH_TABLES),
        *(*ANALYSIS_TABLES, *ALERT_TABLES, *DECISION_TABLES),
    )
}

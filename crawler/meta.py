"""The keys that this project puts into `request.meta`, and functions that read them.

Stored frontiers hold the names, so a name never changes. Scrapy's own keys (`proxy`, `cookiejar`, `dont_redirect`,
`dont_obey_robotstxt`, `redirect_times`, …) are written as Scrapy spells them.
"""

from scrapy import Request

from extractors.links.urls import host_of

Visitor = tuple[str, str, str]
"""Host, identity and proxy with which a request is sent; "" for no identity or no proxy."""

# -- how a page was found: stored with the request, copied to the page's item -----------------------------------------

DEPTH_KEY = "depth"
"""Links from a start page. Written by the link follower and the spiders; read by the page reader and for the URL table."""
LISTED_KEY = "listed"
"""Facts that lists give of the page: see `pipelines.dating`. Written by the link follower and the watch; read by the page reader."""
REFERRER_KEY = "referrer"
"""Address of the page that has the link. Written by the link follower; read by the page reader and for the URL table."""
FOUND_BY_KEY = "found_by"
"""link (if missing), start, robots, sitemap, feed, refresh, part, query, redirect, search or rebuild. Written by the
creator of the request; read by the page reader, the redirects and the meta-search."""
ACTIVITY_KEY = "activity"
"""A list's activity stamp of the linked thread. Written by the link follower; read by the page reader and for the URL
table."""
THREAD_KEY = "thread"
"""For a page that continues a thread: first page, number of pages up to the previous one, opening post, records of the
previous page. Written and read by `crawler.links.split_threads`."""
PUT_OFF_KEY = "put_off"
"""The request was requeued behind all others, because pages like it were not found. Written and read by the scheduler."""
RESCORED_KEY = "rescored"
"""How often the request was requeued with a lower score when its turn came. Written and read by the scheduler."""
RESULT_KEY = "result"
"""For a page that a search has found: [key of the query, key of the result]. Written and read by the meta-search."""
WORDS_KEY = "words"
"""For the same page: the words of the query. Written and read by the meta-search."""
READS_REFUSALS_KEY = "reads_refusals"
"""The callback handles refusals itself and backs off. Written by the meta-search; read by the bans."""

WATCH_KEY = "watch"
"""The visit of a watch, as `crawler.watching.rows` writes it. Written by the spider; read by it, and by the middlewares
that leave refusals and validators to the watch."""

SOURCE_KEY = "source"
"""For a page of a source: its name, the values of its address, the number of the page and the cursor. Written and read by
`crawler.sources`."""

HUB_KEY = "hub"
"""For a request to a WebSub hub: the subscription. Written and read by the spider of a watch."""

# -- the client: stored with the request, so that a retry uses the same identity -------------------------------------------

IDENTITY_KEY = "identity"
"""The identity that sends the request; redirects keep it. Written and read by identities and log-ins."""
LOGIN_KEY = "login"
"""For a request of a log-in: the host to log in to, whose proxies and browser it uses. Written by the session manager;
read by most middlewares."""

# -- of one download: never stored -------------------------------------------------------------------------------------

ATTEMPT_KEY = "frontier_attempt"
"""Number of this attempt, from 1. Written by the scheduler; read by middlewares that fail a request."""
FAILURE_KEY = "frontier_failure"
"""(reason, seconds until the next attempt) of a failed attempt. Written by middlewares; read by the scheduler."""
GIVE_BACK_KEY = "frontier_give_back"
"""The request is requeued without counting an attempt, as the failure was not its own. Written by middlewares; read by
the scheduler."""
PROMOTE_KEY = "frontier_promote"
"""The request only raises the priority of a queued one. Written by the link follower; read by the scheduler."""
SESSION_KEY = "session"
"""Generation of the session that the request uses. Written and read by the log-ins."""
IMPERSONATE_KEY = "impersonate"
"""The browser that the download handler impersonates. Written by `ImpersonateMiddleware`; read by the handler."""
VISITOR_KEY = "visitor"
"""The `Visitor`. Written by identities and proxies; read by bans, proxies, rendering and the download handler."""
TRANSIENT_KEYS = frozenset(
    (
        ATTEMPT_KEY,
        FAILURE_KEY,
        GIVE_BACK_KEY,
        PROMOTE_KEY,
        SESSION_KEY,
        IMPERSONATE_KEY,
        VISITOR_KEY,
        "cookiejar",
        "download_latency",
        "download_slot",
        "_auth_proxy",
        "is_start_request",
        "depth_reset",
    )
)
"""Keys of a single download. Retries and redirects copy meta, so the frontier removes them."""


def visitor_of(request: Request) -> Visitor:
    _, identity, proxy = request.meta.get(VISITOR_KEY) or ("", "", "")
    return host_of(request.url), identity, proxy


def settings_host(request: Request) -> str:
    """The host whose settings apply to the request: its own, or the one that it logs in to."""
    return str(request.meta.get(LOGIN_KEY) or host_of(request.url))

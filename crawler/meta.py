"""The keys that this project puts into `request.meta`, and what is read out of them.

Stored frontiers hold the values, so a value never changes. Scrapy's own keys (`proxy`, `cookiejar`, `dont_redirect`,
`dont_obey_robotstxt`, `redirect_times`, …) are written as Scrapy spells them.
"""

from scrapy import Request

from extractors.links.urls import host_of

Visitor = tuple[str, str, str]
"""Host, identity and proxy with which a request goes out; "" where there is no identity or no proxy."""

# -- how a page was found: stored with the request, copied to the page's item -----------------------------------------

DEPTH_KEY = "depth"
"""Links from a start page. Written by the link follower and the spiders; read by the page reader and for the URL table."""
REFERRER_KEY = "referrer"
"""Address of the page that has the link. Written by the link follower; read by the page reader and for the URL table."""
FOUND_BY_KEY = "found_by"
"""link (if missing), start, robots, sitemap, feed, refresh, part, query, redirect, search or rebuild. Written by who makes
the request; read by the page reader, the redirects and the meta-search."""
STRAYED_KEY = "strayed"
"""Pages in a row, up to the one with the link, that are not of the topic. Written and read by the link follower."""
ACTIVITY_KEY = "activity"
"""What a list says of the thread behind its link. Written by the link follower; read by the page reader and for the URL
table."""
THREAD_KEY = "thread"
"""Of a page that continues a thread: first page, number of pages up to the one before, opening post, records of the page
before. Written and read by `crawler.links.threads`."""
PUT_OFF_KEY = "put_off"
"""The request was queued anew behind all others, because pages like it were not found. Written and read by the scheduler."""
RESCORED_KEY = "rescored"
"""Times that the request was queued anew because it was worth less when its turn came. Written and read by the scheduler."""
RESULT_KEY = "result"
"""Of a page that a search has found: [key of the query, key of the result]. Written and read by the meta-search."""
WORDS_KEY = "words"
"""Of the same: the words of the query. Written and read by the meta-search."""
READS_REFUSALS_KEY = "reads_refusals"
"""The callback reads refusals itself and backs off, as searches do. Written by the meta-search; read by the bans."""

WATCH_KEY = "watch"
"""Of a request of a watch: its visit, as `crawler.watching.rows` writes it. Written by the spider; read by it, and by the
middlewares that leave refusals and validators to the watch."""

HUB_KEY = "hub"
"""Of a request to a WebSub hub: which subscription it asks for. Written and read by the spider of a watch."""

# -- who asks: stored with the request, so that a retry asks as the same identity ------------------------------------------

IDENTITY_KEY = "identity"
"""As whom the request goes out; redirects keep it. Written by identities and log-ins; read by them."""
LOGIN_KEY = "login"
"""Of a request that belongs to a log-in: the host for which it is made, whose proxies and browser it keeps. Written by the
session keeper; read by most middlewares."""

# -- of one download: never stored -------------------------------------------------------------------------------------

ATTEMPT_KEY = "frontier_attempt"
"""Number of this attempt, from 1. Written by the scheduler; read by middlewares that fail a request."""
FAILURE_KEY = "frontier_failure"
"""(reason, seconds until the next attempt): the attempt has failed. Written by middlewares; read by the scheduler."""
GIVE_BACK_KEY = "frontier_give_back"
"""The request was not answered through no fault of its own: it is queued again and no attempt is counted. Written by
middlewares; read by the scheduler."""
PROMOTE_KEY = "frontier_promote"
"""The request only moves up one which waits. Written by the link follower; read by the scheduler."""
SESSION_KEY = "session"
"""Generation of the session with which the request goes out. Written and read by the log-ins."""
IMPERSONATE_KEY = "impersonate"
"""The browser as which the download handler sends the request. Written by the middleware of that name; read by the
handler."""
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
"""Keys that belong to one download; retries and redirects copy meta, so the frontier leaves them out."""


def visitor_of(request: Request) -> Visitor:
    _, identity, proxy = request.meta.get(VISITOR_KEY) or ("", "", "")
    return host_of(request.url), identity, proxy


def settings_host(request: Request) -> str:
    """The host under whose settings the request goes: its own, or that for which it logs in."""
    return str(request.meta.get(LOGIN_KEY) or host_of(request.url))

"""Priorities of requests, the largest first. A priority is a score times the scale of the crawl's strategy.

Scores of links are 0 … 1. Requests that precede every link have one of the scores above 1 defined here.
"""

BAND = 100
"""The frontier compares hosts in steps of this size, so that hosts of nearly equal best priority take turns. Within a
host priorities are compared exactly. `frontier/shared/lua/common.lua` has the same number."""

SITE_SCALE = 10 * BAND
"""Without a topic: hosts whose best scores differ by less than a tenth take turns."""
FOCUSED_SCALE = 30 * BAND
"""Expected relevance is exact to a few hundredths: hosts within 0.033 take turns, so that the last pages of a topic are
searched for on all hosts in parallel."""
TOPIC_SCALE = 1_000 * BAND
"""Other orders of a topic's crawl follow the score alone: hosts take turns within a thousandth."""

START_SCORE = 2
"""Start pages, robots.txt, sitemaps, feeds, further parts of an article."""
REDIRECT_SCORE = 3
"""A search engine's redirects: they lead to pages and cost their host little."""
QUERY_SCORE = 4
"""Queries to search engines."""

LAST_PRIORITY = -BAND
"""Deferred requests: behind every link."""
FED_PRIORITY = 100 * BAND
"""Start URLs that other programs put into the shared frontier, for any strategy."""


def priority_of(score: float, scale: int) -> int:
    """The priority of a request with this score."""
    return round(score * scale)

"""Priorities of requests: larger comes first. A priority is a score times the scale of the crawl's strategy.

Scores of links are 0 … 1. What must come before every link has one of the scores above 1 that are named here.
"""

BAND = 100
"""The frontier compares hosts in steps of this size, so that hosts of nearly equal best priority take turns; within a host
priorities are compared exactly. `frontier/shared/lua/common.lua` has the same number."""

SITE_SCALE = 10 * BAND
"""Without a topic: hosts whose best scores differ by less than a tenth take turns."""
FOCUSED_SCALE = 30 * BAND
"""Expected relevance is exact to a few hundredths: within 0.033 hosts take turns, so that a topic's last pages are looked for
everywhere at once."""
TOPIC_SCALE = 1_000 * BAND
"""Other orders of a topic's crawl keep to the score alone: hosts take turns within a thousandth."""

START_SCORE = 2
"""Start pages, robots.txt, sitemaps, feeds, further parts of an article."""
REDIRECT_SCORE = 3
"""A search engine's redirects: they lead to pages and cost their host little."""
FOCUSED_START = 0.4
"""Start pages of a focused crawl: what is expected to be of the topic comes before sites of which nothing is known."""
QUERY_SCORE = 4
"""Queries to search engines."""

LAST_PRIORITY = -BAND
"""Requests that were put off: behind every link."""
FED_PRIORITY = 100 * BAND
"""Start URLs that others put into the shared frontier, whatever the strategy."""


def priority_of(score: float, scale: int) -> int:
    """The priority of a request with this score."""
    return round(score * scale)

"""Search in everything that was collected: an index by tantivy or OpenSearch, written as pages change, and answers from it."""

from analysis.search.found import Finder, Found, FoundOrder, NoIndexError, SearchMatch
from analysis.search.hits import Hit, hits, verified
from analysis.search.opening import Searcher, search_step
from analysis.search.page_counts import PageCounts, count_pages, has_index, page_counts, pages_having, word_query
from analysis.search.query import QueryError
from analysis.search.search_index import JOB
from analysis.search.zero import ZeroReasons, zero_reasons

__all__ = [
    "JOB",
    "Finder",
    "Found",
    "FoundOrder",
    "Hit",
    "NoIndexError",
    "PageCounts",
    "QueryError",
    "SearchMatch",
    "Searcher",
    "ZeroReasons",
    "count_pages",
    "has_index",
    "hits",
    "page_counts",
    "pages_having",
    "search_step",
    "verified",
    "word_query",
    "zero_reasons",
]

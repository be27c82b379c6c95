"""Search in everything that was collected: an index in the store, written as pages change, and answers from it."""

from analysis.search.catalog import JOB
from analysis.search.hits import Hit, document_of, hits, numbered_hits, verified
from analysis.search.index import SearchIndex
from analysis.search.opensearch import open_searcher
from analysis.search.query import QueryError
from analysis.search.ranked import Finder, Ranked
from analysis.search.searcher import Searcher

__all__ = [
    "JOB",
    "Finder",
    "Hit",
    "QueryError",
    "Ranked",
    "SearchIndex",
    "Searcher",
    "document_of",
    "hits",
    "numbered_hits",
    "open_searcher",
    "verified",
]

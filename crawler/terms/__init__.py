"""The terms of topics: their store, candidates, review by people, and use in running crawls."""

__all__ = [
    "corpus",
    "example_store",
    "expansion",
    "learning",
    "misses",
    "review",
    "term_files",
    "term_store",
]

"""Worker processes that read pages, so that a crawl uses several cores."""

__all__ = [
    "autoscale",
    "deferred_free",
    "frames",
    "host_boilerplate",
    "pool",
    "reads",
    "values",
]

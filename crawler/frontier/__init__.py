"""The queue of a crawl: requests, leases, delays, retries; `opening` chooses one of the two forms."""

__all__ = [
    "acknowledging",
    "base",
    "disk",
    "opening",
    "pacing",
    "recent_keys",
    "requests",
    "rescorer",
    "scheduler",
    "shared",
]

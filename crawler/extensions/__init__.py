"""Extensions of Scrapy, wired by `crawler.addon`: progress, metrics, runs, archives."""

__all__ = [
    "archive",
    "health",
    "heap",
    "logs",
    "metrics",
    "node_exchange",
    "progress",
    "runs",
    "steady_timers",
]

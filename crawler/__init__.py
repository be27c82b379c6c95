"""Which pages are fetched, in which order, and how: on Scrapy, on one machine or on many."""

__all__ = [
    "addon",
    "bans",
    "checks",
    "command_line",
    "commands",
    "config",
    "download",
    "engines",
    "excepthook",
    "exit_status",
    "frontier",
    "identities",
    "new_folder",
    "printed_tables",
    "scheduling",
    "spider_loading",
    "spiders",
    "terms",
    "watching",
]

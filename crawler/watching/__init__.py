"""The decisions of a watch: where new items are announced, when to visit, what to trust. No network and no clock of its own."""

__all__ = [
    "answers",
    "lease_keeper",
    "operator_orders",
    "pushing",
    "reading",
    "rows",
    "shift",
    "silence",
    "status",
    "visits",
    "watch",
    "watcher",
]

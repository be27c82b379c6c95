"""The frontier of any number of nodes, in Redis."""

__all__ = ["server", "start_urls"]

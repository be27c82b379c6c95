"""The frontier of any number of nodes, in Redis."""

__all__ = ["buffered", "server", "sharded"]

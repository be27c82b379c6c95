"""The store of a cluster, in MongoDB."""

__all__ = ["store"]

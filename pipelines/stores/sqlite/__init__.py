"""The store of one machine, in one SQLite file."""

__all__ = ["store"]

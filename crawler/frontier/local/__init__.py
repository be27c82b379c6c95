"""The frontier of one process: one SQLite file."""

__all__ = ["opening"]

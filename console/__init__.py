"""The web console: view collected data, control crawls, and make decisions."""

__all__ = ["commands"]

"""Fetching of pages: handlers, resolver, browsers to imitate."""

__all__ = ["answer_times", "browsers", "handlers", "ip_addresses", "one_shot"]

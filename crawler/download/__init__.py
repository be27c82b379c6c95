"""How a page is fetched: handlers, resolver, browsers to imitate."""

__all__ = ["answer_times", "browsers", "handlers", "ip_addresses", "one_shot"]

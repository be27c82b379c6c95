"""Archives of requests and answers in WARC files."""

__all__ = ["exchange", "stored_sources", "writer"]

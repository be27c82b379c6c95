"""The parts of an engine, and the parsing of answers. Engines in `crawler.engines` import from here, never the reverse."""

__all__ = ["engine", "reading", "redirects", "result_dates", "rules"]

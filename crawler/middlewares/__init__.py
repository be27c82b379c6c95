"""Middlewares of Scrapy in the order of `crawler.addon`, one per file."""

__all__ = [
    "bans",
    "client_identity",
    "exclusions",
    "failures",
    "logins",
    "parse_workers",
    "rendering",
    "request_filters",
    "robots",
    "scrapy_overrides",
    "site_proxies",
    "turns",
]

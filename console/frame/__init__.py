"""Shared by all pages: declarations, request contexts, templates, words, paging, exports, security headers."""

__all__ = [
    "app_context",
    "authentication",
    "connections",
    "decisions",
    "faults",
    "html_rendering",
    "live",
    "login",
    "openapi",
    "page",
    "paging",
    "params",
    "request_context",
    "safety",
    "serving",
    "word_catalogue",
]

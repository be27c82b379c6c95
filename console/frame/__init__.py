"""Shared by all pages: declarations, request contexts, templates, words, paging, exports, security headers."""

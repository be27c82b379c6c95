"""Addresses, links, and links to further pages."""

__all__ = ["find", "list_paging", "urls"]

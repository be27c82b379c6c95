"""Proxies: their lists, pools, and checks."""

__all__ = ["judge", "proxy_lists", "proxy_pool"]

"""Refusals by sites and proxies: detected, counted, and shared between nodes."""

__all__ = ["health", "refusals", "registry", "shared"]

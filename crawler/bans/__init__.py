"""How sites and proxies refuse: detected, counted, and shared between nodes."""

__all__ = ["health", "refusals", "registry", "shared"]

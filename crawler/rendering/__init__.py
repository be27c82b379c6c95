"""Renders pages whose text is created by scripts."""

__all__ = ["browser", "options", "render_policy", "renderer"]

"""Renders pages whose text is created by scripts."""

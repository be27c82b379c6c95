"""Access for assistants over the Model Context Protocol, with the data and, if allowed, actions of the pages."""

__all__ = ["actions", "mcp_server"]

"""Read-only access for assistants over the Model Context Protocol, with the same data as the pages."""

__all__ = ["mcp_server"]

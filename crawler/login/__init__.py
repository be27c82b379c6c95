"""Log-ins: finds and fills in forms, follows redirects over several hosts, detects and renews lost sessions."""

__all__ = ["identity_sessions", "login_flow", "login_wall"]

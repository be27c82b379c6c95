"""Access control: accounts, sessions, tokens, log-in rate limits."""

__all__ = ["passwords", "people", "sessions", "throttle"]

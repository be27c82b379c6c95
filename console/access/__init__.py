"""Access control: accounts, sessions, tokens, log-in rate limits."""

__all__ = [
    "names",
    "passwords",
    "people",
    "sessions",
    "throttle",
]

"""Sessions and cookies of identities at sites."""

__all__ = ["base", "cookies", "opening", "secrets"]

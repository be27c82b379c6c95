"""Small things that requests share."""

from collections.abc import Mapping
from urllib.parse import urlencode


def address(base: str, **parameters: str | int) -> str:
    """The address with those parameters that are not empty."""
    given: Mapping[str, str] = {name: str(value) for name, value in parameters.items() if value != ""}
    return f"{base}?{urlencode(given)}" if given else base

"""Where the links of records lead."""

from functools import lru_cache
from urllib.parse import urljoin


@lru_cache(maxsize=5_000)
def absolute(base: str, target: str) -> str:
    """A link's address made absolute; "" for one that is none."""
    try:
        return urljoin(base, target.strip())
    except ValueError:
        return ""

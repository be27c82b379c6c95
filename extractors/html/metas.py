"""What a page's meta elements say."""

import numpy as np

from extractors.html.columns import Columns
from extractors.html.document import Document


def meta_values(page: Document) -> dict[str, str]:
    """Name, property or itemprop in lower case → content of the page's meta elements; of equal names the first."""
    columns = page.columns
    found: dict[str, str] = {}
    for place in np.flatnonzero(columns.tagged("meta")).tolist():
        name = next(filter(None, (columns.value(place, name) for name in ("property", "name", "itemprop"))), "")
        content = _content(columns, place) if name else ""
        if content:
            found.setdefault(name.strip().lower(), content[:5_000])
    return found


def _content(columns: Columns, place: int) -> str:
    """Some tools that save pages write `value` for `content`."""
    return (columns.value(place, "content") or columns.value(place, "value")).strip()

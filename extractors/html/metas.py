"""Values of a page's meta elements."""

from extractors.html.document import Document

_NAMES = ("property", "name", "itemprop")
_MAX_CHARS = 5_000


def meta_values(page: Document) -> dict[str, str]:
    """Name, property or itemprop in lower case → content of the page's meta elements; the first of equal names."""
    columns = page.columns
    (first, second, third), contents = (columns.sparse(name) for name in _NAMES), columns.sparse("content")
    found: dict[str, str] = {}
    for place in columns.places("meta"):
        name = first.get(place) or second.get(place) or third.get(place)
        # some tools that save pages write `value` for `content`
        if name and (content := (contents.get(place) or columns.value(place, "value")).strip()):
            found.setdefault(name.strip().lower(), content[:_MAX_CHARS])
    return found

"""A page's fields as plain values, for a scorer."""

from extractors.page import Page


def fields(body: bytes, url: str) -> dict[str, str]:
    """Title, author, date (ISO 8601), language (ISO 639-1) and kind of a page's bytes; "" where unknown."""
    page = Page(body, url)
    article = page.article
    return {
        "title": article.title,
        "author": article.author,
        "date": article.published,
        "language": article.language,
        "kind": page.kind.name,
    }

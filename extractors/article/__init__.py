"""The article of a page: its main text, title, author, time and source."""

from extractors.article import decay, density
from extractors.article.body import body_text, confidence_of
from extractors.article.metadata import Article, describe
from extractors.html.document import Document

METHODS = ("default", "density", "decay")

__all__ = [
    "METHODS",
    "Article",
    "author_names",
    "blocks",
    "body",
    "dating",
    "decay_text",
    "density_text",
    "explain",
    "extract",
    "kinds",
    "main_text",
    "markdown",
    "metadata",
    "parts",
    "published",
    "title",
    "zones",
]


def extract(page: Document, method: str = "default", captions: bool | None = None) -> Article:
    """The page's article by one of `METHODS`; ValueError for another name.

    The default method judges captions of pictures like other text; `captions` True or False includes all or none.
    """
    text = body_text(page, captions) if method == "default" else _text(page, method)
    return describe(page, text, method, confidence_of(page, text))


def _text(page: Document, method: str) -> str:
    if method == "density":
        return density.density_text(page)
    if method == "decay":
        return decay.decay_text(page)
    raise ValueError(f"{method!r} is not a method; choose one of {', '.join(METHODS)}")


def main_text(body: bytes, *, url: str = "") -> str:
    """The main text of a page's bytes by the default method."""
    return body_text(Document(body, url))


def density_text(body: bytes, *, url: str = "") -> str:
    """The main text of a page's bytes by line text density."""
    return density.density_text(Document(body, url))


def decay_text(body: bytes, *, url: str = "") -> str:
    """The main text of a page's bytes by decay of non-link text."""
    return decay.decay_text(Document(body, url))

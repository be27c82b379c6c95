"""The default method."""

from extractors.article.decay import decay_text
from extractors.page import Page

_ENOUGH = 140


def body_text(page: Page) -> str:
    """The page's main text."""
    return decay_text(page)


def confidence_of(page: Page, text: str) -> float:
    """0 … 1: how sure it is that the page is that of one article; by the length of its text and of its links."""
    columns = page.columns
    if not len(columns) or not columns.text_length[0]:
        return 0.0
    length = len(text)
    links = columns.link_length[0] / columns.text_length[0]
    return float(min(1.0, length / (2 * _ENOUGH)) * (1.0 - 0.5 * links))

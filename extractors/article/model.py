"""What an article is to the rest of the system."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Article:
    """A page's main text and what is said about it; "" or an empty tuple where the page does not say.

    Attributes:
        text: paragraphs, headings, list items, rows and lines of code on lines of their own.
        published, modified: ISO 8601; a date alone, or to the minute or second, with the zone where the page gives one.
        source: the original publisher ("来源"), else the site's name.
        image: absolute URL of the lead image.
        language: ISO 639-1.
        method: the method that found the text.
        confidence: 0 … 1, how sure it is that this is the page of one article.
    """

    title: str = ""
    text: str = ""
    author: str = ""
    published: str = ""
    modified: str = ""
    source: str = ""
    keywords: tuple[str, ...] = ()
    summary: str = ""
    language: str = ""
    image: str = ""
    method: str = ""
    confidence: float = 0.0

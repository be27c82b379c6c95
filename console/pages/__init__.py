"""Every page of the console, in the order of the list of pages."""

from console.frame.page import Page
from console.pages import article, articles, examples, terms

PAGES: tuple[Page, ...] = (
    articles.PAGE,
    article.WHY,
    article.PAGE,
    terms.PAGE,
    examples.PAGE,
)

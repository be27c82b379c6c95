"""Every page of the console, in the order of the list of pages."""

from console.frame.page import Page
from console.pages import (
    article,
    articles,
    decisions,
    engines,
    events,
    examples,
    sites,
    terms,
    titles,
    trend,
    urls,
    users,
    watched,
)

PAGES: tuple[Page, ...] = (
    events.PAGE,
    events.EVENT,
    articles.PAGE,
    article.WHY,
    article.PAGE,
    trend.PAGE,
    terms.PAGE,
    examples.PAGE,
    sites.PAGE,
    watched.PAGE,
    sites.ACCESS,
    engines.PAGE,
    engines.QUERIES_PAGE,
    urls.PAGE,
    titles.PAGE,
    decisions.PAGE,
    users.PAGE,
    decisions.AUDIT_PAGE,
)

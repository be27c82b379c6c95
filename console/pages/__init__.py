"""Every page of the console, in the order of the list of pages."""

from console.frame.page import ConsolePage
from console.pages import (
    alerts,
    article,
    articles,
    decisions,
    engines,
    events,
    examples,
    plan,
    runs,
    sites,
    terms,
    titles,
    today,
    topic_form,
    trend,
    urls,
    users,
    watched,
)

__all__ = ["PAGES", "article", "articles", "events", "trend"]

PAGES: tuple[ConsolePage, ...] = (
    today.PAGE,
    events.PAGE,
    events.EVENT,
    events.SPLIT_PREVIEW,
    alerts.PAGE,
    articles.PAGE,
    article.WHY,
    article.PAGE,
    trend.PAGE,
    runs.PAGE,
    plan.PAGE,
    runs.NODES,
    runs.RUN,
    terms.PAGE,
    topic_form.PAGE,
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

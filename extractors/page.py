"""A page read once: everything that is asked about it hangs on one document."""

from extractors import article, records
from extractors.article.body import Body, find_body
from extractors.html.document import Document, Limits
from extractors.links.find import Link, find_links

__all__ = ("Limits", "Page")


class Page(Document):
    """A document with what is read of it: article, records, links; each is read when it is first asked for."""

    @property
    def lines(self) -> Body:
        """The lines of its text, and which of them are main text."""
        return self.once(find_body)

    @property
    def article(self) -> article.Article:
        """Main text, title, author, time, source by the default method."""
        return self.once(article.extract)

    @property
    def records(self) -> records.RecordSet:
        """Posts, comments, reviews, answers or lines of a thread list."""
        return self.once(records.extract)

    @property
    def links(self) -> tuple[Link, ...]:
        """Where the page leads."""
        return self.once(find_links)

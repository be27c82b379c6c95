"""The indexed documents of a page and of each of its records."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from analysis.jobs import StoredPage, instant
from analysis.search.terms import field_term, terms_of

FORMAT = 3
"""Changes with what is indexed: an index of another format is made again."""
_TITLE_COUNTS = 3
"""A word of the title counts as that many of the text."""
_INDEXED_CHARACTERS = 100_000
"""Characters of a text that are indexed."""
Fields = dict[str, str | int | list[str]]


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """A page (`record` is "") or a record, as it is found; `at` is an instant, "" if unknown. `is_listed`: whether its page is stored, so
    that lists show it."""

    page: str
    record: str
    title: str
    author: str
    body: str
    at: str
    host: str
    kind: str
    topic: str
    language: str = ""
    is_listed: bool = True

    def fields(self, indexed: int) -> Fields:
        """Fields of the index; `indexed` orders documents by when they were indexed.

        `terms` are separated by spaces, those of title and author a second time under the name of the field; `domains` are the host
        and all domains above it; `page_number` is that of the page, 0 if lists do not show it; `seconds` since 1970, -1 if unknown;
        `length` in terms without those of fields, `all_terms` with them.
        """
        title, author, body = (terms_of(text[:_INDEXED_CHARACTERS]) for text in (self.title, self.author, self.body))
        of_fields = [*(field_term(term, "title") for term in title), *(field_term(term, "author") for term in author)]
        terms = [*title * _TITLE_COUNTS, *body]
        labels = self.host.lower().split(".")
        return {
            "page": self.page, "record": self.record, "host": self.host, "kind": self.kind.lower(), "topic": self.topic.lower(),
            "language": self.language.lower().partition("-")[0],
            "terms": " ".join([*terms, *of_fields]), "length": len(terms), "all_terms": len(terms) + len(of_fields), "indexed": indexed,
            "page_number": page_number(self.page) if self.is_listed else 0,
            "domains": [".".join(labels[place:]) for place in range(len(labels))],
            "seconds": int(datetime.fromisoformat(self.at).timestamp()) if self.at else -1,
        }  # fmt: skip


def page_number(page: str) -> int:
    """A number above 0 for the key of a page, by which engines count pages."""
    return int.from_bytes(blake2b(page.encode("utf-8", "replace"), digest_size=7).digest()) + 1


def documents_of(page: StoredPage) -> Iterator[SearchDocument]:
    """The page itself, if it has text, and each record that has some."""
    host, topic, language = page.text("host"), page.text("topic"), page.text("language")
    if page.text("title") or page.text("body"):
        texts = (page.text("title"), page.text("author"), page.text("body"))
        yield SearchDocument(page.key, "", *texts, page.at, host, page.text("kind"), topic, language)
    for record in page.records:
        if record["text"] or record["title"]:
            at = instant(record["time_at"] or record["first_seen"] or "")
            texts = (record["title"] or "", record["author"] or "", record["text"] or "")
            kind, is_listed = record["kind"] or "", page.row is not None
            yield SearchDocument(page.key, record["key"], *texts, at, host, kind, topic, language, is_listed)

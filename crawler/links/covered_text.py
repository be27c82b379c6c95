"""How much of a page's article its records cover; a high share marks a discussion."""

from collections.abc import Sequence

from extractors import article, records
from extractors.html.document import Document

_MAX_SEARCHED_LINES = 300
"""Lines that are searched for in all texts; each costs time in proportion to their length."""


def covered_share(page: Document) -> float:
    """The share of the article's characters, without white space, in lines that its records have too; see `Document.once`.

    Of the lines that are not whole lines of a record, the first three hundred are searched for in the records' texts.
    """
    lines = _lines(page.once(article.extract).text)
    texts = [record.text for record in page.once(records.extract).records]
    whole = {line for text in texts for line in _lines(text)}
    others = [line for line in lines if line not in whole]
    said = "".join("".join(text.split()) for text in texts) if others else ""
    missing = sum(len(line) for place, line in enumerate(others) if place >= _MAX_SEARCHED_LINES or line not in said)
    return 1 - missing / max(1, sum(map(len, lines)))


def _lines(text: str) -> Sequence[str]:
    return ["".join(line.split()) for line in text.split("\n")]

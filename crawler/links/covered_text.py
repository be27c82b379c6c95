"""How much of a page's article is what its records say: then the page is a discussion."""

from collections.abc import Sequence

from extractors import article, records
from extractors.html.document import Document

_MAX_SEARCHED = 300
"""Lines that are looked for inside of all texts; each costs as much as these are long."""


def covered_share(page: Document) -> float:
    """The share of the article's characters, white space left out, in lines that its records have too; see `Document.once`.

    Lines that are no whole lines of a record are looked for inside of the records' texts, the first three hundred of them.
    """
    lines = _lines(page.once(article.extract).text)
    texts = [record.text for record in page.once(records.extract).records]
    whole = {line for text in texts for line in _lines(text)}
    others = [line for line in lines if line not in whole]
    said = "".join("".join(text.split()) for text in texts) if others else ""
    missing = sum(len(line) for place, line in enumerate(others) if place >= _MAX_SEARCHED or line not in said)
    return 1 - missing / max(1, sum(map(len, lines)))


def _lines(text: str) -> Sequence[str]:
    return ["".join(line.split()) for line in text.split("\n")]

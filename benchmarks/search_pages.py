"""Made pages for the benchmark of search: words with the frequencies of general language; and a part of the index of many at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from wordfreq import top_n_list, word_frequency

from analysis.jobs.pages import StoredPage
from analysis.search.documents import Columns, Names, columns_of, documents_of
from analysis.search.segments import Postings
from analysis.search.terms import raw_terms, terms_in

WORDS = 30_000
BODY, TITLE = 350, 10
_TITLE_COUNTS = 3
_MOST = 255


def batches(pages: int, size: int) -> Iterator[list[dict[str, str]]]:
    """Rows of made pages, so many at a time; the same whatever the size."""
    words = top_n_list("zh", WORDS)
    shares = np.cumsum([word_frequency(word, "zh") for word in words])
    for first in range(0, pages, size):
        yield [_page(number, words, shares) for number in range(first, min(pages, first + size))]


def _page(number: int, words: Sequence[str], shares: NDArray[np.float64]) -> dict[str, str]:
    drawn = np.random.default_rng(number).random(TITLE + BODY) * shares[-1]
    text = [words[place] for place in np.searchsorted(shares, drawn).tolist()]
    host = f"h{number % 50}.example"
    return {
        "key": f"p{number}", "title": "".join(text[:TITLE]), "body": "".join(text[TITLE:]), "host": host,
        "url": f"https://{host}/{number}", "kind": "article", "published_at": f"2026-11-{number % 28 + 1:02}T08:00:00+00:00",
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """What the index has of pages: their postings, columns, and rows that map numbers to pages."""

    postings: Postings
    columns: Columns
    rows: list[Mapping[str, object]]


def part_of(pages: Sequence[Mapping[str, str]], first: int, names: Names) -> Part:
    """The same as of pages that are indexed one by one, the first under the number `first`; it adds to `names`."""
    titles, bodies = [page["title"] for page in pages], [page["body"] for page in pages]
    title, title_of = _terms(titles)
    body, body_of = _terms(bodies)
    lengths = _TITLE_COUNTS * np.bincount(title_of, minlength=len(pages)) + np.bincount(body_of, minlength=len(pages))
    stored = (StoredPage(page["key"], _row(page), ()) for page in pages)
    documents = {first + place: next(documents_of(each)) for place, each in enumerate(stored)}
    rows: list[Mapping[str, object]] = [
        {"page": each.page, "record": "", "number": number, "digest": each.digest} for number, each in documents.items()
    ]
    counted = {number: (each, int(lengths[number - first])) for number, each in documents.items()}
    terms = np.concatenate([*[terms_in(title)] * _TITLE_COUNTS, terms_in(body), terms_in(title, "title")])
    of = np.concatenate([*[title_of] * _TITLE_COUNTS, body_of, title_of])
    return Part(_postings(terms, of, first), columns_of(counted, names), rows)


def _row(page: Mapping[str, str]) -> dict[str, str | None]:
    return {"author": None, "topic": None, "published_precision": None, "first_seen": None, "fetched_at": None, **page}


def _terms(texts: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Raw terms of all texts, and which text each is of."""
    ends = np.cumsum([len(text) + 1 for text in texts])
    raw = raw_terms("\0".join(texts))
    return raw.values, np.searchsorted(ends, raw.starts, side="right")


def _postings(terms: NDArray[np.uint64], of: NDArray[np.int64], first: int) -> Postings:
    """Sorted by term and document, each pair once with its count."""
    bits = np.uint64(24)  # a term has 40
    keys = np.sort((terms << bits) | of.astype(np.uint64))
    starts = np.flatnonzero(np.diff(keys, prepend=~keys[:1]))
    counts = np.minimum(np.diff(starts, append=len(keys)), _MOST).astype(np.uint8)
    kept = keys[starts]
    documents = (kept & np.uint64((1 << 24) - 1)).astype(np.uint32) + np.uint32(first)
    return Postings(kept >> bits, documents, counts)

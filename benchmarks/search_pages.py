"""Made pages for the benchmark of search: words with the frequencies of general language."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from wordfreq import top_n_list, word_frequency

WORDS = 30_000
BODY, TITLE = 350, 10


def batches(pages: int, size: int) -> Iterator[list[dict[str, str]]]:
    """Rows of made pages in batches; the same for every batch size."""
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

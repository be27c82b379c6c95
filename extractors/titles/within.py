"""The pairs within a batch of titles, none of which is stored yet."""

import itertools
from collections.abc import Sequence

import numpy as np

from extractors.titles.columns import Column
from extractors.titles.index import TitleIndex
from extractors.titles.rules import Rule, objection
from extractors.titles.search import similar_titles
from extractors.titles.storage import TitleStore
from extractors.titles.title_text import TitleText
from extractors.titles.vocabulary import Vocabulary

Pairs = Sequence[tuple[int, float, Rule]]
"""Earlier titles of a batch from the lower threshold on, outside of the window of days from the threshold on: number, cosine, and
the rule that objects."""


def pairs_within(
    titles: Sequence[TitleText | None], days: Sequence[int], asked: Sequence[int], index: TitleIndex
) -> tuple[dict[int, Pairs], list[int]]:
    """For each title that is asked for its pairs with earlier ones of the batch, where it has any, and the titles on which a comparison
    failed.

    index: its threshold, rules and weights count. Weights do not change within the batch.
    """
    if not asked:
        return {}, []
    own, store, logs = _stored(titles, index)
    found, failed = dict[int, Pairs](), list[int]()
    for at in (at for at in asked if own[at]):
        near = similar_titles(store, logs, own[at], index.vocabulary.unknown, [], index.reach)
        try:
            judged = [
                (other, cosine, _rule(titles, days, at, other, cosine, index))
                for cosine, other in zip(*near, strict=True)
                if other < at
            ]
        except Exception:  # as in a whole index: the title is new
            failed.append(at)
            continue
        pairs = [pair for pair in judged if pair[2] != "window" or pair[1] >= index.threshold]
        if pairs:
            found[at] = pairs
    return found, failed


def _stored(titles: Sequence[TitleText | None], index: TitleIndex) -> tuple[list[list[int]], TitleStore, Column]:
    """The titles' terms by numbers of their own, the titles by these, and the logarithms of the terms."""
    words, strangers = index.vocabulary, dict[str, int]()
    numbers, lengths = list[int](), list[int]()
    for title in titles:
        terms = title.terms if title else ()
        known = index.known(title) if title else []
        if len(known) < len(terms):
            known = _numbers(terms, words, strangers)
        numbers += known
        lengths.append(len(known))
    distinct, own = np.unique(np.array(numbers, np.uint32), return_inverse=True)
    logs, store = Column(np.float64), TitleStore()
    logs.extend(np.where(distinct < len(words), words.logs.data[np.minimum(distinct, len(words.logs.data) - 1)], 0.0))
    store.take(own.astype(np.uint32), np.array(lengths, np.uint16), len(distinct))
    store.post(words.unknown - logs.filled())
    ends = np.cumsum([0, *lengths]).tolist()
    flat = own.tolist()
    return [flat[start:end] for start, end in itertools.pairwise(ends)], store, logs


def _numbers(terms: Sequence[str], words: Vocabulary, strangers: dict[str, int]) -> list[int]:
    """Of terms; those of the vocabulary come before the strangers."""
    return [
        len(words) + strangers.setdefault(term, len(strangers)) if number < 0 else number
        for term, number in zip(terms, words.names.find(terms), strict=True)
    ]


def _rule(
    titles: Sequence[TitleText | None], days: Sequence[int], at: int, other: int, cosine: float, index: TitleIndex
) -> Rule:
    one, two = titles[at], titles[other]
    if one is None or two is None:
        raise ValueError("a title that cannot be compared is near to another")
    apart = abs(days[at] - days[other]) if days[at] and days[other] else None
    return objection(index.rules, one, two, apart, cosine)

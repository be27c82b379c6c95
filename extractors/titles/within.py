"""The pairs within a batch of titles, none of which is stored yet."""

from collections.abc import Sequence

import numpy as np

from extractors.titles.answers import Pairs
from extractors.titles.columns import Column
from extractors.titles.index import TitleIndex
from extractors.titles.rules import Rule, objection
from extractors.titles.search import similar_titles
from extractors.titles.storage import TitleStore
from extractors.titles.title_text import TitleText


def pairs_within(
    titles: Sequence[TitleText | None], days: Sequence[int], asked: Sequence[int], index: TitleIndex
) -> tuple[dict[int, Pairs], list[int]]:
    """For each title that is asked for its pairs with earlier ones of the batch, where it has any, and the titles on which a comparison
    failed.

    index: its threshold, rules and weights count. Weights do not change within the batch.
    """
    if not asked:
        return {}, []
    numbers: dict[str, int] = {}
    own = [[numbers.setdefault(term, len(numbers)) for term in (title.terms if title else ())] for title in titles]
    store, logs = _stored(own, numbers, index)
    found, failed = dict[int, Pairs](), list[int]()
    for at in (at for at in asked if own[at]):
        near = similar_titles(store, logs, own[at], index.vocabulary.unknown, [], index.reach)
        try:
            pairs = [
                (other, cosine, _rule(titles, days, at, other, cosine, index)) for cosine, other in near if other < at
            ]
        except Exception:  # as in a whole index: the title is new
            failed.append(at)
            continue
        if pairs:
            found[at] = pairs
    return found, failed


def _stored(own: list[list[int]], numbers: dict[str, int], index: TitleIndex) -> tuple[TitleStore, Column]:
    words = index.vocabulary
    logs, store = Column(np.float64), TitleStore()
    known = [words.numbers.get(name) for name in numbers]
    logs.extend([0.0 if number is None else words.logs.view[number] for number in known])
    terms = np.array([number for each in own for number in each], np.uint32)
    store.take(terms, np.array([len(each) for each in own], np.uint16), len(numbers))
    store.post(words.unknown - logs.filled())
    return store, logs


def _rule(
    titles: Sequence[TitleText | None], days: Sequence[int], at: int, other: int, cosine: float, index: TitleIndex
) -> Rule:
    one, two = titles[at], titles[other]
    if one is None or two is None:
        raise ValueError("a title that cannot be compared is near to another")
    apart = abs(days[at] - days[other]) if days[at] and days[other] else None
    return objection(index.rules, one, two, apart, cosine)

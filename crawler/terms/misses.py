"""Pages that a topic nearly kept, and what would help it to keep them."""

from collections.abc import Iterator, Sequence
from heapq import nlargest
from typing import Any, NamedTuple

from crawler.terms.example_store import ExampleStore
from extractors.links.urls import url_key
from extractors.topic.lexicon import WordTable, background_share
from extractors.topic.model import Topic
from extractors.topic.words import fold
from pipelines.stores.base import Store
from pipelines.stores.tables import URLS

_SHOWN, _REMEMBERED = 3, 10
_MIN_READ, _MIN_KEPT_SHARE = 20, 0.1
"""Of many pages read a topic that is well described keeps more."""
_DOUBT_DISTANCE, _MAX_DOUBTFUL_SHARE = 0.15, 0.2
_MAX_TEXT_CHARS = 2_000
_MAX_WORDS, _MIN_MISSES_WITH_WORD = 8, 2
_MIN_MARKS = 3
_MAX_MARKS = 2_000


class Miss(NamedTuple):
    """A page that was not kept, with the beginning of its text."""

    relevance: float
    url: str
    text: str


class TopicMisses:
    """Counts the judged pages of a run, and remembers the nearest misses; lists are none."""

    def __init__(self) -> None:
        self.read = self.kept = 0
        self._judged: list[int] = [0] * 101
        """Pages by their relevance in per cent."""
        self._nearest: list[Miss] = []

    def add(self, item: Any) -> None:
        """Count a page, as a `PageItem`."""
        self.read += 1
        self.kept += bool(item.relevant)
        if item.relevance is None or item.page.kind.is_list:
            return
        self._judged[round(100 * min(1.0, max(0.0, item.relevance)))] += 1
        if not item.relevant and (len(self._nearest) < _REMEMBERED or item.relevance > self._nearest[-1].relevance):
            article = item.page.article
            miss = Miss(item.relevance, item.url, f"{article.title}\n{article.text[:_MAX_TEXT_CHARS]}")
            self._nearest = nlargest(_REMEMBERED, [*self._nearest, miss], key=lambda each: each.relevance)

    def doubtful(self, threshold: float) -> int:
        """How many pages have a relevance near the threshold."""
        return sum(
            count for percent, count in enumerate(self._judged) if abs(percent / 100 - threshold) <= _DOUBT_DISTANCE
        )

    def are_few_kept(self) -> bool:
        return self.read >= _MIN_READ and self.kept < _MIN_KEPT_SHARE * self.read

    def is_unsure(self, threshold: float) -> bool:
        return self.read >= _MIN_READ and self.doubtful(threshold) > _MAX_DOUBTFUL_SHARE * self.read

    def lines(self, topic: Topic, store: Store) -> Iterator[str]:
        """Advice if the topic keeps few pages or its judge is unsure of many; nothing if neither is so."""
        if not self.are_few_kept() and not self.is_unsure(topic.threshold):
            return
        yield (
            f"The topic kept {self.kept} of {self.read} pages read; of {self.doubtful(topic.threshold)} its judge is unsure "
            f"(relevance within {_DOUBT_DISTANCE:g} of the threshold {topic.threshold:g})."
        )
        if self._nearest:
            yield f"The nearest misses (`scrapy topic why {topic.name} URL` explains a page):"
            yield from (f"  {miss.relevance:.2f}  {miss.url}" for miss in self._nearest[:_SHOWN])
        if words := self._lacking(topic):
            yield f"Their words that the topic lacks: {', '.join(words)}"
        yield _advice(store, topic)

    def _lacking(self, topic: Topic) -> list[str]:
        """Words of several misses that are no terms, the most telling first."""
        table = WordTable()
        for miss in self._nearest:
            table.add(miss.text)
        known = {fold(word) for term in topic.terms for word in (term.word, *term.synonyms)}
        found = (word.word for word in table.words(background_share) if word.documents >= _MIN_MISSES_WITH_WORD)
        return [word for word in found if fold(word) not in known][:_MAX_WORDS]


def _advice(store: Store, topic: Topic) -> str:
    """Precision and recall of the threshold and of a better one, as marked pages show them."""
    marked = _marked(store, topic.name)
    wanted = [relevance for relevance, is_wanted in marked if is_wanted]
    if min(len(wanted), len(marked) - len(wanted)) < _MIN_MARKS:
        return (
            f"Too few judged pages are marked ({len(marked)}) to tell what another threshold would keep: "
            f"`scrapy topic review {topic.name} --pages` lists those whose marks teach most."
        )
    best = max((relevance for relevance, _ in marked), key=lambda relevance: _quality(marked, relevance))
    now = f"On {len(marked)} marked pages {_measured(marked, topic.threshold)}"
    if _quality(marked, best) <= _quality(marked, topic.threshold):
        return f"{now}; no other threshold does better."
    return f"{now}; {_measured(marked, int(100 * best) / 100)}."


def _marked(store: Store, topic: str) -> list[tuple[float, bool]]:
    """The relevance of marked pages, as it was judged when they were last read, and whether they are wanted."""
    examples = ExampleStore(store, topic).all()[:_MAX_MARKS]
    rows = ((store.get(URLS, url_key(example.url)), example.wanted) for example in examples)
    return [(row["relevance"], wanted) for row, wanted in rows if row and row["relevance"] is not None]


def _precision_and_recall(marked: Sequence[tuple[float, bool]], threshold: float) -> tuple[float, float]:
    kept = [is_wanted for relevance, is_wanted in marked if relevance >= threshold]
    return sum(kept) / max(1, len(kept)), sum(kept) / max(1, sum(is_wanted for _, is_wanted in marked))


def _quality(marked: Sequence[tuple[float, bool]], threshold: float) -> float:
    """The harmonic mean of precision and recall."""
    precision, recall = _precision_and_recall(marked, threshold)
    return 2 * precision * recall / (precision + recall or 1.0)


def _measured(marked: Sequence[tuple[float, bool]], threshold: float) -> str:
    precision, recall = _precision_and_recall(marked, threshold)
    return f"the threshold {threshold:g} has precision {precision:.2f} and recall {recall:.2f}"

"""Learns a topic's judge from its examples, and reports its accuracy on them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from crawler.config import shown
from crawler.terms.example_store import Example, ExampleStore, stored_page
from extractors.links.urls import host_of
from extractors.page import Page
from extractors.topic.example_model import MAX_EXAMPLES, MIN_EXAMPLES, Learned, learn, ranks_better, vector
from extractors.topic.model import Topic
from extractors.topic.page_text import page_text
from extractors.topic.relevance import Judgement, Relevance
from pipelines.stores.base import Store

_MAX_SHOWN_TERMS = 20


class ExamplesError(ValueError):
    """The examples are not enough for a judge; the message has the remedy."""


def mark(store: Store, topic: str, page: str, answer: str, by: str) -> str:
    """Mark a page, named by its URL or key, as wanted (yes) or not (no); returns what to do next.

    Raises:
        ExamplesError: no such page or answer.
    """
    if answer not in ("yes", "no"):
        raise ExamplesError(f"Answer yes or no, not {answer!r}: scrapy topic mark {topic} {page} yes")
    examples = ExampleStore(store, topic)
    url = examples.address(page)
    if not url:
        raise ExamplesError(f"There is no page with the key {page}; name the page by its address")
    examples.mark([url], wanted=answer == "yes", by=by)
    return f"marked; after enough marks: scrapy topic learn {topic}"


def doubtful_lines(store: Store, topic: str) -> Iterator[str]:
    """The pages whose marks would teach most: relevance, key, URL and reason."""
    rows = ExampleStore(store, topic).doubtful(_MAX_SHOWN_TERMS)
    yield from (
        f"{row['relevance']:.2f}  {row['key']}  {row['url']}  {shown(row['reason'] or '')}".rstrip() for row in rows
    )
    yield shown(f"{len(rows)} pages; mark them: scrapy topic mark {topic} KEY yes (or no)")


def learn_topic(store: Store, topic: Topic) -> Iterator[str]:
    """Learn a judge from the marked pages whose sources are stored, and save it; yields the report as lines.

    Raises:
        ExamplesError: there are too few on one side.
    """
    book = ExampleStore(store, topic.name)
    examples, pages, missing = _read(store, book.all())
    wanted = [example.wanted for example in examples]
    if missing:
        yield f"{len(missing)} examples were not fetched and are not used: {', '.join(missing[:3])}"
    if min(wanted.count(True), wanted.count(False)) < MIN_EXAMPLES:
        raise ExamplesError(
            f"{wanted.count(True)} pages are wanted and {wanted.count(False)} are not; at least {MIN_EXAMPLES} of each are "
            f"needed. Add some: scrapy topic learn {topic.name} --like URLS.txt --unlike URLS.txt"
        )
    vectors = np.stack([vector(page.once(page_text)) for page in pages])
    learned = learn(vectors, wanted, [host_of(example.url) for example in examples])
    judged = _judged_by_terms(topic, pages)
    both = _both(judged, learned)
    alone = bool(judged) and ranks_better(learned.logits, both, wanted)
    book.save(replace(learned.model, alone=alone), len(examples))
    yield f"{wanted.count(True)} pages that are wanted, {wanted.count(False)} that are not"
    yield "cross-validated accuracy:"
    yield _line("examples alone", learned.logits >= 0, wanted)
    if judged:
        yield _line("terms alone", np.array([page.score for page in judged]) >= topic.threshold, wanted)
        yield _line("both", both >= topic.threshold, wanted)
    if alone:
        yield "the examples rank better without the terms: pages are judged by the examples alone"
    if against := learned.contradicting(wanted)[:_MAX_SHOWN_TERMS]:
        yield "examples that contradict the others; check them, and correct their marks where they are wrong:"
        yield from (f"  {'wanted' if wanted[n] else 'not wanted'}  {examples[n].url}" for n in against)


def _read(store: Store, examples: Sequence[Example]) -> tuple[list[Example], list[Page], list[str]]:
    """The stored examples, at most `MAX_EXAMPLES` of each side; their pages; the addresses of missing ones."""
    found, pages, missing = [], [], []
    left = {True: MAX_EXAMPLES, False: MAX_EXAMPLES}
    for example in examples:
        page = stored_page(store, example.url) if left[example.wanted] else None
        if page is not None:
            left[example.wanted] -= 1
            found.append(example)
            pages.append(page)
        elif left[example.wanted]:
            missing.append(example.url)
    return found, pages, missing


def _judged_by_terms(topic: Topic, pages: Sequence[Page]) -> list[Judgement]:
    """Judgements of the pages by the topic's terms; empty for a topic without terms."""
    relevance = Relevance(topic)
    return [relevance.judge(page, 0) for page in pages] if topic.terms else []


def _both(judged: Sequence[Judgement], learned: Learned) -> NDArray[np.float64]:
    """Cross-validated probabilities by terms and examples."""
    logits = learned.logits.tolist() if judged else ()
    return np.array([page.with_examples(logit) for page, logit in zip(judged, logits, strict=True)])


def _line(name: str, kept: NDArray[np.bool_], wanted: Sequence[bool]) -> str:
    right = int((kept & np.array(wanted)).sum())
    return f"  {name:15} precision {right / max(1, int(kept.sum())):.2f}, recall {right / max(1, sum(wanted)):.2f}"

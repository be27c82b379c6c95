"""A topic's library and a page's relevance in words."""

from collections import Counter
from collections.abc import Iterator, Sequence

from extractors.page import Page
from extractors.topic.etfl import EtflRelevance
from extractors.topic.explaining import findings
from extractors.topic.library import DynamicTerm, State, TopicLibrary
from extractors.topic.model import Term, TermClass
from extractors.topic.relevance import Judgement, Relevance

_SHOWN = 15


def library_lines(library: TopicLibrary, version: int) -> Iterator[str]:
    """What a topic is, and its terms by class; then what waits for review."""
    topic = library.given
    states = Counter(entry.state for entry in library.entries())
    yield f"{topic.name}  {topic.description}".rstrip()
    yield f"threshold {topic.threshold:g}, languages {', '.join(topic.languages) or 'all'}, library version {version}"
    counts = ", ".join(f"{states[state]:,} {_STATES[state]}" for state in State)
    yield f"{len(topic.terms):,} terms in the topic's file; of those gained: {counts}"
    yield from (f"seed  {seed}" for seed in topic.seeds)
    accepted = library.entries(State.ACCEPTED)
    for term_class in TermClass:
        yield ""
        yield f"{term_class}:"
        yield from (_given(term) for term in topic.terms if term.term_class is term_class)
        yield from (_gained(entry) for entry in accepted if entry.term.term_class is term_class)
    if waiting := library.entries(State.CANDIDATE):
        yield ""
        yield f"waiting for review ({len(waiting):,}; scrapy topic review {topic.name}):"
        yield from map(_gained, waiting[:_SHOWN])
        if len(waiting) > _SHOWN:
            yield f"  … and {len(waiting) - _SHOWN:,} more"


_STATES = {State.CANDIDATE: "waiting", State.ACCEPTED: "accepted", State.REJECTED: "rejected"}


def _given(term: Term) -> str:
    return f"  {term.weight:5.3g}  {term.word}{_same(term)}"


def _gained(entry: DynamicTerm) -> str:
    return f"  {entry.term.weight:5.3g}  {entry.term.word}{_same(entry.term)}   [{entry.origin}]"


def _same(term: Term) -> str:
    return f" = {', '.join(term.synonyms)}" if term.synonyms else ""


def why_lines(page: Page, relevance: Relevance) -> Iterator[str]:
    """The score of a page, what the threshold made of it, and where it comes from: by term, by kind of block, by block."""
    judgement, topic = relevance.judge(page, most=1_000), relevance.topic
    yield page.article.title or "(no title)"
    yield f"relevance {judgement.score:.3f}, threshold {topic.threshold:g}: {_verdict(judgement)}"
    yield ""
    yield from _term_lines(judgement)
    static = EtflRelevance(topic)
    yield ""
    yield f"by kind of block (the published R is {static.score(page):.3f}):"
    yield from (
        f"  {value:.3f}  {kind}" for kind, value in zip(_KINDS, static.parts(page).tolist(), strict=True) if value
    )
    yield ""
    yield "by block: weight on the page, kind, concepts, how it begins"
    for block in findings(page, relevance):
        yield f"  {block.weight:.4f}  {_KINDS[block.kind]:10}  {' '.join(block.words)}  | {block.beginning}"


_KINDS = ("title", "content", "navigation", "anchor", "other")


def _verdict(judgement: Judgement) -> str:
    if judgement.strong:
        return "relevant, strongly: its content is kept, and its words may become candidates"
    return "relevant: its content is kept" if judgement.relevant else "irrelevant: its content is not kept"


def _term_lines(judgement: Judgement) -> Sequence[str]:
    if not judgement.found:
        return ["none of the topic's terms stands in title or text"]
    lines = ["by term: share, class, times in the title and in the text"]
    for found in judgement.found:
        counts = f"{found.in_title}+{found.in_text}"
        lines.append(f"  {found.share:.3f}  {found.term_class:12}  {counts:>7}  {found.word}")
    return lines

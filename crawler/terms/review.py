"""A topic's terms for people: the library and the reasons for a page's relevance as text, and the review of candidates."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from crawler.config import shown
from crawler.terms.corpus import term_breadth
from crawler.terms.term_store import TermStore
from extractors.page import Page
from extractors.topic.dictionary import LANGUAGES, dictionary_installed, untranslated
from extractors.topic.etfl import EtflRelevance
from extractors.topic.library import DynamicTerm, TermState, TopicLibrary
from extractors.topic.model import Term, TermClass, Topic
from extractors.topic.relevance import Judgement, Relevance, findings
from pipelines.stores.base import Store

_MAX_CANDIDATES = 15


def library_lines(library: TopicLibrary, version: int) -> Iterator[str]:
    """The topic, its terms by class, and the candidates waiting for review."""
    topic = library.given
    states = Counter(entry.state for entry in library.entries())
    yield f"{topic.name}  {topic.description}".rstrip()
    yield f"threshold {topic.threshold:g}, languages {', '.join(topic.languages) or 'all'}, library version {version}"
    counts = ", ".join(f"{states[state]:,} {_STATES[state]}" for state in TermState)
    yield f"{len(topic.terms):,} terms in the topic's file; learned terms: {counts}"
    yield from (f"{shown('seed')}  {seed}" for seed in topic.seeds)
    accepted = library.entries(TermState.ACCEPTED)
    for term_class in TermClass:
        yield ""
        yield f"{shown(term_class)}:"
        yield from (
            f"  {term.weight:5.3g}  {term.word}{_synonyms(term)}"
            for term in topic.terms
            if term.term_class is term_class
        )
        yield from (_learned(entry) for entry in accepted if entry.term.term_class is term_class)
    if waiting := library.entries(TermState.CANDIDATE):
        yield ""
        yield f"waiting for review ({len(waiting):,}; scrapy topic review {topic.name}):"
        yield from map(_learned, waiting[:_MAX_CANDIDATES])
        if len(waiting) > _MAX_CANDIDATES:
            yield f"  … and {len(waiting) - _MAX_CANDIDATES:,} more"


_STATES = {TermState.CANDIDATE: "waiting", TermState.ACCEPTED: "accepted", TermState.REJECTED: "rejected"}


def _learned(entry: DynamicTerm) -> str:
    return f"  {entry.term.weight:5.3g}  {entry.term.word}{_synonyms(entry.term)}   [{entry.origin}]"


def _synonyms(term: Term) -> str:
    return f" = {', '.join(term.synonyms)}" if term.synonyms else ""


def why_lines(page: Page, relevance: Relevance) -> Iterator[str]:
    """The relevance of a page, the decision, and the share of each term, kind of block and block."""
    judgement, topic = relevance.judge(page, most=1_000), relevance.topic
    yield page.article.title or shown("(no title)")
    yield shown(f"relevance {judgement.score:.3f}, threshold {topic.threshold:g}: {_verdict(judgement)}")
    yield ""
    yield from map(shown, _sign_lines(judgement))
    yield ""
    yield from map(shown, _term_lines(judgement))
    static = EtflRelevance(topic)
    yield ""
    yield shown(f"by kind of block (published R: {static.score(page):.3f}):")
    yield from (
        f"  {value:.3f}  {kind}" for kind, value in zip(_KINDS, static.parts(page).tolist(), strict=True) if value
    )
    yield ""
    yield shown("by block: weight on the page, kind, concepts, first words")
    for block in findings(page, relevance):
        yield f"  {block.weight:.4f}  {_KINDS[block.kind]:10}  {' '.join(block.words)}  | {block.beginning}"


_KINDS = ("title", "content", "navigation", "anchor", "other")


def _sign_lines(judgement: Judgement) -> Iterator[str]:
    signs = judgement.signs
    yield f"a probability; its contributions (a sum of 0 is one half; links are scored by a lead of {judgement.lead:.3f}):"
    if not signs.lead and signs.examples is None:
        yield "  none of the experts' terms is on the page"
        return
    found = {
        "text": f"lead {signs.lead:.3f}",
        "title": f"{signs.title:.0%} of its characters in terms",
        "different terms": f"{signs.concepts:g} in the main text",
        "examples": "by the topic's examples",
        "tags": f"{signs.tag:.0%} of the best tag in terms",
    }
    yield from (
        f"  {value:+.2f}  {shown(name):15}  {found.get(name, '')}".rstrip() for name, value in signs.weighed().items()
    )


def _verdict(judgement: Judgement) -> str:
    if not judgement.may_be_article:
        return "a list or a page about its site: its links are followed, its content is not kept"
    if judgement.strong:
        return "strongly relevant: its content is kept, and its words may become candidates"
    return "relevant: its content is kept" if judgement.relevant else "irrelevant: its content is not kept"


def _term_lines(judgement: Judgement) -> Sequence[str]:
    if not judgement.found:
        return ["title and text contain none of the topic's terms"]
    lines = ["by term: share, class, occurrences in title + text"]
    for found in judgement.found:
        counts = f"{found.in_title}+{found.in_text}"
        lines.append(f"  {found.share:.3f}  {found.term_class:12}  {counts:>7}  {found.word}")
    return lines


_CLASSES = {"s": TermClass.SUBJECT, "p": TermClass.PROFESSIONAL, "i": TermClass.INTELLIGENCE}
HELP = (
    "a accept   r reject   s, p, i accept as subject, professional or intelligence   w 0.5 accept with this weight   "
    "ENTER skip   u undo   q quit"
)


class Review:
    """Asks for a decision on every candidate.

    Args:
        ask: returns the answer to a prompt; raises EOFError or KeyboardInterrupt at the end.
        show: shows a line.
        by: name of the person who decides.
    """

    def __init__(self, store: TermStore, ask: Callable[[str], str], show: Callable[[str], None], by: str) -> None:
        self._store = store
        self._library: TopicLibrary = store.library()
        self._ask = ask
        self._show_line = show
        self._by = by
        self.decided: list[DynamicTerm] = []

    def run(self) -> None:
        """Show all candidates, or until the person quits; all decisions are stored by then."""
        waiting = self._library.entries(TermState.CANDIDATE)
        self._show_line(shown(HELP))
        at = 0
        while at < len(waiting):
            self._show(waiting[at], at + 1, len(waiting))
            try:
                answer = self._ask("> ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                return
            if answer == "q":
                return
            if answer == "u":
                at = self._undo(waiting, at)
            elif not answer or self._decide(waiting[at], answer):
                at += 1

    def _show(self, entry: DynamicTerm, number: int, count: int) -> None:
        self._show_line(f"\n{number}/{count}  {entry.term.word}   {shown(f'{entry.origin}, on {entry.pages} pages')}")
        if entry.example:
            self._show_line(f"    {entry.example}")

    def _decide(self, entry: DynamicTerm, answer: str) -> bool:
        word, weight = answer.partition(" ")[::2]
        known = word in ("a", "r", "w") or word in _CLASSES
        number = _weight(weight) if word == "w" else None
        if not known or (word == "w" and number is None) or (word != "w" and weight):
            self._show_line(shown(HELP))
            return False
        state = TermState.REJECTED if word == "r" else TermState.ACCEPTED
        now, term_class = datetime.now(UTC), _CLASSES.get(word)
        decided = self._library.decide(
            entry.term.word, state, by=self._by, now=now, term_class=term_class, weight=number
        )
        self._store.save([decided])
        self.decided.append(entry)
        return True

    def _undo(self, waiting: list[DynamicTerm], at: int) -> int:
        """Revoke the last decision; returns the place of its candidate."""
        if not self.decided:
            self._show_line(shown("nothing to undo"))
            return at
        entry = self.decided.pop()
        now = datetime.now(UTC)
        self._library.decide(entry.term.word, TermState.CANDIDATE, by=self._by, now=now)
        self._library.add(entry)
        self._store.save([entry], decided=True)
        return waiting.index(entry)


def _weight(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 < number <= 1 else None


def untranslated_lines(topic: Topic) -> Iterator[str]:
    """Hints for a topic whose terms do not cover all of its languages."""
    for language, words in untranslated(topic.terms, topic.languages).items():
        installed = "" if dictionary_installed() else "install the dictionary (pip install 'topicrawl[dictionary]') or "
        yield (
            f"{len(words)} of {len(topic.terms)} terms cannot match pages in {LANGUAGES[language]}: {', '.join(words)}; "
            f"{installed}add translations as synonyms"
        )


def breadth_lines(store: Store, topic: Topic) -> Iterator[str]:
    """Notices for a topic whose terms are few, or stand on many stored pages of other subjects."""
    breadth = term_breadth(store, topic)
    if breadth.few:
        yield f"The topic {topic.name} has only {len(topic.terms)} terms, so pages with other words for it are missed; add some"
    if breadth.general:
        words = ", ".join(f"{word} ({share:.0%})" for word, share in breadth.general)
        yield (
            f"Terms of the topic {topic.name} stand on more than a tenth of {breadth.pages} stored pages of other subjects, so other "
            f"pages may be kept: {words}; replace them by narrower ones or lower their weights"
        )

"""What holds of any text, any page and any order of decisions."""

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.article.blocks import find_blocks
from extractors.page import Page
from extractors.topic.etfl import EtflRelevance
from extractors.topic.expansion import TermCandidate, sentence_with
from extractors.topic.library import TermState, TopicLibrary
from extractors.topic.model import Term, Topic
from extractors.topic.relevance import Relevance, findings
from extractors.topic.tag_blocks import BlockType, tag_blocks
from extractors.topic.words import fold, folded_codes

NOW = datetime(2026, 11, 1, tzinfo=UTC)
TOPIC = Topic("tax", (Term("税"), Term("印花税", weight=0.5), Term("tax", synonyms=("duty",), dynamic=True)))
LETTERS = st.characters(exclude_categories=("Cs",)).filter(
    lambda letter: len(fold(letter)) == 1 and letter < "\U00010000"
)
WORDS = st.sampled_from(["税", "印花税", "tax", "duty", "天气", "很好。", " ", "机關", "a"])
NAMES = st.sampled_from(["p", "div", "h1", "a href=/", "nav", "b", "li", "title", "td", "br", "article"])


@st.composite
def pages(draw: st.DrawFn) -> Page:
    parts: list[str] = []
    for _ in range(draw(st.integers(0, 12))):
        text = "".join(draw(st.lists(WORDS, max_size=12)))
        parts.append(draw(st.sampled_from(["<{0}>{1}", "<{0}>{1}</{2}>", "{1}</{2}>", "{1}"])).format(
            name := draw(NAMES), text, name.split()[0]
        ))  # fmt: skip
    return Page("".join(parts).encode(), "http://site.example/")


@given(st.text(alphabet=LETTERS, max_size=60))
def test_codes_fold_as_text_does(text: str) -> None:
    assert "".join(map(chr, folded_codes(text).tolist())) == fold(text)


@given(st.text(max_size=60))
def test_codes_keep_their_places(text: str) -> None:
    assert len(folded_codes(text)) == len(text)


@settings(max_examples=150, deadline=None)
@given(pages())
def test_blocks_cover_the_page_once_and_their_weights_sum_to_one(page: Page) -> None:
    blocks = tag_blocks(find_blocks(page.columns))
    assert len(blocks.texts()) == len(blocks) == len(blocks.kind) == len(blocks.weight)
    assert set(blocks.kind.tolist()) <= {int(kind) for kind in BlockType}
    if len(blocks):
        assert blocks.weight.sum() == pytest.approx(1)
        assert (blocks.weight > 0).all()


@settings(max_examples=150, deadline=None)
@given(pages())
def test_relevance_is_bounded_and_agrees_with_what_it_tells(page: Page) -> None:
    relevance, published = Relevance(TOPIC), EtflRelevance(TOPIC)
    judgement = relevance.judge(page)
    assert 0 <= judgement.score < 1
    assert judgement.relevant == (judgement.may_be_article and judgement.score >= TOPIC.threshold)
    assert judgement.strong <= judgement.relevant
    assert sum(found.share for found in judgement.found) == pytest.approx(1 if judgement.found else 0)
    assert ((published.parts(page) >= 0) & (published.parts(page) <= 1 + 1e-9)).all()
    assert all(block.words for block in findings(page, relevance))


@given(st.lists(st.text(alphabet="税印花tax天 ", max_size=20), max_size=8))
def test_links_are_scored_alone_as_together(texts: list[str]) -> None:
    relevance = Relevance(TOPIC)
    together = relevance.score_texts(texts)
    alone = [relevance.score_texts([text])[0] for text in texts]
    assert np.allclose(together, alone)
    assert ((together >= 0) & (together < 1)).all()


@given(st.lists(st.tuples(st.sampled_from("甲乙丙税"), st.sampled_from([*TermState, None])), max_size=30))
def test_what_is_decided_stays_decided(steps: list[tuple[str, TermState | None]]) -> None:
    library = TopicLibrary(Topic("tax", (Term("税"),)))
    for word, state in steps:
        if state is None:
            before = library.get(word)
            taken = library.propose([TermCandidate(word, 1.0, 0.5, 3, "")], "pages", NOW)
            settled = library.is_given(word) or (before is not None and before.state is not TermState.CANDIDATE)
            assert bool(taken) != settled
        elif library.get(word) is not None:
            library.decide(word, state, by="ann", now=NOW)
    accepted = {entry.term.word for entry in library.entries(TermState.ACCEPTED)}
    assert {term.word for term in library.topic().terms} == {"税"} | accepted
    assert all(entry.history[-1].state is entry.state for entry in library.entries())


@given(st.text(alphabet="税务。！\nab ", max_size=200))
def test_an_example_holds_its_word(text: str) -> None:
    sentence = sentence_with("税务", text)
    assert ("税务" in sentence) == ("税务" in text)
    assert len(sentence) <= 120

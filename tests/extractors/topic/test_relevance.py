"""Relevance of pages and links, by the default and as published, and what it says of itself."""

import numpy as np
import pytest

from extractors.article.blocks import find_blocks
from extractors.page import Page
from extractors.topic.etfl import EtflRelevance
from extractors.topic.model import Term, TermClass, Topic
from extractors.topic.relevance import Relevance
from extractors.topic.tag_blocks import BlockType, tag_blocks

TOPIC = Topic(
    "tax",
    (
        Term("税务局", TermClass.SUBJECT, synonyms=("国税机关",)),
        Term("印花税"),
        Term("增值税"),
        Term("稽查", TermClass.INTELLIGENCE),
    ),
)
SENTENCE = "今年以来，本市各区的{}对企业的申报情况进行了全面的了解，并就下一步的工作作出安排。"


def page(title: str, *paragraphs: str, around: str = "") -> Page:
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    html = (
        f"<html><head><meta charset=utf-8><title>{title}</title></head><body>{around}"
        f"<article><h1>{title}</h1>{body}</article></body></html>"
    )
    return Page(html.encode(), "http://site.example/1")


ABOUT = page("税务局开展印花税稽查", *[SENTENCE.format("国税机关") + "增值税和印花税的稽查将继续。"] * 4)
ASIDE = page("市民中心一日", *[SENTENCE.format("学校")] * 6, SENTENCE.format("税务局"))
OTHER = page("今天的天气", *[SENTENCE.format("气象台")] * 6)


@pytest.mark.parametrize("score", [lambda page: Relevance(TOPIC).judge(page).score, EtflRelevance(TOPIC).score])
def test_pages_of_the_topic_come_first(score) -> None:  # type: ignore[no-untyped-def]
    assert score(ABOUT) > score(ASIDE) > score(OTHER) == 0


def test_traditional_and_simplified_pages_are_judged_alike() -> None:
    twin = page("稅務局開展印花稅稽查", *[SENTENCE.format("國稅機關") + "增值稅和印花稅的稽查將繼續。"] * 4)
    assert Relevance(TOPIC).judge(twin).score == Relevance(TOPIC).judge(ABOUT).score


def test_tags_in_other_letters_than_the_terms_leave_the_text_its_weight() -> None:
    def score(first: str, second: str, topic: Topic = TOPIC) -> float:
        tags = f'<a rel="tag" href="/tags/1/">{first}</a> <a rel="tag" href="/tags/2/">{second}</a>'
        return Relevance(topic).judge(page("增值税", SENTENCE.format("企业") + "增值税和印花税的申报。" + tags)).score

    latin = Topic("tax", tuple(Term(term.word, synonyms=("VAT", "stamp duty")) for term in TOPIC.terms))
    assert score("TV", "PC") > 2 * score("天气", "公园")
    assert score("TV", "公园") == score("天气", "公园")
    assert score("TV", "PC", latin) == score("天气", "公园", latin)


def tagged(tag: str, topic: Topic, *paragraphs: str) -> float:
    body = [SENTENCE.format("企业"), *paragraphs, f'<a rel="tag" href="/tags/1/">{tag}</a>']
    return Relevance(topic).judge(page("一日", *body)).score


def test_a_tag_that_is_a_term_decides_almost_whatever_the_text_says() -> None:
    without, with_terms = tagged("印花税", TOPIC), tagged("印花税", TOPIC, "增值税和印花税的稽查将继续。")
    assert 0.93 < without < with_terms < 0.97
    assert tagged("印花税讲座", TOPIC) < 0.8


def test_a_tag_that_is_a_synonym_counts_like_the_term() -> None:
    latin = Topic("tax", (Term("印花税", synonyms=("stamp duty",)), Term("增值税"), Term("稽查")))
    assert tagged("Stamp Duty", latin) == tagged("印花税", latin)


def test_a_judgement_tells_why() -> None:
    judgement = Relevance(TOPIC).judge(ABOUT)
    assert judgement.relevant
    assert judgement.strong
    assert {found.word for found in judgement.found} == {"税务局", "印花税", "增值税", "稽查"}
    assert sum(found.share for found in judgement.found) == pytest.approx(1)
    assert "印花税" in judgement.reason()


def test_learned_words_raise_but_do_not_carry() -> None:
    learned = Topic("tax", (*TOPIC.terms, Term("申报", dynamic=True, weight=0.5)))
    assert Relevance(learned).judge(OTHER).score == 0
    assert (
        Relevance(learned).judge_text("", "税务局的申报。" * 5).score
        > Relevance(TOPIC).judge_text("", "税务局的通知。" * 5).score
    )


def test_links_are_scored_together() -> None:
    scores = Relevance(TOPIC).score_texts(["印花税新规", "天气", "", "增值税 稽查"])
    assert scores[0] > 0.5
    assert scores[3] > scores[0]
    assert scores[1] == scores[2] == 0
    assert Relevance(TOPIC).score_texts([]).shape == (0,)


def test_without_text_or_terms_nothing_is_relevant() -> None:
    assert Relevance(TOPIC).judge(Page(b"")).score == 0
    assert Relevance(Topic("none", ())).judge(ABOUT).score == 0


def test_blocks_have_their_roles() -> None:
    around = '<nav><a href="/">首页</a></nav><div><a href="/2">另一篇文章的标题在这里</a></div>'
    blocks = tag_blocks(find_blocks(page("大标题", SENTENCE.format("学校"), around=around).columns))
    kinds = dict(zip(blocks.texts(), blocks.kind.tolist(), strict=True))
    assert kinds["首页"] == BlockType.NAVIGATION
    assert kinds["另一篇文章的标题在这里"] == BlockType.ANCHOR
    assert kinds["大标题"] == BlockType.TITLE
    assert kinds[SENTENCE.format("学校")] == BlockType.CONTENT
    assert blocks.weight.sum() == pytest.approx(1)
    assert blocks.weight[list(kinds).index("大标题")] == blocks.weight.max()


def test_published_relevance_is_a_cosine_of_each_part() -> None:
    relevance = EtflRelevance(Topic("two", (Term("税"), Term("法"))))
    parts = relevance.parts(page("税法", "税" * 30))
    assert parts[BlockType.TITLE] == pytest.approx(1)
    assert parts[BlockType.CONTENT] == pytest.approx(np.sqrt(0.5))

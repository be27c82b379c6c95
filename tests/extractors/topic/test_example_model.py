"""A judge learned from examples."""

from dataclasses import replace

import numpy as np
import pytest

from extractors.page import Page
from extractors.topic.example_model import learn, ranks_better, vector
from extractors.topic.model import Term, Topic
from extractors.topic.page_text import page_text
from extractors.topic.relevance import Relevance

TAX = ["增值税申报的期限", "企业所得税汇算清缴", "税务稽查的程序", "出口退税的办理", "印花税的税率", "个人所得税的扣除"]
LIFE = ["周末去爬山", "今年的雨水", "家常豆腐的做法", "新买的自行车", "小区里的猫", "老房子的翻修"]


def page(subject: str, number: int = 0) -> Page:
    paragraphs = "".join(f"<p>这里第{n}段说的是{subject}，前后的情况都写在下面了。</p>" for n in range(6))
    source = f"<title>{subject}</title><article><h1>{subject}</h1>{paragraphs}</article>"
    return Page(source.encode(), f"http://site{number}.example/p/{number}.html")


def vectors(subjects: list[str]) -> np.ndarray:
    return np.stack([vector(page(subject, number).once(page_text)) for number, subject in enumerate(subjects)])


def test_learns_what_separates_the_examples() -> None:
    subjects = [*TAX, *LIFE]
    wanted = [True] * 6 + [False] * 6
    learned = learn(vectors(subjects), wanted, ["one.example"] * 12)
    tax, life = (learned.model.logit(vector(page(subject).once(page_text))) for subject in ("消费税的税率", "门前的猫"))
    assert tax > 0 > life
    assert learned.precision >= 0.8
    assert len(learned.logits) == 12


def test_names_examples_that_the_others_speak_against() -> None:
    subjects = [*TAX * 3, "土地增值税的申报", *LIFE * 3]
    wanted = [True] * 18 + [False] * 19
    learned = learn(vectors(subjects), wanted, [f"site{n % 7}.example" for n in range(37)])
    assert learned.contradicting(wanted)[:1] == [18]


def test_too_few_examples() -> None:
    with pytest.raises(ValueError, match="at least 5"):
        learn(vectors([*TAX, *LIFE[:4]]), [True] * 6 + [False] * 4, [""] * 10)


def test_judges_with_terms_alone_examples_alone_and_both() -> None:
    learned = learn(vectors([*TAX, *LIFE]), [True] * 6 + [False] * 6, [""] * 12)
    terms = (Term("增值税"), Term("稽查"))
    wanted, other = page("消费税的申报与退税"), page("阳台上的猫")
    none, alone, both = (
        Relevance(Topic("tax", terms)),
        Relevance(Topic("tax", ()), learned.model),
        Relevance(Topic("tax", terms), learned.model),
    )
    assert none.judge(wanted).score == 0
    for judge in (alone, both):
        assert judge.judge(wanted).score > judge.judge(other).score
    assert alone.judge(wanted).lead == alone.judge(wanted).score
    assert both.judge(wanted).signs.weighed()["examples"] > both.judge(other).signs.weighed()["examples"]


def test_terms_do_not_count_where_examples_judge_alone() -> None:
    learned = learn(vectors([*TAX, *LIFE]), [True] * 6 + [False] * 6, [""] * 12)
    wanted, misleading = page("消费税的申报与退税"), Topic("tax", (Term("猫"), Term("豆腐")))
    both = Relevance(misleading, learned.model).judge(wanted).score
    alone = Relevance(misleading, replace(learned.model, alone=True)).judge(wanted).score
    assert alone == Relevance(Topic("tax", ()), learned.model).judge(wanted).score > both


def test_which_values_rank_better() -> None:
    wanted = [True, True, False, False]
    good, bad, equal = np.array([0.9, 0.8, 0.2, 0.1]), np.array([0.1, 0.8, 0.2, 0.9]), np.zeros(4)
    assert ranks_better(good, bad, wanted)
    assert ranks_better(good, equal, wanted)
    assert not ranks_better(bad, equal, wanted)
    assert not ranks_better(good, good, wanted)

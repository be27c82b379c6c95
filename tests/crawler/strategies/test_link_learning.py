"""What a focused crawl learns of links: grams of their texts, what lay behind them, how much each part tells."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.strategies.gram_shares import GramShares
from crawler.strategies.link_learning import LinkFeatures, LinkModel, PendingLinks
from extractors.topic.grams import SLOTS, grams


def _set(text: str, salt: int = 0) -> set[int]:
    return set(grams([text], salt)[1].tolist())


def test_chinese_is_cut_into_pairs_and_letters_into_words() -> None:
    assert len(_set("增值税稽查")) == 4
    assert len(_set("增值税, Deep Learning 2024 a")) == 4
    assert _set("增值税的") > _set("增值税")
    assert _set("ＤＥＥＰ learning") == _set("deep LEARNING")
    assert not _set("税") | _set("a 1 !") | _set("")


def test_a_gram_of_another_kind_of_text_is_another() -> None:
    assert not _set("增值税 learning") & _set("增值税 learning", salt=1)


def test_each_text_can_have_its_own_kind() -> None:
    link, gram = grams(["增值税 ab", "增值税 ab"], (0, 1))
    assert [set(gram[link == number].tolist()) for number in (0, 1)] == [_set("增值税 ab"), _set("增值税 ab", salt=1)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("税务ab \n")), max_size=40), max_size=8))
def test_texts_together_give_what_each_gives_alone(texts: list[str]) -> None:
    link, gram = grams(texts)
    assert len(link) == len(gram) == len(set(zip(link.tolist(), gram.tolist(), strict=True)))
    assert (np.diff(link) >= 0).all()
    assert ((gram >= 0) & (gram < SLOTS)).all()
    for number, text in enumerate(texts):
        assert set(gram[link == number].tolist()) == _set(text)


def test_words_behind_which_pages_of_the_topic_lay_raise_a_link() -> None:
    shares = GramShares()
    for number in range(12):
        shares.add(grams([f"增值税第{number}讲"])[1], 0.9)
        shares.add(grams([f"周末去爬山之{number}"])[1], 0.0)
    good, bad, unknown = shares.surplus(*grams(["增值税问答", "周末去爬山", "全新词语"]), 3).tolist()
    assert good > 0.2 > unknown == 0 > bad


def test_words_seen_once_say_nothing() -> None:
    shares = GramShares()
    shares.add(grams(["印花税"])[1], 1.0)
    assert shares.surplus(*grams(["印花税"]), 1).tolist() == [0.0]


def test_weights_begin_as_given_and_move_to_what_pages_say() -> None:
    model = LinkModel([0.5, 0.1])
    parts = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert model.scores(parts).tolist() == pytest.approx([0.5, 0.1])
    for _ in range(2_000):
        model.learn(np.array([1.0, 0.0]), 0.1)
        model.learn(np.array([0.0, 1.0]), 0.9)
    assert model.scores(parts).tolist() == pytest.approx([0.1, 0.9], abs=0.1)


def test_links_are_remembered_as_last_seen_on_a_page_and_boundedly() -> None:
    waiting = PendingLinks(max_links=2)
    link, gram = grams(["增值税", "", "问答"])
    waiting.add(["a", "b", "c"], LinkFeatures(np.arange(6.0).reshape(3, 2), link, gram))
    waiting.add(["c"], LinkFeatures(np.full((1, 2), 9.0), *grams(["other"])), listed=True)
    waiting.add(["b"], LinkFeatures(np.full((1, 2), 7.0), *grams([""])))
    assert len(waiting) == 2
    assert waiting.take("a") is None
    nothing, last = waiting.take("b"), waiting.take("c")
    assert nothing is not None
    assert last is not None
    both = LinkFeatures.of([nothing, last])
    assert both.values.tolist() == [[7.0, 7.0], [4.0, 5.0]]
    assert both.link.tolist() == [1]
    assert set(both.gram.tolist()) == _set("问答")
    assert waiting.take("c") is waiting.get("c") is None


def test_one_link_has_the_surplus_that_it_has_among_others() -> None:
    shares = GramShares()
    for number in range(4):
        shares.add(grams([f"增值税第{number}讲"])[1], 0.9)
    link, gram = grams(["增值税问答", "爬山", "第3讲"])
    together = shares.surplus(link, gram, 3).tolist()
    assert [shares.surplus_of_one(gram[link == number]) for number in range(3)] == together

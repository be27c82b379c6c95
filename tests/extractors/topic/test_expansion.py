"""Words that are proposed: from top pages, by their company, from a thesaurus."""

from pathlib import Path

import pytest

from extractors.topic.expansion import Ranking, propose
from extractors.topic.lexicon import WordTable, build
from extractors.topic.newwords import find_new_words
from extractors.topic.thesaurus import ThesaurusError, read_thesaurus

TAX = [f"税务机关第{n}次公告：企业申报增值税，出口退税照常办理。市民的生活没有变化。" for n in range(8)]
LIFE = [f"市民在公园散步，第{n}天，天气很好，生活很有意思，孩子们在草地上玩。" for n in range(40)]


@pytest.fixture(scope="module")
def store() -> WordTable:
    return build(TAX + LIFE)


def test_words_of_the_top_pages_alone_come_first(store: WordTable) -> None:
    words = [candidate.word for candidate in propose(TAX, store, frozenset({"增值税"}))]
    assert "申报" in words
    assert "增值税" not in words
    assert words.index("申报") < words.index("市民")


def test_a_candidate_shows_a_sentence_and_a_weight(store: WordTable) -> None:
    candidate = next(word for word in propose(TAX, store, frozenset()) if word.word == "申报")
    assert "申报" in candidate.example
    assert 0 < candidate.weight <= 1
    assert candidate.pages == 8


def test_more_pages_show_better_how_much_a_word_counts() -> None:
    rare = [f"{text}大相径庭。" for text in TAX[:3]]
    store = build(rare + TAX[3:] + LIFE)
    alone = Ranking(rare, store).candidate("大相径庭")
    weighed = Ranking(rare, store, build(rare + TAX[3:])).candidate("大相径庭")
    assert weighed.weight < alone.weight
    assert weighed.score == alone.score


def test_english_words_that_are_everywhere_are_not_proposed() -> None:
    pages = [f"The professor and the students of group {n} talk about superconductivity." for n in range(6)]
    words = [one.word for one in propose(pages, build([*pages, *LIFE]), frozenset())]
    assert "superconductivity" in words
    assert not {"the", "and", "of", "about"} & set(words)


def test_the_published_rank_is_augmented_frequency_times_idf(store: WordTable) -> None:
    ranked = propose(TAX, store, frozenset(), published=True)
    assert [word.score for word in ranked] == sorted((word.score for word in ranked), reverse=True)
    assert ranked[-1].word in ("市民", "生活", "没有", "变化")


def test_no_pages_propose_nothing(store: WordTable) -> None:
    assert propose([], store, frozenset()) == []


def test_telling_words_stand_on_top_of_the_lexicon(store: WordTable) -> None:
    words = store.words(lambda word: 0.1 if word in ("生活", "没有", "天气", "市民") else 1e-7)
    assert words[0].word not in ("生活", "没有", "天气", "市民")
    assert all(word.documents >= 3 for word in words)


def test_neighbours_that_always_stand_together_make_a_word() -> None:
    before, after = "张李王赵钱孙周吴", "说看听想写读问答"
    texts = [f"{one}先生{two}到翼飞鸢，{two}完翼飞鸢就走了" for one in before for two in after]
    assert "翼飞鸢" in [word.word for word in find_new_words(texts, entropy=0.5, information=1.0)]
    assert find_new_words([]) == []


def test_a_thesaurus_of_the_user(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("# 注\n汽车 轿车，小汽车 > 电动车 卡车 < 车辆\n", encoding="utf-8")
    thesaurus = read_thesaurus(path)
    assert thesaurus.stands_for("轿车") == {"汽车", "小汽车", "电动车", "卡车"}
    assert ("车辆", "broader") in thesaurus.related("汽车")


def test_a_thesaurus_that_is_wrong_says_where(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("汽车\n> 卡车\n", encoding="utf-8")
    with pytest.raises(ThesaurusError, match=r"words\.txt, line 2"):
        read_thesaurus(path)


def test_a_table_forgets_rare_words_when_it_is_full() -> None:
    table = WordTable(most=40)
    for number in range(30):
        table.add(f"税务 申报 word{number} other{number}")
    assert len(table.document_count) <= 40
    assert table.document_count["税务"] == table.documents == 30
    assert table.count.keys() == table.document_count.keys()


def test_words_in_other_letters_are_content_words() -> None:
    pages = [f"The tax office audits companies, number {n}; VAT refunds follow." for n in range(6)]
    others = [f"The weather is fine in the park, day {n}; children play." for n in range(30)]
    words = [candidate.word for candidate in propose(pages, build(pages + others), frozenset())]
    assert "refunds" in words
    assert "weather" not in words

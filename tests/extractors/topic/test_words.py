"""The segmenter behind one door."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.titles import title_text
from extractors.topic.words import (
    Engine,
    Segmenter,
    add_words,
    fold,
    remove_words,
    segment,
    shared_segmenter,
    use_engine,
)

ENGINES: tuple[Engine, ...] = ("rjieba", "jieba")


@pytest.fixture(params=ENGINES, scope="module")
def segmenter(request: pytest.FixtureRequest) -> Segmenter:
    return Segmenter(request.param)


def test_chinese_english_and_mixed_text_become_words(segmenter: Segmenter) -> None:
    assert segmenter.segment("北京大学的学生") == ["北京大学", "的", "学生"]
    assert segmenter.segment("It isn't state-of-the-art, is it?") == [
        "It", "isn't", "state-of-the-art", "is", "it",
    ]  # fmt: skip
    assert segmenter.segment("Москва, café und Zürich") == ["Москва", "café", "und", "Zürich"]
    assert segmenter.segment("北京大学 café") == ["北京大学", "café"]


def test_the_dictionary_takes_words_and_lets_them_go(segmenter: Segmenter) -> None:
    assert "韩国华社" not in segmenter.segment("为韩国华社带来新希望")
    segmenter.add_words(["韩国华社"], part="nt")
    assert "韩国华社" in segmenter.segment("为韩国华社带来新希望")
    assert ("韩国华社", "nt") in segmenter.tag("为韩国华社带来新希望")
    segmenter.remove_words(["韩国华社"])
    assert "韩国华社" not in segmenter.segment("为韩国华社带来新希望")


def test_words_have_a_part_of_speech(segmenter: Segmenter) -> None:
    tags = dict(segmenter.tag("北京大学的学生 café"))
    assert tags["学生"] == "n"
    assert tags["café"] == "eng"


@settings(max_examples=60, deadline=None)
@given(text=st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_pieces_joined_are_the_text(text: str) -> None:
    for engine in (RJIEBA, JIEBA):
        assert "".join(engine.pieces(text)) == text
        assert "".join(word for word, _ in engine.tag(text)) == text


RJIEBA, JIEBA = Segmenter("rjieba"), Segmenter("jieba")


def test_fold_makes_spellings_equal() -> None:
    assert fold("ＡＢＣ１２ 臺灣後來") == fold("abc12 台湾后来") == "abc12 台湾后来"


def test_threads_share_one_segmenter() -> None:
    def work(number: int) -> list[str]:
        RJIEBA.add_words([f"甲乙丙{number}丁"])
        return RJIEBA.segment("北京大学的学生")

    with ThreadPoolExecutor(8) as pool:
        assert all(words == ["北京大学", "的", "学生"] for words in pool.map(work, range(200)))


def test_who_does_not_segment_loads_nothing_and_jieba_warns_of_nothing() -> None:
    script = (
        "import sys; from extractors.topic.words import Segmenter, fold; fold('a');"
        "assert not {'jieba', 'rjieba'} & set(sys.modules);"
        "assert Segmenter('jieba').segment('北京大学') == ['北京大学']"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_unknown_engines_are_refused() -> None:
    with pytest.raises(ValueError, match="choose auto"):
        Segmenter("other")  # type: ignore[arg-type]  # what an operator may have set


def test_the_shared_segmenter_segments() -> None:
    assert segment("新华社记者") == ["新华社", "记者"]


def test_the_shared_segmenter_is_of_the_engine_that_was_chosen() -> None:
    try:
        use_engine("jieba")
        assert shared_segmenter().engine == "jieba"
        assert segment("新华社记者") == ["新华社", "记者"]
        chosen = shared_segmenter()
        use_engine("jieba")
        assert shared_segmenter() is chosen, "what was added to its dictionary stays"
        with pytest.raises(ValueError, match="choose auto"):
            use_engine("other")  # type: ignore[arg-type]  # what an operator may have set
    finally:
        use_engine("auto")


@pytest.mark.parametrize(
    "text",
    [
        "中共中央政治局召开会议分析研究当前经济形势",
        "iPhone 16 Pro 今日开售：Apple 官网一度无法访问",
        "臺灣歌手在北京舉行演唱會 門票ＰＫ戰打響",
        "NBA 2023-24 赛季湖人 100:113 太阳，如何评价这场比赛？",
        "Q3财报：腾讯净利润增长 25%，研发投入超1,500亿元",
        "东航 MU5735 航空器飞行事故调查进展情况的通报",
        "«Москва» и Пекин подписали 12 соглашений · 中俄合作",
        "C++ 与 C# 哪个更适合初学者 | node.js 社区",
        "女子上班第一天因已婚被辞，该公司违反了哪些法律",
        "𠮷野家宣布全国门店涨价 😀 网友：还能接受",
    ],
)
def test_both_engines_cut_mixed_text_alike(text: str) -> None:
    assert RJIEBA.segment(fold(text)) == JIEBA.segment(fold(text))
    assert title_text(text, RJIEBA) == title_text(text, JIEBA)


def test_words_of_a_topic_change_no_title() -> None:
    before = title_text("为韩国华社带来新希望")
    try:
        add_words(["韩国华社", "带来新希望"])
        assert segment("为韩国华社带来新希望") != list(before.terms)
        assert title_text("为韩国华社带来新希望") == before
    finally:
        remove_words(["韩国华社", "带来新希望"])


@given(st.text(alphabet="ab1 2_.,'’+#-%/:é²\n\tЖ߿ด٣中", max_size=30))
def test_words_are_the_pieces_with_a_letter_or_digit(text: str) -> None:
    words = [piece for piece in RJIEBA.pieces(text) if any(letter.isalnum() or letter == "_" for letter in piece)]
    assert RJIEBA.segment(text) == words

"""The segmenter behind one door."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.topic.words import Engine, Segmenter, fold, segment

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
    with pytest.raises(ValueError, match="there are auto"):
        Segmenter("other")  # type: ignore[arg-type]  # what an operator may have set


def test_the_shared_segmenter_segments() -> None:
    assert segment("新华社记者") == ["新华社", "记者"]

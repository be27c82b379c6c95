"""Summaries: sentences of the page, in order, short enough, from any text."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.summary import choose, summarize
from analysis.summary.sentences import clauses_of, sentences_of, units
from extractors.kernels.forest import ForestError

TEXT = (
    "记者10日从市水务局获悉，受连日暴雨影响，清江水位昨夜超过警戒线1.2米。沿岸三个乡镇的4000余名居民已经转移。\n"
    "水务局说，洪峰预计今晚到达。学校停课两天。"
)


def test_a_summary_is_short_and_says_what_the_page_says() -> None:
    summary = summarize("清江水位超过警戒线 沿岸居民转移", TEXT, 60)
    assert len(summary) <= 61
    assert set(units(summary)) <= set(units("清江水位超过警戒线 沿岸居民转移" + TEXT))


def test_a_text_without_title_gets_a_headline() -> None:
    headline = summarize("", TEXT, 20)
    assert 0 < len(headline) <= 21


def test_english() -> None:
    text = (
        "The council met on Tuesday. It voted nine to two to close the old bridge over the river for repairs until May."
    )
    summary = summarize("Old bridge to close for repairs", text, 120)
    assert len(summary) <= 120
    assert "bridge" in summary.lower()


@pytest.mark.parametrize(
    ("title", "text", "expected"), [("标题", "", "标题"), ("", "", ""), ("A  title", " ", "A title")]
)
def test_nothing_to_choose_from(title: str, text: str, expected: str) -> None:
    assert summarize(title, text, 50) == expected


@given(st.text(max_size=200), st.text(max_size=400), st.integers(1, 300))
def test_any_text_has_a_summary_of_the_asked_length(title: str, text: str, characters: int) -> None:
    assert len(summarize(title, text, characters).removesuffix("…")) <= characters


def test_sentences_keep_numbers_and_addresses_whole() -> None:
    assert [piece.text for piece in sentences_of("It rose 3.5 percent. See example.com for more! 涨了2.1%。好")] == [
        "It rose 3.5 percent.",
        "See example.com for more!",
        "涨了2.1%。",
    ]


def test_clauses_leave_out_who_reports() -> None:
    pieces = sentences_of("洪水来了，居民转移。据悉，学校停课两天。")
    assert [piece.text for piece in clauses_of(pieces)] == ["洪水来了，", "居民转移。", "学校停课两天。"]


def test_a_long_text_costs_no_more_than_its_beginning() -> None:
    long = "句子一个接着一个。" * 100_000
    assert len(sentences_of(long)) == 40
    assert summarize("标题", long, 100) == summarize("标题", long[:20_000], 100)


def test_weights_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "NAMES", ["other"])
    choose._forest.cache_clear()
    with pytest.raises(ForestError, match="another version"):
        summarize("标题", TEXT, 50)
    choose._forest.cache_clear()


def test_the_weights_say_where_they_come_from() -> None:
    for name in ("description", "headline"):
        known = choose._forest(name).provenance
        assert sum(known.pages.values()) > 900
        assert set(known.pages) <= {"aeb", "fundus", "magic-article", "magic-forum", "mozilla-readability", "snippets",
                                    "twnews", "wcxb", "zh-blogs", "zh-gb", "zh-news"}  # fmt: skip
        assert known.scores["chosen"] > known.scores["beginning"]
        assert np.isfinite(choose._forest(name).leaves).all()


@pytest.mark.parametrize("title", [None, "", "\ud800", 7, ["x"], "楼市\udfff新政"])
def test_any_title_and_text_is_summarized(title: Any) -> None:
    text = "市住房和城乡建设局昨日发布通知，首付比例下调。" * 3
    for summary in (summarize(title, text), summarize(title, "\ud800"), summarize(title, None)):
        summary.encode()
    assert summarize(title, text)

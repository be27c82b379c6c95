"""What is a by-line, and what is a sentence."""

import pytest

from analysis.bylines import is_byline
from analysis.summary.sentences import sentences_of


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("发布时间：2026-11-20 10:22 字号：大 中 小", True),
        ("来源：新华社", True),
        ("【来源：新华社】 作者：王建国 浏览次数：1,024 次 打印", True),
        ("Published: 20 November 2026 | Updated: 21 November 2026", True),
        ("时间：3月18日上午，地点：市民中心。", False),
        ("记者：请问您怎么看这次调整？", False),
        ("作者：这本书写了十年，其间他走遍了三个省的四十多个县，采访了两百多位老人，记下了三百多万字的笔记。", False),
        ("公司的发布时间：定在下周。", False),
        ("", False),
    ],
)
def test_a_byline_begins_with_a_label(sentence: str, expected: bool) -> None:
    assert is_byline(sentence) is expected


def test_bylines_are_no_sentences_of_a_digest() -> None:
    text = "发布时间：2026-11-20 10:22 字号：大 中 小\n银川市发生一起交通事故，一人死亡。"
    assert [piece.text for piece in sentences_of(text)] == ["银川市发生一起交通事故，一人死亡。"]

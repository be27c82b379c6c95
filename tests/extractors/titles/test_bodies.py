"""The first sentences of two pages as a second opinion on their titles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.titles.bodies import compare_leads, is_sure, lead_of, together

BRIDGE = (
    "河口镇大桥十一月三日上午正式通车，首日有八千多辆车经过。镇长在通车仪式上说，大桥把两岸的车程从四十分钟缩短到五分钟。"
    "石桥村的茶农告诉记者，以后运茶叶再也不用等渡船了。大桥由省里出资修建，历时三年，是当地最长的一座公路桥。"
)
MUSEUM = (
    "省博物馆的新展昨天迎来第一批观众，三百件青铜器从库房里搬进了展厅。策展人介绍，其中一半是近五年出土的文物，"
    "许多铭文还没有发表过。展览持续到明年春天，周末开放到晚上九点，学生凭证件可以免费参观，团体需要提前预约。"
)
LOTTERY = (
    "河口彩票中心公布第{}期开奖结果，本期中奖号码为{}，奖池滚存至下一期。"
    "请中奖者在六十天内凭票到各网点兑奖，逾期作废，特此公告，祝各位好运。"
)


def _verdict(one: str, other: str) -> str:
    return compare_leads(lead_of(one), lead_of(other)).verdict


def test_a_copied_text_is_the_same_whatever_is_before_it() -> None:
    assert _verdict(BRIDGE, "新华社河口11月3日电（记者 王小明）" + BRIDGE) == "same"
    assert _verdict(BRIDGE, BRIDGE.replace("八千多辆", "许多")) == "same"
    assert compare_leads(lead_of("大桥通车\n" + BRIDGE, "大桥通车"), lead_of(BRIDGE)).likeness == 1.0


def test_texts_with_nothing_in_common_are_different() -> None:
    assert _verdict(BRIDGE, MUSEUM) == "different"


def test_short_texts_and_reports_of_a_series_do_not_decide() -> None:
    assert _verdict(BRIDGE[:30], BRIDGE) == ""
    assert _verdict(LOTTERY.format("2026101", "01 05 09"), LOTTERY.format("2026102", "02 06 31")) == ""


@pytest.mark.parametrize(
    ("title", "rule", "sure", "body", "verdict"),
    [
        ("repost", "", False, "different", ("suspected", "body")),
        ("repost", "", True, "different", ("repost", "")),
        ("repost", "", False, "", ("repost", "")),
        ("suspected", "wording", False, "same", ("repost", "")),
        ("new", "wording", False, "same", ("repost", "")),
        ("suspected", "window", False, "same", ("suspected", "window")),
        ("suspected", "numbers", False, "same", ("suspected", "numbers")),
    ],
)
def test_the_body_decides_where_the_title_leaves_doubt(
    title: str, rule: str, sure: bool, body: str, verdict: tuple[str, str]
) -> None:
    assert together(title, rule, sure, body) == verdict  # type: ignore[arg-type]


def test_only_long_equal_titles_are_sure() -> None:
    assert is_sure("河口镇大桥今天上午正式通车", 1.0)
    assert not is_sure("河口镇大桥今天上午正式通车", 0.9)
    assert not is_sure("今日天气", 1.0)


@given(st.text(max_size=400), st.text(max_size=400))
def test_any_two_texts_are_compared_alike_in_both_directions(one: str, other: str) -> None:
    leads = lead_of(one), lead_of(other, one[:5])
    there, back = compare_leads(*leads), compare_leads(*leads[::-1])
    assert 0 <= there.likeness <= 1
    if there.verdict and back.verdict:
        assert there.verdict == back.verdict

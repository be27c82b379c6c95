"""Digests of several pages: nothing twice, every sentence of its page, numbers that differ."""

from hypothesis import given
from hypothesis import strategies as st

from analysis.summary.multi_page_digest import Difference, SummarySentence, digest

PAGES = [
    SummarySentence(
        1, "海城发生4.3级地震", "5月10日6时53分，辽宁省海城市发生4.3级地震，震源深度10公里。目前没有人员伤亡的报告。"
    ),
    SummarySentence(
        2,
        "海城地震震感明显",
        "辽宁省海城市5月10日发生4.3级地震，震源深度10公里。沈阳、大连等地震感明显，学校组织了疏散。",
    ),
    SummarySentence(
        3,
        "地震已致两人受伤",
        "辽宁省海城市发生4.5级地震，震源深度8公里，已有2人受伤，三十间房屋受损。救援队伍已经赶到现场。",
    ),
]


def test_no_sentence_comes_twice_and_each_is_of_its_page() -> None:
    found = digest(PAGES)
    assert len(found.sentences) == 4
    assert [said.page for said in found.sentences] == sorted(said.page for said in found.sentences)
    texts = {page.number: page.text for page in PAGES}
    assert all(said.text in texts[said.page] for said in found.sentences)
    assert sum("级地震" in said.text for said in found.sentences) == 1


def test_numbers_that_differ_are_shown_with_their_pages() -> None:
    found = digest(PAGES).differences
    assert Difference("…级地震", (("4.3", (1, 2)), ("4.5", (3,)))) in found
    assert Difference("深度…公", (("10", (1, 2)), ("8", (3,)))) in found
    assert not any("月" in each.what or "日" in each.what or "时" in each.what for each in found)


def test_english_pages() -> None:
    found = digest([
        SummarySentence(1, "Quake kills 12 people", "The quake killed 12 people in the town on May 5, officials said on Monday."),
        SummarySentence(2, "Death toll rises", "The quake killed 19 people in the town on May 6, the mayor said at a press conference."),
    ])  # fmt: skip
    assert len(found.sentences) == 1
    assert Difference("… people in", (("12", (1,)), ("19", (2,)))) in found.differences


@given(st.lists(st.tuples(st.text(max_size=40), st.text(max_size=200)), max_size=5), st.integers(0, 5))
def test_any_texts(texts: list[tuple[str, str]], most: int) -> None:
    pages = [SummarySentence(number, *each) for number, each in enumerate(texts)]
    found = digest(pages, most)
    assert len(found.sentences) <= most
    assert len({said.text for said in found.sentences}) == len(found.sentences)
    assert all(said.text in pages[said.page].text for said in found.sentences)


def test_a_long_text_is_bounded() -> None:
    page = SummarySentence(1, "a", "1人" * 100_000)
    assert len(digest([page] * 200).sentences) <= 4

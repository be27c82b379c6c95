"""How the pages of an article become one text."""

from extractors.article.parts import join_parts


def test_lines_that_every_part_repeats_stand_once() -> None:
    assert join_parts(["题目\n一\n编辑：甲", "题目\n二\n编辑：甲"]) == "题目\n一\n编辑：甲\n二"
    assert join_parts(["只有一页"]) == "只有一页"
    assert join_parts([]) == ""


def test_paragraphs_of_markdown_stay_apart() -> None:
    parts = ["# T\n\none\n\ntwo", "# T\n\nthree"]
    assert join_parts(parts, "\n\n") == "# T\n\none\n\ntwo\n\nthree"

"""Notices at the end of a text are no part of it."""

import pytest

from extractors.article import main_text

CHINESE = "<p>昨天晚上，河水上涨得很快，村里的老人说，他们从来没有见过这么大的水。</p>" * 8
ENGLISH = "<p>The river had risen in the night, and nobody in the village had ever seen it so high.</p>" * 8


def text(article: str, title: str = "河水上涨") -> str:
    source = (
        f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{article}</article></body></html>"
    )
    return main_text(source.encode())


@pytest.mark.parametrize(
    "notice",
    [
        "凡注明为其他媒体来源的信息，均为转载自其他媒体，转载并不代表本网赞同其观点，也不代表本网对其真实性负责。",
        "未经本网书面授权许可，任何媒体、网站或个人不得转载、复制或以其他方式使用。",
        "【1】留言限140字以內。留言將於發送後由系統自動刪除，違者自負法律責任。",
    ],
)
def test_the_notices_that_end_a_chinese_text_are_left_out(notice: str) -> None:
    found = text(f"{CHINESE}<p>{notice}</p><p>传真：021-62677454</p>")
    assert "河水上涨得很快" in found
    assert notice[:12] not in found
    assert "传真" not in found


@pytest.mark.parametrize(
    "notice",
    [
        "This material may not be published, broadcast, rewritten or redistributed, in whole or in part, by anyone.",
        "The views expressed in this article are the author's own and do not reflect those of the editors, he said.",
        "При использовании материалов сайта активная ссылка на газету и на её страницы, в том числе в сети, обязательна.",
    ],
)
def test_other_languages_have_notices_too(notice: str) -> None:
    found = text(f"{ENGLISH}<p>{notice}</p>", "The river rises")
    assert "nobody in the village" in found
    assert notice not in found


def test_such_words_inside_a_text_stay() -> None:
    inside = "<p>这家公司发表声明说，未经授权不得转载其地图，并要求其他网站在三天之内删除所有的复制件。</p>"
    assert "未经授权不得转载其地图" in text(CHINESE + inside + CHINESE)


def test_a_page_that_is_a_notice_itself_is_read() -> None:
    notice = "<p>未经本网书面授权许可，任何媒体、网站或个人不得转载、复制或以其他方式使用本网的内容和图片。</p>"
    assert "未经本网书面授权许可" in text(CHINESE + notice, "版权声明")


@pytest.mark.parametrize(
    "box",
    [
        ("标题: 河水上涨", "作者: 林一", "创建于 : 2024-05-06 10:20", "链接: https://daily.example/river"),
        ("本文作者：林一", "本文链接：https://daily.example/river", "许可协议：CC BY-NC-SA 4.0"),
        ("Post author: Ann Bell", "Post link: https://daily.example/river", "Updated at : 2024-05-06"),
        ("著者: 林一", "リンク: https://daily.example/river", "更新日時：2024-05-06"),
    ],
)
def test_a_box_that_says_whose_the_text_is_ends_it(box: tuple[str, ...]) -> None:
    lines = "".join(f"<li>{line}</li>" for line in box)
    short = "<p>周四上午停水检修，给各位添麻烦了，请大家提前准备好两天的用水。</p>"
    for words in (short, CHINESE, ENGLISH):
        found = text(f"{words}<ul>{lines}</ul>")
        assert not [line for line in box if line[:4] in found]
        assert found


def test_a_label_inside_a_text_stays() -> None:
    assert "作者：林一" in text(f"{CHINESE}<p>作者：林一是怎样写下这本书的？</p>{CHINESE}")

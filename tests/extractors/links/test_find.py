"""The text around a page's links."""

from extractors.links.find import surroundings
from extractors.page import Page


def _around(body: str) -> dict[str, str]:
    page = Page(
        f"<html><body>{body}</body></html>".encode(), "http://a.example/", content_type="text/html; charset=utf-8"
    )
    return {
        link.url.rsplit("/", 1)[1]: text for link, text in zip(page.links, surroundings(page, page.links), strict=True)
    }


TEASER = "<div class=post><h2><a href=/{0}>{1}</a></h2><p>{2}</p></div>"
TAX = "税务局对纳税人的增值税申报进行稽查，印花税和出口退税的办理也有了新的规定，请各单位按照本通知的要求执行。"
LIFE = "周末去湖边走了一圈，天气很好，拍了不少照片，回来的路上在小店里吃了面，晚上早早地睡了，第二天又去了一次。"


def test_a_teaser_belongs_to_its_own_link() -> None:
    around = _around(TEASER.format("a", "通知", TAX) + TEASER.format("b", "日记", LIFE))
    assert "增值税" in around["a"]
    assert "湖边" not in around["a"]
    assert "湖边" in around["b"]
    assert "增值税" not in around["b"]


def test_a_menu_and_a_long_text_are_no_surroundings() -> None:
    menu = "".join(f"<li><a href=/m{n}>栏目第{n}号很长的名字</a></li>" for n in range(60))
    around = _around(f"<ul>{menu}</ul><div>{TAX * 20}<a href=/deep>这里</a></div>")
    assert "栏目第1号" not in around["m0"]
    assert around["deep"] == ""


def test_a_page_without_links_has_none() -> None:
    assert _around("<p>text</p>") == {}

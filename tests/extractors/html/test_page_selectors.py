"""CSS and XPath on columns find what lxml finds, in time linear in the page."""

import time

import pytest
from lxml.cssselect import CSSSelector
from lxml.etree import XPath

from extractors.html.columns import Columns
from extractors.html.page_selectors import compiled
from extractors.html.parsing import MarkupSource
from extractors.html.tree_masks import SelectorError

PAGE = """<html><head><meta name=author content="Ann Lee"><title>T</title></head><body class="a b">
<div id=main class="content wide"><h1>Head</h1><p>one</p><p class=x>two <a href=http://e.example/>link</a></p><x-box><p>three</p></x-box>
<ul><li>1<li>2<li class=x><a>3</a></ul></div><div class=side><p>four</p><div><div><p lang=en-GB>five</p></div></div></div>
<h2>Second</h2><p>six</p><span></span></body></html>"""
CSS = (
    *(
        "div p",
        "div > p",
        "p + p",
        "h1 ~ p",
        "#main",
        ".x",
        "p.x",
        "[lang|=en]",
        "a[href^=http]",
        "[class~=wide]",
        "x-box p",
    ),
    *(
        "li:first-child",
        "li:last-child",
        "li:nth-child(2n+1)",
        "p:nth-of-type(2)",
        "div:has(> ul)",
        "div:has(a)",
        "p:not(.x)",
    ),
    *("h1, h2", ":is(h1, h2)", "div div div p", "p:only-child", "li:nth-last-child(2)", "body *"),
)
XPATHS = (
    *(
        "//p",
        "//div/p[2]",
        "//li[last()]",
        "//*[@id='main']/p",
        "//div[contains(@class, 'wide')]//a",
        "/html/body/div[2]/p",
    ),
    *(
        "//h1 | //h2",
        "//div[not(@id)]",
        "//li[a]",
        "//a[@href and starts-with(@href, 'http')]",
        "//h2/following-sibling::p",
    ),
    *("//div[contains(concat(' ', normalize-space(@class), ' '), ' side ')]/p", "//p[1]", "//p[contains(., 'two')]"),
    *(
        "//p/following-sibling::*[1]",
        "//p/preceding-sibling::*[1]",
        "//li/following-sibling::li[2]",
        "//h2/preceding-sibling::div",
    ),
    *(
        "//a/..",
        "//a/parent::li",
        "//p[ancestor::x-box]",
        "//div[.//a]",
        "//div[p/a]",
        "//li[a/@href]",
        "//p[a/@href='http://e.example/']",
    ),
    *(
        "(//p)[3]",
        "(//p)[last()]",
        "(//div//p)[2]/a",
        "(//ul | //div)[2]",
        "//li[position()>1]",
        "//li[position()=last()]",
    ),
    *(
        "//p[@class='x' and position()=2]",
        "//p[following-sibling::ul]",
        "//li[preceding-sibling::li]",
        "//p[not(a)]",
        "//h1[.='Head']",
    ),
    *("//div/descendant::p[a]", "//p/self::p", "//a/ancestor::div", "//p[self::p]", "//*[../@id='main']"),
)


@pytest.mark.parametrize("text", [*CSS, *XPATHS])
def test_a_selector_finds_what_lxml_finds(text: str) -> None:
    root = MarkupSource(PAGE).root
    columns = Columns(MarkupSource(root=root))
    places = {element: place for place, element in enumerate(columns.elements)}
    known = XPath(text)(root) if text.startswith(("/", "(")) else CSSSelector(text)(root)
    assert compiled(text).places(columns).tolist() == sorted(places[element] for element in known)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("//meta[@name='author']/@content", "Ann Lee"),
        ("meta", "Ann Lee"),
        ("//h1/text()", "Head"),
        ("h1::text", "Head"),
        ("p a::attr(href)", "http://e.example/"),
        ("normalize-space(//h1)", "Head"),
        ("string(//p[a])", "two link"),
    ],
)
def test_the_value_is_an_attribute_or_the_text(text: str, value: str) -> None:
    columns = Columns(MarkupSource(root=MarkupSource(PAGE).root))
    selector = compiled(text)
    assert [selector.value(columns, int(place)) for place in selector.places(columns)] == [value]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("div[", "is not a selector"),
        ("p:hover", ":hover is not known"),
        ("a::before", "::before is not known"),
        ("//p[count(a) > 2]", "is not an XPath that is read here"),
        ("//b/following::p", "the axis following is not known"),
        ("//b/following-sibling::p[last()]", "as a number only"),
        ("(//a/@href)[1]", "behind the brackets"),
        ("//", "ends too early"),
        ("//p[" + "not(" * 60 + "@a" + ")" * 60 + "]", "too many conditions"),
        ("", "at most 500 characters"),
        ("p " * 300, "at most 500 characters"),
    ],
)
def test_what_cannot_be_read_is_told(text: str, said: str) -> None:
    with pytest.raises(SelectorError, match=said.replace("(", r"\(")):
        compiled(text)


def test_deeply_nested_pages_cost_no_more_than_others() -> None:
    """libxml2 takes half a minute for the same."""
    page = ("<div class=a>" * 100 + "<p>x</p>" * 20 + "</div>" * 100) * 160
    columns = Columns(MarkupSource(root=MarkupSource(page).root))
    begun = time.process_time()
    assert len(compiled("div.a div.a div.a p").places(columns)) == 160 * 20
    assert len(compiled("//div[@class='a']//div//p").places(columns)) == 160 * 20
    assert time.process_time() - begun < 2

"""Bytes become the text that their writer wrote, whatever header and meta say."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.html.encoding import decode

SIMPLIFIED = (
    "<p>昨天下午，市政府召开新闻发布会，介绍今年以来经济运行的情况。发言人说，上半年全市工业生产总值比去年同期增长百分之八，"
    "其中高新技术产业的贡献最大。他还回答了记者关于就业、物价和住房的提问。</p>"
)
TRADITIONAL = (
    "<p>昨天下午，市政府召開新聞發佈會，介紹今年以來經濟運行的情況。發言人說，上半年全市工業生產總值比去年同期增長百分之八，"
    "其中高新技術產業的貢獻最大。他還回答了記者關於就業、物價和住房的提問。</p>"
)
JAPANESE = "<p>東京都は昨日、新しい交通計画を発表しました。電車とバスの利用者が増えているためです。</p>" * 2
KOREAN = "<p>서울시는 어제 새로운 교통 계획을 발표했다. 지하철과 버스 이용자가 늘고 있기 때문이다.</p>" * 2
RUSSIAN = "<p>Вчера в городе прошла встреча, на которой обсудили новые правила дорожного движения.</p>" * 2
FRENCH = "<p>L'été dernier, la mairie a décidé de créer une école près de la forêt.</p>" * 3


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (SIMPLIFIED, "utf-8"),
        (SIMPLIFIED, "gbk"),
        (SIMPLIFIED, "gb18030"),
        (TRADITIONAL, "big5"),
        (TRADITIONAL, "utf-8"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (KOREAN, "euc_kr"),
        (RUSSIAN, "cp1251"),
        (FRENCH, "cp1252"),
    ],
)
def test_undeclared_pages_are_read_by_their_bytes(text: str, codec: str) -> None:
    assert decode(text.encode(codec)).text == text


@pytest.mark.parametrize("lie", ["utf-8", "gb2312", "big5", "iso-8859-1", "shift_jis"])
@pytest.mark.parametrize(("text", "codec"), [(SIMPLIFIED, "gbk"), (SIMPLIFIED, "utf-8"), (TRADITIONAL, "big5")])
def test_a_wrong_header_or_meta_is_not_believed(text: str, codec: str, lie: str) -> None:
    body = text.encode(codec)
    assert decode(body, f"text/html; charset={lie}").text == text
    assert decode(f'<meta charset="{lie}">'.encode() + body).text.endswith(text)


def test_a_right_meta_wins_over_a_wrong_header() -> None:
    body = b'<meta http-equiv="Content-Type" content="text/html; charset=gb2312">' + SIMPLIFIED.encode("gbk")
    assert decode(body, "text/html; charset=utf-8").text.endswith(SIMPLIFIED)


def test_gb2312_is_read_with_the_characters_of_gb18030() -> None:
    text = "<meta charset=gb2312><p>朱镕基、陶喆和李喆在深圳" + "的新闻发布会上说" * 5
    read = decode(text.encode("gb18030"))
    assert (read.text, read.charset) == (text, "gb18030")


def test_two_characters_of_gbk_are_not_taken_for_utf8() -> None:
    assert decode("<meta charset=gbk>联通".encode("gbk")).text.endswith("联通")


def test_byte_order_mark_wins() -> None:
    assert decode(codecs.BOM_UTF16_LE + "中文".encode("utf-16-le"), "text/html; charset=gbk").text == "中文"
    assert decode(codecs.BOM_UTF8 + "中文".encode()).text == "中文"


def test_one_broken_byte_does_not_change_the_charset() -> None:
    body = SIMPLIFIED.encode()
    read = decode(body[:200] + b"\xff" + body[200:], "text/html; charset=utf-8")
    assert read.charset == "utf-8"
    assert read.text.count("\ufffd") <= 3


@pytest.mark.parametrize(
    "charset", ["nonsense", "idna", "base64", "zlib", "undefined", "rot13", "utf-7", "", "x" * 500]
)
def test_a_charset_that_is_none_does_no_harm(charset: str) -> None:
    assert "中文" in decode("<p>中文的新闻，记者的报道".encode(), f"text/html; charset={charset}").text


@given(st.binary(max_size=3000), st.text(max_size=40))
def test_any_bytes_give_text(body: bytes, content_type: str) -> None:
    read = decode(body, content_type)
    assert isinstance(read.text, str)
    codecs.lookup(read.charset)

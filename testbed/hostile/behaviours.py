"""What hostile hosts do; each is one row of the threats that a crawl must withstand."""

import re
import zlib
from functools import lru_cache

from testbed.hostile.server import Connection

SENTENCE = "昨天下午，市政府在新闻发布会上宣布，新的地铁线路将于明年春天开工，工期三年，沿途共有十二座车站。"
MEGABYTE = 1 << 20


def article(title: str, links: str = "", charset: str = "") -> str:
    """A page with enough text to be one."""
    meta = f'<meta charset="{charset}">' if charset else ""
    text = "".join(f"<p>{SENTENCE}第{number}段。</p>" for number in range(1, 8))
    return (
        f"<html><head>{meta}<title>{title}</title></head><body><h1>{title}</h1><div>{text}</div>{links}</body></html>"
    )


def links_to(*targets: str) -> str:
    """A list of links."""
    return "<ul>" + "".join(f'<li><a href="{target}">看看这里 {target}</a></li>' for target in targets) + "</ul>"


@lru_cache
def _bomb(megabytes: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    start = packer.compress(b"<html><body>")
    return start + b"".join(packer.compress(b"a" * MEGABYTE) for _ in range(megabytes)) + packer.flush()


def gzip_bomb(asked: Connection) -> None:
    """200 kB that become 200 MB."""
    asked.answer(_bomb(200), Content_Encoding="gzip")


def endless_body(asked: Connection) -> None:
    """A body that never ends."""
    asked.send(b"HTTP/1.1 200 X\r\nContent-Type: text/html\r\n\r\n")
    asked.drip(b"<p>more</p>" * 20_000, 0.0)


def slow_body(asked: Connection) -> None:
    """A letter now and then, for ever."""
    asked.send(b"HTTP/1.1 200 X\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n<html>")
    asked.drip(b"a", 0.2)


def slow_headers(asked: Connection) -> None:
    """A header now and then, for ever."""
    asked.send(b"HTTP/1.1 200 X\r\n")
    asked.drip(b"X-Wait: 1\r\n", 0.2)


def endless_headers(asked: Connection) -> None:
    """Headers without end, as fast as they are taken."""
    asked.send(b"HTTP/1.1 200 X\r\n")
    asked.drip(b"X-Filler: " + b"a" * 8_000 + b"\r\n", 0.0)


def one_endless_header(asked: Connection) -> None:
    """A header line without end."""
    asked.send(b"HTTP/1.1 200 X\r\nX-Filler: ")
    asked.drip(b"a" * 8_000, 0.0)


def many_links(asked: Connection) -> None:
    """200,000 links on one page, to hosts that are not the crawl's."""
    asked.answer("<html><body>" + "".join(f'<a href="http://h{n}.invalid/">{n}</a>' for n in range(200_000)))


def calendar(asked: Connection) -> None:
    """Every month has a next month and thirty days."""
    found = re.search(r"month=(\d+)", asked.path)
    month = int(found.group(1)) if found else 0
    days = [f"/day?month={month}&day={day}" for day in range(1, 6)]
    asked.answer(article(f"第{month}月", links_to(f"/calendar?month={month + 1}", *days)))


def growing_path(asked: Connection) -> None:
    """A relative link that feeds on itself."""
    asked.answer(article("目录", links_to("more/")))


def declared_wrongly(asked: Connection) -> None:
    """GB bytes that header and meta call UTF-8."""
    body = article("地铁新线明年开工", charset="utf-8").encode("gb18030")
    asked.answer(body, Content_Type="text/html; charset=utf-8")


def undeclared_big5(asked: Connection) -> None:
    """Traditional characters in Big5, and nobody says so."""
    text = "昨天下午，市政府在新聞發布會上宣布，新的地鐵線路將於明年春天開工，工期三年，沿途共有十二座車站。"
    paragraphs = "".join(f"<p>{text}</p>" for _ in range(6))
    body = (
        f"<html><head><title>地鐵新線明年開工</title></head><body><h1>地鐵新線明年開工</h1>{paragraphs}</body></html>"
    )
    asked.answer(body.encode("big5"))


def deep_nesting(asked: Connection) -> None:
    """A hundred thousand open elements."""
    asked.answer("<html><body>" + "<div>" * 100_000 + f"<p>{SENTENCE}</p>" * 5)


def redirect_loop(asked: Connection) -> None:
    """Round and round."""
    asked.answer(status=302, Location=f"/{asked.path.count('x') % 2 * 'y' or 'x'}")


def cut_short(asked: Connection) -> None:
    """Half of what was promised."""
    asked.send(b"HTTP/1.1 200 X\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n<html><body>half")


def no_http(asked: Connection) -> None:
    """Bytes that are no answer."""
    asked.send(b"\x00\xff\x16\x03 nonsense\r\n\r\n" * 20)


def busy_once(asked: Connection) -> None:
    """Come back in a second; then a page."""
    if asked.turn == 1:
        asked.answer("busy", 503, Retry_After="1")
    else:
        asked.answer(article("终于开门了"))


def gone(asked: Connection) -> None:
    """A page with one link that is dead."""
    if asked.path == "/":
        asked.answer(article("首页", links_to("/dead.html")))
    else:
        asked.answer("gone", 410)


def entity_bomb(asked: Connection) -> None:
    """A sitemap whose entities would expand to gigabytes."""
    if not asked.path.endswith(".xml"):
        asked.answer(article("有站点地图"))
        return
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    start = f'<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY e0 "lol">{entities}]>'
    asked.answer(f"{start}<urlset><url><loc>http://entities.example/&e9;</loc></url></urlset>", Content_Type="text/xml")


def feed_of_a_device(asked: Connection) -> None:
    """A feed that is the name of a file without end."""
    if asked.path == "/":
        asked.answer(article("有订阅", links_to("/zero", "/good")))
    elif asked.path == "/good":
        entry = "<item><link>http://feed.example/listed.html</link></item>"
        asked.answer(f'<rss version="2.0"><channel>{entry}</channel></rss>', Content_Type="application/rss+xml")
    elif asked.path == "/zero":
        asked.answer("/dev/zero", Content_Type="application/rss+xml")
    else:
        asked.answer(article("订阅里的一页"))


def robots_refuse(asked: Connection) -> None:
    """robots.txt cannot be had."""
    asked.answer("down", 503)


def plain(asked: Connection) -> None:
    """A harmless page."""
    asked.answer(article("一切正常"))

"""What sites list of themselves: sitemaps in their forms, and answers that are none."""

import gzip
import time

import pytest

from crawler.links.sitemaps import read_sitemap

NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
PAGES = f"<?xml version='1.0'?><urlset {NAMESPACE}><url><loc> http://a.example/1 </loc></url><url><loc>http://a.example/2</loc></url></urlset>"
INDEX = f"<sitemapindex {NAMESPACE}><sitemap><loc>http://a.example/more.xml</loc></sitemap></sitemapindex>"


def test_pages_and_further_sitemaps_are_told_apart() -> None:
    assert read_sitemap(PAGES.encode()) == ([], ["http://a.example/1", "http://a.example/2"])
    assert read_sitemap(INDEX.encode()) == (["http://a.example/more.xml"], [])


def test_a_sitemap_in_utf_16_is_read() -> None:
    assert read_sitemap(PAGES.replace("<?xml version='1.0'?>", "").encode("utf-16"))[1][0] == "http://a.example/1"


def test_a_packed_sitemap_is_read() -> None:
    assert read_sitemap(gzip.compress(PAGES.encode()))[1] == ["http://a.example/1", "http://a.example/2"]


def test_a_sitemap_that_breaks_off_gives_what_came() -> None:
    assert read_sitemap(PAGES.encode()[:-20])[1][0] == "http://a.example/1"


@pytest.mark.parametrize(
    "body",
    [b"", b"nothing", b"\x1f\x8bdamaged", b"<html><body><url><loc>http://a.example/</loc></url></body></html>"],
)
def test_what_is_no_sitemap_lists_nothing(body: bytes) -> None:
    assert read_sitemap(body) == ([], [])


def test_no_file_is_read_for_an_entity_and_none_for_a_body() -> None:
    document = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>http://a.example/&x;</loc></url></urlset>'
    assert "root" not in str(read_sitemap(document.encode()))
    for name in (b"/etc/passwd", b"file:///etc/passwd", b"/dev/zero", b"http://127.0.0.1/"):
        assert read_sitemap(name) == ([], [])


def test_a_hostile_sitemap_costs_no_more_than_its_bytes() -> None:
    begun = time.process_time()
    wide = b"<urlset><url><loc>http://a.example/</loc>" + b"<b/>" * 1_000_000 + b"</url></urlset>"
    assert read_sitemap(wide)[1] == ["http://a.example/"]
    assert read_sitemap(gzip.compress(b"<urlset>" + b" " * 60_000_000)) == ([], [])
    assert time.process_time() - begun < 5


def test_of_a_packed_sitemap_that_is_damaged_or_breaks_off_what_came_before_is_read() -> None:
    places = "".join(f"<url><loc>http://a.example/{number}</loc></url>" for number in range(500))
    packed = gzip.compress(f"<urlset {NAMESPACE}>{places}</urlset>".encode())
    assert len(read_sitemap(packed[: len(packed) // 2])[1]) > 50
    for place in range(10, len(packed), 7):
        read_sitemap(packed[:place] + bytes((packed[place] ^ 0xFF,)) + packed[place + 1 :])

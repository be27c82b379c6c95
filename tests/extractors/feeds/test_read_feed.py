"""What sites list of themselves: sitemaps and feeds in their forms, and answers that are none."""

import gzip
import time

import pytest

from extractors.feeds.declared_feeds import MAX_BYTES, is_feed, read_feed

NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
PAGES = f"<?xml version='1.0'?><urlset {NAMESPACE}><url><loc> http://a.example/1 </loc></url><url><loc>http://a.example/2</loc></url></urlset>"
INDEX = f"<sitemapindex {NAMESPACE}><sitemap><loc>http://a.example/more.xml</loc></sitemap></sitemapindex>"


def read(body: bytes) -> tuple[str, list[str]]:
    found = read_feed(body, "http://a.example/sitemap.xml")
    return (found.kind, [entry.url for entry in found.entries]) if found is not None else ("", [])


def test_pages_and_further_sitemaps_are_told_apart() -> None:
    assert read(PAGES.encode()) == ("sitemap", ["http://a.example/1", "http://a.example/2"])
    assert read(INDEX.encode()) == ("index", ["http://a.example/more.xml"])


def test_a_sitemap_in_utf_16_is_read() -> None:
    assert read(PAGES.replace("<?xml version='1.0'?>", "").encode("utf-16"))[1][0] == "http://a.example/1"


def test_a_packed_sitemap_is_read() -> None:
    assert read(gzip.compress(PAGES.encode()))[1] == ["http://a.example/1", "http://a.example/2"]


def test_a_sitemap_that_breaks_off_gives_what_came() -> None:
    assert read(PAGES.encode()[:-20])[1][0] == "http://a.example/1"


@pytest.mark.parametrize(
    "body",
    [b"", b"nothing", b"\x1f\x8bdamaged", b"<html><body><url><loc>http://a.example/</loc></url></body></html>"],
)
def test_what_is_no_sitemap_lists_nothing(body: bytes) -> None:
    assert read(body) == ("", [])


def test_no_file_is_read_for_an_entity_and_none_for_a_body() -> None:
    document = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>http://a.example/&x;</loc></url></urlset>'
    assert "root" not in str(read(document.encode()))
    for name in (b"/etc/passwd", b"file:///etc/passwd", b"/dev/zero", b"http://127.0.0.1/"):
        assert read(name) == ("", [])


def test_a_hostile_sitemap_costs_no_more_than_its_bytes() -> None:
    begun = time.process_time()
    wide = b"<urlset><url><loc>http://a.example/</loc>" + b"<b/>" * 1_000_000 + b"</url></urlset>"
    assert read(wide)[1] == ["http://a.example/"]
    assert read(gzip.compress(b"<urlset>" + b" " * 60_000_000)) == ("sitemap", [])
    assert time.process_time() - begun < 5


def test_of_a_packed_sitemap_that_is_damaged_or_breaks_off_what_came_before_is_read() -> None:
    places = "".join(f"<url><loc>http://a.example/{number}</loc></url>" for number in range(500))
    packed = gzip.compress(f"<urlset {NAMESPACE}>{places}</urlset>".encode())
    assert len(read(packed[: len(packed) // 2])[1]) > 50
    for place in range(10, len(packed), 7):
        read(packed[:place] + bytes((packed[place] ^ 0xFF,)) + packed[place + 1 :])


RSS = (
    "<rss><channel><title>all</title><link>http://a.example/</link><item><title>The <b>lake</b>\n rose</title>"
    "<link>/1</link><description>said of it</description><pubDate>Tue, 24 Nov 2026</pubDate></item></channel></rss>"
)
ATOM = (
    "<feed xmlns='http://www.w3.org/2005/Atom'><entry xml:base='/posts/'><title>One</title><link rel='edit' href='/edit'/>"
    "<link href='1.html'/><id>http://a.example/id</id><updated>2026-11-24</updated></entry></feed>"
)


def test_entries_of_feeds_have_addresses_texts_and_times() -> None:
    (entry,) = found.entries if (found := read_feed(RSS.encode(), "http://a.example/rss.xml", with_texts=True)) else ()
    assert entry[:5] == ("http://a.example/1", "", "Tue, 24 Nov 2026", "The lake rose", "said of it")
    (entry,) = found.entries if (found := read_feed(ATOM.encode(), "http://a.example/atom.xml")) else ()
    assert entry[:5] == ("http://a.example/posts/1.html", "2026-11-24", "", "", "")


def test_an_identity_that_is_an_address_stands_for_a_missing_link() -> None:
    identities = (
        "<guid>http://a.example/1</guid>",
        "<guid isPermaLink='false'>http://a.example/2</guid>",
        "<id>3</id>",
    )
    body = "".join(f"<item>{identity}</item>" for identity in identities)
    assert read(f"<rss>{body}</rss>".encode()) == ("feed", ["http://a.example/1", "", ""])


@pytest.mark.parametrize(
    "before", ["\ufeff", "<!-- made by <html> --><?xml-stylesheet href='<a>'?>", "\n<!DOCTYPE rss>"]
)
def test_what_stands_before_the_root_does_not_matter(before: str) -> None:
    assert read((before + RSS).encode())[0] == "feed"


def test_an_address_is_not_cut_at_the_limit() -> None:
    body = (RSS.replace("</channel></rss>", "") + "<item><link>http://a.example/long</link></item>").encode()
    found = read_feed(body, "http://a.example/", max_bytes=len(body) - len("ong</link></item>"))
    assert found is not None
    assert [entry.url for entry in found.entries] == ["http://a.example/1", ""]


def test_no_more_entries_are_read_than_asked_for() -> None:
    found = read_feed(PAGES.encode(), "http://a.example/", max_entries=1)
    assert found is not None
    assert len(found.entries) == 1


@pytest.mark.parametrize("start", [b"<!--", b"<a:", b"<", b"<!", b"<?", b"<rss:"])
def test_the_root_is_looked_for_in_bounded_time(start: bytes) -> None:
    begun = time.process_time()
    found = read_feed(start * (MAX_BYTES // len(start)), "http://a.example/")
    assert found is None or not found.entries
    assert time.process_time() - begun < 2


def test_an_answer_is_a_feed_by_its_start_or_its_type() -> None:
    assert is_feed(RSS.encode(), "text/plain")
    assert is_feed(b"", "application/atom+xml")
    assert not is_feed(PAGES.encode(), "text/xml")

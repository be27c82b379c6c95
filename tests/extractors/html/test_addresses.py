"""References are resolved as browsers resolve them: cases from the rules of the WHATWG URL standard."""

from urllib.parse import urlsplit

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from extractors.html.addresses import resolve, with_encoded_query
from extractors.links.find import find_links
from extractors.links.urls import canonical_url
from extractors.page import Page

BASE = "http://h.example/a/b/c.html?q=1#top"


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("", "http://h.example/a/b/c.html?q=1"),
        ("#part", "http://h.example/a/b/c.html?q=1"),
        ("?p=2", "http://h.example/a/b/c.html?p=2"),
        ("d.html", "http://h.example/a/b/d.html"),
        ("./d", "http://h.example/a/b/d"),
        ("../d", "http://h.example/a/d"),
        ("..", "http://h.example/a/"),
        ("../../../../d", "http://h.example/d"),
        ("%2e%2E/d", "http://h.example/a/d"),
        (".%2e/d/%2e", "http://h.example/a/d/"),
        ("/x//y/./z/..", "http://h.example/x//y/"),
        # a backslash is a slash before the query and in it stays what it is
        ("\\2018\\03\\x\\", "http://h.example/2018/03/x/"),
        ("..\\d\\e.html", "http://h.example/a/d/e.html"),
        ("\\\\k.example\\d", "http://k.example/d"),
        ("/\\k.example/d", "http://k.example/d"),
        ("d?path=c:\\temp", "http://h.example/a/b/d?path=c:\\temp"),
        ("d#x\\y", "http://h.example/a/b/d"),
        ("http:\\\\k.example\\d", "http://k.example/d"),
        # control characters
        (" \t\nd.html\r\x00 ", "http://h.example/a/b/d.html"),
        ("/x\n/y\t/z", "http://h.example/x/y/z"),
        ("ht\ntp://k.example/", "http://k.example/"),
        # slashes before a host
        ("//k.example/d", "http://k.example/d"),
        ("////k.example/d", "http://k.example/d"),
        ("https:k.example/d", "https://k.example/d"),
        ("https:/k.example/d", "https://k.example/d"),
        ("https:////k.example/d", "https://k.example/d"),
        # a scheme that is the page's own, without slashes, names nothing
        ("http:d.html", "http://h.example/a/b/d.html"),
        ("http:/d.html", "http://h.example/d.html"),
        # hosts and ports
        ("HTTP://K.Example/D", "http://k.example/D"),
        ("http://k.example:80/", "http://k.example/"),
        ("https://k.example:443", "https://k.example/"),
        ("https://k.example:80/", "https://k.example:80/"),
        ("http://k.example:/d", "http://k.example/d"),
        ("http://?q", ""),
        ("http://[bad", ""),
        ("http://a b.example/", ""),
        ("http://[2001:db8::1]:80/d", "http://[2001:db8::1]/d"),
        # what is no page
        ("javascript:void(0)", ""),
        ("mailto:a@k.example", ""),
        ("C:\\temp\\x.html", ""),
    ],
)
def test_reference_is_resolved(reference: str, found: str) -> None:
    assert resolve(BASE, reference) == found


def test_base_that_is_no_address_has_only_absolute_references() -> None:
    assert (resolve("", "/a"), resolve("about:blank", "b"), resolve("", "http://k.example/b")) == (
        "",
        "",
        "http://k.example/b",
    )


PARTS = st.sampled_from(
    "http: https: ftp: HTTP: / // \\ \\\\ /\\ . .. a b.html ?x=1 ?a\\b #p %2e %2E%2e ../ ./ 中 www.h.example :80 :443 :8080 ; %20 ~ \t"
    " \n".split(" ")
)
BASES = st.sampled_from([BASE, "https://h.example:8443/", "http://h.example", "http://h.example/a//b/"])


@given(BASES, st.lists(PARTS, max_size=5).map("".join))
@example("https://h.example:8443/", "http:http::80")
@example("https://h.example/", "//h.example:99999/")
def test_same_as_a_browsers_parser(base: str, reference: str) -> None:
    ada_url = pytest.importorskip("ada_url")
    try:
        wanted = canonical_url(ada_url.URL(reference, base).href)
    except ValueError:
        wanted = ""
    assume(".." not in (urlsplit(wanted).hostname or ""))  # a host with an empty label is none
    found = canonical_url(resolve(base, reference))
    # a percent-encoded host is no host of a page
    assert found == wanted or (found == "" and "%" in reference)


def test_query_is_written_in_the_bytes_of_the_page() -> None:
    assert with_encoded_query("/s?词=税 务#词", "gb18030") == "/s?%B4%CA=%CB%B0 %CE%F1#词"
    assert with_encoded_query("/词", "gb18030") == "/词"
    assert with_encoded_query("/s?词", "utf-8") == "/s?词"


def test_links_of_an_old_page() -> None:
    source = "<meta charset=gbk><a href='\\2018\\03\\x\\'>旧文</a><a href='/s?k=税务'>搜索</a>".encode("gbk")
    links = [link.url for link in find_links(Page(source, "http://h.example/index.html"))]
    assert links == ["http://h.example/2018/03/x/", "http://h.example/s?k=%CB%B0%CE%F1"]

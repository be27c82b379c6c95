"""JSON lists that nobody has described: which shapes are read, and what is refused or bounded."""

import json
import time
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin

import pytest

from extractors.feeds import UnreadableError, is_feed, looks_like_json, read_feed, read_json_feed

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
URL = "https://api.some.example/v1/list.json"
MANY = range(1, 5)


def items(**fields: Any) -> list[Any]:
    """Four objects; {} in a text is the number of each."""
    return [json.loads(json.dumps(fields).replace("{}", str(number))) for number in MANY]


REDDIT = {"title": "Story {}", "permalink": "/r/{}/", "url": "https://i.example/{}.jpg", "created_utc": 1764200000.0}
GITHUB = {
    "url": "https://api.some.example/issues/{}",
    "html_url": "https://some.example/issues/{}",
    "title": "Story {}",
    "created_at": "2026-11-27T10:00:00Z",
    "user": {"login": "a", "html_url": "https://some.example/a"},
}
WIKI = {f"10{number}": {"title": f"Story {number}", "fullurl": f"https://some.example/{number}"} for number in MANY}
SECTIONS = [
    {"name": "A", "stories": items(headline="Story {}", web_url="/s/{}")},
    {"name": "B", "stories": items(headline="Tale {}", web_url="/t/{}")},
]
RENDERED = {"title": {"rendered": "Story &amp; {}"}, "link": "/p/{}/", "date_gmt": "2026-11-27T10:00:00"}
PLAIN = {"title": "Story {}", "url": "/{}"}
SHAPES: dict[str, tuple[Any, str, str]] = {
    "a top array": (items(**PLAIN, date="2026-11-27"), "/1", "2026-11-27"),
    "nested": (
        {"code": 0, "data": {"list": items(name="第{}条新闻", link="/a/{}", ctime=1764200000)}},
        "/a/1",
        "2025-11-26T23:33:20+00:00",
    ),
    "each item in an envelope": (
        {"data": {"children": items(kind="t3", data=REDDIT)}},
        "/r/1/",
        "2025-11-26T23:33:20+00:00",
    ),
    "rendered titles": (items(**RENDERED), "/p/1/", "2026-11-27T10:00:00"),
    "the page rather than the service": (
        {"items": items(**GITHUB)},
        "https://some.example/issues/1",
        "2026-11-27T10:00:00+00:00",
    ),
    "objects by identity": ({"query": {"pages": WIKI}}, "https://some.example/1", ""),
    "several sections": ({"sections": SECTIONS}, "/s/1", ""),
    "pictures beside the address": (
        items(title="Story {}", image="https://cdn.example/{}.jpg", share_url="https://some.example/{}"),
        "https://some.example/1",
        "",
    ),
    "relative times": (items(**PLAIN, time="3小时前"), "/1", "2026-11-28T09:00+00:00"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_clear_list_is_read_without_a_recipe(name: str) -> None:
    value, address, published = SHAPES[name]
    entries = read_json_feed(json.dumps(value).encode(), URL, now=NOW).feed.entries
    assert len(entries) == (8 if name == "several sections" else 4)
    assert (entries[0].url, entries[0].published) == (urljoin(URL, address), published)
    assert entries[0].title in ("Story 1", "Story & 1", "第1条新闻")


def test_a_json_feed_is_read_with_its_hub_and_its_next_page() -> None:
    value = {
        "version": "https://jsonfeed.org/version/1.1",
        "feed_url": "https://some.example/feed.json",
        "next_url": "https://some.example/feed.json?page=2",
        "hubs": [{"type": "WebSub", "url": "https://hub.example/"}],
        "items": [{"id": "1", "url": "/1", "content_text": "Only text", "date_published": "2026-11-27T10:00:00Z"}],
    }
    feed = read_json_feed(json.dumps(value).encode(), "https://some.example/feed.json", now=NOW).feed
    assert (feed.hub, feed.topic, feed.further) == ("https://hub.example/", value["feed_url"], value["next_url"])
    assert (feed.entries[0].url, feed.entries[0].title) == ("https://some.example/1", "Only text")


LIST = json.dumps(items(title="Story {}", url="https://some.example/{}"))
WRAPPED = {
    "a byte order mark": b"\xef\xbb\xbf" + LIST.encode(),
    "UTF-16": LIST.encode("utf-16"),
    "JSONP": f"jQuery_12({LIST});".encode(),
    "a comment before JSONP": f"/**/cb({LIST})".encode(),
    "an assignment": f"var data = {LIST};".encode(),
    "a guard": f")]}}',\n{LIST}".encode(),
    "an endless loop": f"for(;;);{LIST}".encode(),
    "JSON lines": b"\n".join(json.dumps(each).encode() for each in json.loads(LIST)),
    "values that JSON lacks": LIST.replace('"title": "Story 1"', '"n": NaN, "title": "Story 1"').encode(),
    "a comma too many": LIST.replace("}]", "},]").encode(),
    "a number of 10,000 digits": LIST.replace('{"title"', f'{{"id": {"9" * 10_000}, "title"').encode(),
    "a lone surrogate": LIST.replace("Story 2", "Story \\ud800 2").encode(),
}


@pytest.mark.parametrize("name", WRAPPED)
def test_what_servers_wrap_around_a_list_does_not_matter(name: str) -> None:
    assert looks_like_json(WRAPPED[name], "text/javascript; charset=utf-8")
    entries = read_json_feed(WRAPPED[name], URL, now=NOW).feed.entries
    assert [entry.url for entry in entries] == [f"https://some.example/{number}" for number in MANY]
    assert all(entry.title.encode() for entry in entries)


def test_chinese_bytes_are_read_in_their_charset() -> None:
    body = json.dumps(items(title="新闻标题第{}条", url="/{}"), ensure_ascii=False).encode("gb18030")
    assert read_json_feed(body, URL, now=NOW).feed.entries[0].title == "新闻标题第1条"


def test_bad_addresses_and_repeated_ones_are_left_out() -> None:
    bad = ["javascript:alert(1)", "data:text/html,x", "", "mailto:a@b.example", "http://[bad", "/ok", "/ok"]
    listed = [
        *items(title="Story {}", url="/{}"),
        *({"title": f"Bad {place}", "url": each} for place, each in enumerate(bad)),
    ]
    urls = [entry.url for entry in read_json_feed(json.dumps(listed).encode(), URL, now=NOW).feed.entries]
    assert urls == [*(f"https://api.some.example/{number}" for number in MANY), "https://api.some.example/ok"]


UNREADABLE = {
    "no objects": (b'{"data": [1, 2, 3]}', "no array of objects"),
    "only titles": (json.dumps({"hot": items(name="Story {}", id="{}")}).encode(), "hot with titles .name."),
    "damaged": (b'{"a": [1, 2', "not JSON"),
    "deep": (b"[" * 200_000 + b"]" * 200_000, "nested too deeply"),
    "very deep objects": (b'{"a":' * 50_000, "nested too deeply"),
    "too many containers": (b"[" + b"{}," * 500_000 + b"{}]", "objects and arrays"),
    "too large": (b'["' + b"x" * 10_000_001 + b'"]', "larger than"),
    "a menu": (
        json.dumps([{"name": "Home", "url": "/"}, {"name": "About", "url": "/about"}]).encode(),
        "without addresses|no array",
    ),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_list_is_refused_with_a_sentence(name: str) -> None:
    body, sentence = UNREADABLE[name]
    with pytest.raises(UnreadableError, match=sentence):
        read_json_feed(body, URL, now=NOW)
    assert read_feed(body, URL) is None


def test_a_line_of_ten_megabytes_is_read_in_bounded_time() -> None:
    text = "x" * 900
    lines = (f'{{"title":"Story {n}","url":"https://some.example/{n}","text":"{text}"}},' for n in range(10_000))
    body = f"[{''.join(lines)}null]".encode()
    begun = time.process_time()
    assert len(read_json_feed(body, URL, now=NOW).feed.entries) == 1_000
    assert time.process_time() - begun < 3


def test_an_html_page_is_no_json() -> None:
    assert not looks_like_json(b"<html><script>cb({})</script>", "text/html")
    assert not looks_like_json(b"[link] and {braces} in a text", "text/plain")
    assert is_feed(LIST.encode(), "text/html")

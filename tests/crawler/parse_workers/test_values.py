"""What a process reads of a page arrives as it was, and nothing else is let in."""

import msgpack
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.parse_workers.frames import HEAD, ParseTask, dump_task, load_parsed, load_task
from crawler.parse_workers.process import read
from crawler.parse_workers.reads import READS, wanted
from crawler.parse_workers.values import pack, unpack
from extractors.page import Page, declared_rules
from tests.crawler.forum import Forum

PAGES = (
    b"",
    b"<p>\xff\xfe<title>x",
    "<meta charset=gb18030><title>标题</title><p>正文。".encode("gb18030") * 9,
    b"<meta name=robots content=nofollow><base href=//x.example/><link rel=canonical href=/a><a href=/tag/b rel=tag>b</a>",
    b'<script type="application/ld+json">{"@type": "Article", "headline": "\\ud83d", "author": 7}</script><p>text text',
    Forum([9]).page(0, 1).encode(),
)


@pytest.mark.parametrize("body", PAGES)
def test_a_page_read_elsewhere_is_the_page_read_here(body: bytes) -> None:
    task = ParseTask("http://x.example/thread-1-1-1.html", body, "text/html", "2026-11-23T10:00:00+00:00", tuple(READS))
    reading = read(load_task(dump_task(task)[4:]))
    page = Page(body, task.url, content_type="text/html")
    assert set(reading.values) == set(READS)
    for name, packed in reading.values.items():
        value = page.once(READS[name])
        if name == "page_text":
            assert repr(unpack(packed)) == repr(value)
        elif "T10:" not in repr(value):
            assert unpack(packed) == (tuple(value) if isinstance(value, list) else value), name


def test_a_worker_reads_by_the_rules_of_the_site() -> None:
    declared = declared_rules({"title": "b"}, None)
    body = b"<html><head><title>Other</title></head><body><b>Bold title</b><p>Text</p></body></html>"
    task = ParseTask(
        "http://x.example/", body, "", "2026-11-23T10:00:00+00:00", ("article",), b"", ("x.example", declared)
    )
    assert unpack(read(load_task(dump_task(task)[HEAD.size :])).values["article"]).title == "Bold title"


def test_known_values_are_not_read_again() -> None:
    task = ParseTask("http://x.example/a.html", PAGES[2], "text/html", "2026-11-23T10:00:00+00:00", tuple(READS))
    known = {READS[name]: unpack(packed) for name, packed in read(task).values.items()}
    page = Page(b"", task.url, known=known)
    assert page.charset == "gb18030"
    assert page.article.title == "标题"


def test_a_step_that_fails_is_told_and_costs_its_field(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr("extractors.links.find._resolve", fails)
    reading = read(ParseTask("http://x.example/", PAGES[3], "", "2026-11-23T10:00:00+00:00", ("links", "kind")))
    assert ("links", "ValueError: broken") in reading.failures
    assert unpack(reading.values["links"]) == ()


def test_a_crawl_asks_for_what_it_uses() -> None:
    little = set(wanted(records=False, markdown=False, source=False, topic=False))
    assert set(READS) - little == {
        "records",
        "rows_of_records",
        "covered_share",
        "markdown",
        "source",
        "page_text",
    }
    assert set(wanted(records=True, markdown=True, source=True, topic=True)) == set(READS)


@pytest.mark.parametrize("value", [object(), {1, 2}, np.array([object()]), np.zeros((2, 2)), 1 << 70])
def test_other_objects_are_not_passed_on(value: object) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError)):
        pack(value)


@given(
    st.binary(max_size=200)
    | st.builds(
        lambda code, data: bytes(msgpack.packb(msgpack.ExtType(code, data))),
        st.integers(0, 127),
        st.binary(max_size=60),
    )
)
def test_any_bytes_give_plain_values_or_an_error(data: bytes) -> None:
    for reads in (unpack, load_parsed):
        try:
            reads(data)
        except (ValueError, TypeError):
            continue


def test_long_lists_arrive_in_their_order() -> None:
    rows = [{"place": place, "text": "帖" * (place % 7)} for place in range(1_001)]
    assert unpack(pack(rows)) == tuple(rows)
    assert unpack(pack(rows[:0])) == ()

"""Records are read by two public readers as what was written, whatever a server has sent."""

import io
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.warc.exchange import Exchange, PageBytes, clean_url
from pipelines.warc.payloads import Origin, Payloads, payload_digest

pytest.importorskip("warcio")
from fastwarc.warc import ArchiveIterator as FastIterator
from warcio.archiveiterator import ArchiveIterator

from pipelines.warc.heads import clean_headers
from pipelines.warc.records import exchange_records, source_record, warcinfo

AT = datetime(2026, 11, 20, 8, 30, tzinfo=UTC)
HEADERS = ((b"Content-Type", b"text/html"), (b"Set-Cookie", b"a=1"), (b"Set-Cookie", b"b=2"))


def exchange(**given: Any) -> Exchange:
    usual = {"url": "https://a.example/x?y=1", "at": AT, "method": "GET", "request_headers": ((b"Accept", b"*/*"),),
             "request_body": b"", "status": 200, "headers": HEADERS, "body": b"<p>hello</p>"}  # fmt: skip
    return Exchange(**(usual | given))


def with_warcio(data: bytes) -> Iterator[Any]:
    for record in ArchiveIterator(io.BytesIO(data), check_digests="raise"):
        record.read = record.raw_stream.read()
        yield record


def with_fastwarc(data: bytes) -> Iterator[Any]:
    for record in FastIterator(io.BytesIO(data)):
        status = record.http_headers.status_code if record.http_headers else None
        yield SimpleNamespace(
            kind=record.headers["WARC-Type"], read=record.reader.read(), status=status, headers=dict(record.headers)
        )


def written(made: Exchange, origin: Origin | None = None) -> bytes:
    return exchange_records(made, payload_digest(made.body), origin)


def test_both_readers_see_the_answer_and_its_request() -> None:
    data = warcinfo("x.warc.gz", {"software": "topicrawl"}) + written(exchange(ip="192.0.2.1"))
    info, answer, request = with_warcio(data)
    assert (info.rec_type, answer.rec_type, request.rec_type) == ("warcinfo", "response", "request")
    assert answer.rec_headers["WARC-Target-URI"] == request.rec_headers["WARC-Target-URI"] == "https://a.example/x?y=1"
    assert answer.rec_headers["WARC-IP-Address"] == "192.0.2.1"
    assert answer.rec_headers["WARC-Date"] == "2026-11-20T08:30:00Z"
    assert request.rec_headers["WARC-Concurrent-To"] == answer.rec_headers["WARC-Record-ID"]
    assert answer.http_headers.headers == [(name.decode(), value.decode()) for name, value in HEADERS]
    assert (answer.http_headers.get_statuscode(), answer.read) == ("200", b"<p>hello</p>")
    assert request.http_headers.headers == [("Host", "a.example"), ("Accept", "*/*")]
    assert (request.http_headers.protocol, request.http_headers.statusline) == ("GET", "/x?y=1 HTTP/1.1")
    _, fast, fast_request = with_fastwarc(data)
    assert (fast.kind, fast_request.kind) == ("response", "request")
    assert (fast.status, fast.read) == (200, b"<p>hello</p>")
    assert fast.headers["WARC-Payload-Digest"] == payload_digest(b"<p>hello</p>")


def test_a_payload_that_is_known_and_an_unchanged_page_become_revisits() -> None:
    origin = Origin("https://b.example/first", "2026-11-19T08:30:00Z")
    repeated, _ = with_warcio(written(exchange(), origin))
    assert (repeated.rec_type, repeated.read) == ("revisit", b"")
    assert repeated.rec_headers["WARC-Profile"].endswith("/identical-payload-digest")
    assert repeated.rec_headers["WARC-Refers-To-Target-URI"] == origin.url
    assert repeated.rec_headers["WARC-Refers-To-Date"] == origin.date
    assert repeated.http_headers.get_header("Content-Type") == "text/html"
    unchanged, _ = with_warcio(written(exchange(status=304, body=b"", headers=((b"ETag", b'"a"'),))))
    assert unchanged.rec_headers["WARC-Profile"].endswith("/server-not-modified")
    assert unchanged.http_headers.get_header("ETag") == '"a"'
    assert [record.kind for record in with_fastwarc(written(exchange(), origin))] == ["revisit", "request"]


def test_what_a_client_has_undone_is_not_said_of_the_body() -> None:
    headers = ((b"Transfer-Encoding", b"chunked"), (b"Content-Length", b"5"), (b"Content-Encoding", b"gzip"))
    body = zlib.compress(b"text", wbits=31)
    answer, _ = with_warcio(written(exchange(headers=headers, body=body)))
    assert answer.http_headers.get_header("X-Crawler-Transfer-Encoding") == "chunked"
    assert answer.http_headers.get_header("X-Crawler-Content-Length") == "5"
    assert answer.http_headers.get_header("Content-Encoding") == "gzip"
    assert answer.read == body
    head, _ = with_warcio(written(exchange(method="HEAD", headers=headers[1:2], body=b"")))
    assert head.http_headers.get_header("Content-Length") == "5"


def test_a_source_is_a_resource_and_its_repetition_a_revisit() -> None:
    source = PageBytes("https://a.example/", AT, "text/html; charset=gb18030", "中文".encode("gb18030"))
    digest = payload_digest(source.body)
    again = source_record(source, digest, Origin(source.url, "2026-11-20T08:30:00Z"))
    first, second = with_warcio(source_record(source, digest, None) + again)
    assert (first.rec_type, first.content_type, first.read) == ("resource", source.media_type, source.body)
    assert (second.rec_type, second.read) == ("revisit", b"")
    assert [record.read for record in with_fastwarc(again)] == [b""]


def test_user_names_and_passwords_leave_the_address() -> None:
    assert clean_url("https://me:secret@a.example:8080/x@y") == "https://a.example:8080/x@y"


def test_the_memory_of_payloads_is_bounded_and_keeps_those_that_come_again() -> None:
    payloads = Payloads(most=2)
    for name in ("a", "b"):
        payloads.add(name, Origin(name, ""))
    assert payloads.origin("a")
    payloads.add("c", Origin("c", ""))
    assert [payloads.origin(name) is not None for name in ("a", "b", "c")] == [True, False, True]


NAMES = st.one_of(st.sampled_from([b"Content-Length", b"transfer-encoding", b"Host", b"X"]), st.binary(max_size=12))
PAIRS = st.lists(st.tuples(NAMES, st.binary(max_size=40)), max_size=6).map(tuple)


@given(
    url=st.one_of(st.text(max_size=20).map("https://".__add__), st.text(max_size=20).map("http://a.example/".__add__)),
    method=st.sampled_from(["GET", "POST", "HEAD", "geT\r\nX: y"]),
    request_headers=PAIRS,
    request_body=st.binary(max_size=60),
    status=st.integers(100, 999),
    headers=PAIRS,
    body=st.binary(max_size=200),
    protocol=st.sampled_from(["", "HTTP/1.0", "h2", "HTTP/2", "HTTP/1.1\r\n"]),
)
def test_hostile_answers_come_back_byte_by_byte(**given: Any) -> None:
    made = exchange(**given)
    data = written(made)
    for answer, request in (tuple(with_warcio(data)), tuple(with_fastwarc(data))):
        assert request.read == made.request_body
        assert answer.read == (b"" if made.status == 304 else made.body)
    raw = zlib.decompressobj(31)
    block = raw.decompress(data).split(b"\r\n\r\n", 1)[1]
    expected = clean_headers(made.headers)
    lines = block.split(b"\r\n\r\n", 1)[0].split(b"\r\n")[1:]
    assert [line.split(b": ", 1)[1] for line in lines] == [value for _, value in expected]
    assert "\n" not in clean_url(made.url)
    assert clean_url(made.url).isascii()

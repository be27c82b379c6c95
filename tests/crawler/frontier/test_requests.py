"""Requests survive storage as they were, and nothing in storage can name code."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request, Spider
from scrapy.http import JsonRequest, Response
from scrapy.utils.request import fingerprint

from crawler.frontier.requests import (
    UnstorableRequestError,
    dump_request,
    load_request,
    pack,
    request_key,
    stored_url,
    unpack,
)
from crawler.meta import FAILURE_KEY, VISITOR_KEY


class Example(Spider):
    name = "example"

    def parse(self, response: Response) -> None: ...

    def parse_feed(self, response: Response, rank: int) -> None: ...

    def on_error(self, failure: object) -> None: ...

    def secret(self, response: Response) -> None: ...


@pytest.fixture
def spider() -> Example:
    return Example()


def test_a_request_comes_back_as_it_was(spider: Example) -> None:
    request = Request(
        "http://example.org/路径?q=1",
        method="POST",
        body=b"\x00\xff",
        headers={"Accept": ["a", "b"], "X": "y"},
        cookies={"a": "b"},
        meta={"depth": 3, "list": [1, "二"], FAILURE_KEY: ("gone", 1.0)},
        cb_kwargs={"rank": 4},
        callback=spider.parse_feed,
        errback=spider.on_error,
        priority=-7,
        dont_filter=True,
        encoding="gb18030",
    )
    again = load_request(dump_request(request, spider), spider)
    for name in (
        "url",
        "method",
        "body",
        "headers",
        "cookies",
        "cb_kwargs",
        "callback",
        "errback",
        "priority",
        "encoding",
    ):
        assert getattr(again, name) == getattr(request, name), name
    assert again.dont_filter
    assert again.meta == {"depth": 3, "list": [1, "二"]}
    assert stored_url(dump_request(request, spider)) == request.url


def test_a_plain_request_is_small(spider: Example) -> None:
    assert len(dump_request(Request("http://example.org/a"), spider)) < 40


def test_a_json_request_keeps_its_class(spider: Example) -> None:
    again = load_request(dump_request(JsonRequest("http://example.org/", data={"a": 1}), spider), spider)
    assert type(again) is JsonRequest
    assert again.body == b'{"a": 1}'


def test_what_cannot_be_stored_is_named(spider: Example) -> None:
    for request, what in (
        (Request("http://e.org/", meta={"page": object()}), "object in the meta"),
        (Request("http://e.org/", callback=lambda response: None), "cannot be stored"),
        (Request("http://e.org/", callback=spider.secret), "cannot be stored"),
        (Request("http://e.org/", callback=Example().parse), "cannot be stored"),
    ):
        with pytest.raises(UnstorableRequestError, match=what):
            dump_request(request, spider)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xc1",
        b"\x01",
        b"\x01\x28\xb5\x2f\xfd\xa0\xff\xff\xff\xff",
        pack({}),
        pack([1]),
        pack({"url": 5}),
        pack({"url": "http://e.org/", "callback": "secret"}),
        pack({"url": "http://e.org/", "callback": "__init__"}),
        pack({"url": "http://e.org/", "callback": "parse_nothing"}),
        pack({"url": "http://e.org/", "class": "os.system"}),
    ],
)
def test_bad_bytes_are_refused(payload: bytes, spider: Example) -> None:
    with pytest.raises(UnstorableRequestError):
        load_request(payload, spider)


@given(
    st.from_regex(r"https?://([a-z0-9-]{1,5}\.){1,3}[a-zA-Z0-9]{1,3}", fullmatch=True),
    st.text("abAB01./-_~", max_size=12),
    st.text("abAB01.-_~=&?#%;:+ é/", max_size=12),
)
def test_the_key_is_that_of_scrapys_fingerprint(host: str, path: str, rest: str) -> None:
    for url in (f"{host}/{path}", f"{host}/{path}?{rest}", f"{host}/{path}?a={path}", host + rest):
        with contextlib.suppress(ValueError):  # no address
            request = Request(url)
            assert request_key(request) == int.from_bytes(fingerprint(request)[:8], "big", signed=True)


def test_keys_fit_64_bits_and_ignore_the_order_of_arguments() -> None:
    key = request_key(Request("http://e.org/?b=2&a=1"))
    assert key == request_key(Request("http://e.org/?a=1&b=2"))
    assert -(2**63) <= key < 2**63


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_plain_values_come_back(values: object) -> None:
    assert unpack(pack(values)) == values


_addresses = st.one_of(
    st.builds("{}{}{}".format, st.sampled_from(["http://a.b", "https://a.b", "HTTP://a.b", "", ":"]),
              st.sampled_from(["/", "", ":80/", "c/", "@a.b/"]), st.text(max_size=5)),
    st.text(max_size=5),
)  # fmt: skip


@given(_addresses, st.none() | st.dictionaries(st.sampled_from(["referrer", "x"]), _addresses | st.integers(0, 9)))
def test_what_leaves_its_host_out_comes_back(url: str, meta: dict[str, object] | None) -> None:
    values = {"url": url} if meta is None else {"url": url, "meta": meta, "priority": 5}
    packed = pack(values, "a.b")
    assert unpack(packed, "a.b") == values
    assert stored_url(packed, "a.b") == url


def test_an_address_on_the_requests_own_host_takes_fewer_bytes(spider: Example) -> None:
    for scheme in ("http", "https"):
        url = f"{scheme}://www.some-long-name.example/news/7.html"
        request = Request(url, spider.parse, meta={"referrer": url, "depth": 2})
        short, whole = (dump_request(request, spider, host) for host in ("www.some-long-name.example", ""))
        assert len(short) < len(whole) - 15
        for payload in (short, whole):
            again = load_request(payload, spider, "www.some-long-name.example")
            assert (again.url, again.meta) == (url, request.meta)
        assert stored_url(short) == ""
        with pytest.raises(UnstorableRequestError, match="host"):
            load_request(short, spider)


@given(st.binary())
def test_any_bytes_are_values_or_refused(packed: bytes) -> None:
    with contextlib.suppress(ValueError):
        unpack(b"\x01" + packed)
    with contextlib.suppress(ValueError):
        unpack(b"\x02" + packed, "a.b")


def test_no_password_of_a_proxy_is_stored() -> None:
    request = Request("http://some.example/", headers={"Proxy-Authorization": "Basic geheim", "X-Own": "kept"})
    request.meta.update({"proxy": "http://me:geheim@proxy.example:80", VISITOR_KEY: ("some.example", "", "p")})
    stored = dump_request(request, Spider("site"))
    assert b"geheim" not in stored
    assert b"kept" in stored

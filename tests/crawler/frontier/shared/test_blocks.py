"""Blocks of queued requests: what goes in comes out, and what is no block is refused."""

from base64 import b64decode

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request

from crawler.frontier.requests import pack, request_key, unpack
from crawler.frontier.shared.blocks import BlockError, member_of, pack_rows, payload_of, row_of, unpack_rows

addresses = st.sampled_from(
    [
        "http://a.example/news/1.html",
        "http://a.example/list?b=2&a=1",
        "https://a.example/新闻/1?页=2",
        "http://a.example",
        "http://a.example/%e4%b8%ad?x=%20",
    ]
)
payloads = st.one_of(
    st.binary(max_size=20),
    st.builds(
        lambda url, host, more: pack({"url": Request(url).url} | more, host),
        addresses,
        st.sampled_from(["", "a.example"]),
        st.fixed_dictionaries(
            {},
            optional={
                "priority": st.integers(-5, 5),
                "meta": st.dictionaries(
                    st.sampled_from(["depth", "x"]), st.integers(-(2**40), 2**40) | st.text(max_size=5)
                ),
                "callback": st.just("parse"),
                "method": st.just("POST"),
                "body": st.binary(max_size=9),
            },
        ),
    ),
)
requests = st.lists(
    st.tuples(
        st.integers(0, 2**48 - 1), st.integers(0, 255), st.none() | st.binary(min_size=8, max_size=8), payloads,
        st.integers(-(2**31), 2**31), st.booleans(),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda request: request[0],
)  # fmt: skip


def meaning(payload: bytes, priority: int) -> object:
    """A request that has no own priority gets that under which it is queued."""
    try:
        values = unpack(payload, "a.example")
    except ValueError:
        return payload
    return {"priority": 0} | values if values.get("priority") != priority else values


@given(requests)
def test_requests_come_out_as_they_went_in(
    given_requests: list[tuple[int, int, bytes | None, bytes, int, bool]],
) -> None:
    rows, members = [], {}
    for number, attempts, key, payload, priority, movable in given_requests:
        if key is None:
            try:
                key = request_key(Request(unpack(payload, "a.example")["url"])).to_bytes(8, "big", signed=True)
            except (ValueError, KeyError, TypeError):
                key = bytes(8)
        member = number.to_bytes(6, "big") + bytes([attempts]) + key + payload
        members[number] = member, priority, movable
        rows.append(row_of(member, priority, "a.example", movable=movable))
    again = unpack_rows(pack_rows(unpack_rows(pack_rows(rows))))
    assert [row.number for row in again] == sorted(members)
    for row in again:
        member, priority, movable = members[row.number]
        found = member_of(row, "a.example")
        assert (found[:15], row.priority, row.mark) == (member[:15], priority, member[7:9] if movable else b"")
        assert meaning(found[15:], priority) == meaning(member[15:], priority)


FORMER_BLOCK = b64decode(
    "ASi1L/1kBAAdBQAkCZuVzQEsBwcHT8QFAAECAwCVzQEizPrM0syq+8QFAQABAADEBGm2U+3EBQAAAAD/xAgxMjM0NTY3ONl0aHR0cDovL2EuZXhhbXBs"
    "ZS9uZXdzLzAuaHRtbAoxMjOTxB2CqGNhbGxiYWNrpXBhcnNlpG1ldGGBpWRlcHRoAAHEAJUAAAEBApHECz91bnJlYWRhYmxlBQAQSjzADjAMMIIBRZkB"
    "OLOeTg=="
)


def test_a_block_of_an_earlier_version_is_read() -> None:
    rows = unpack_rows(FORMER_BLOCK)
    assert [(row.number, row.priority, row.attempts) for row in rows] == [
        (300, 290, 0), (307, 250, 1), (314, 210, 2), (321, 170, 3), (400, -5, 0),
    ]  # fmt: skip
    for place, row in enumerate(rows[:4]):
        request, key = Request(f"http://a.example/news/{place}.html"), member_of(row, "a.example")[7:15]
        assert key == request_key(request).to_bytes(8, "big", signed=True)
        assert row.mark == (key[:2] if place % 2 == 0 else b"")
        assert unpack(payload_of(row, "a.example"), "a.example") == {
            "url": request.url, "callback": "parse", "meta": {"depth": place // 2}, "priority": row.priority,
        }  # fmt: skip
    assert member_of(rows[4], "a.example")[7:] == b"12345678?unreadable"
    assert unpack_rows(pack_rows(rows)) == rows


@given(st.binary(max_size=40), st.integers(0, 80))
def test_other_bytes_are_refused(junk: bytes, cut: int) -> None:
    whole = pack_rows([row_of(bytes(15) + pack({"url": "http://a.example/"}), 0, "a.example", movable=True)])
    beginnings = (b"", b"\x01", b"\x02", whole[:cut], FORMER_BLOCK[:cut])
    for other in (*(beginning + junk for beginning in beginnings), msgpack.packb([1] * 11)):
        if other not in (whole, FORMER_BLOCK):
            with pytest.raises(BlockError):
                unpack_rows(other)

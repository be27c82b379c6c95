"""Blocks of queued requests: what goes in comes out, and what is no block is refused."""

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request

from crawler.frontier.requests import pack, request_key, unpack
from crawler.frontier.shared.overflow.request_blocks import BlockError, member_of, pack_rows, row_of, unpack_rows

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


@given(st.binary(max_size=40), st.integers(0, 80))
def test_other_bytes_are_refused(junk: bytes, cut: int) -> None:
    whole = pack_rows([row_of(bytes(15) + pack({"url": "http://a.example/"}), 0, "a.example", movable=True)])
    beginnings = (b"", b"\x01", b"\x02", whole[:cut])
    for other in (*(beginning + junk for beginning in beginnings), msgpack.packb([1] * 11)):
        if other != whole:
            with pytest.raises(BlockError):
                unpack_rows(other)

"""Blocks come back to the head in parts, and in their order."""

import redis

from crawler.frontier.requests import pack
from crawler.frontier.shared.overflow.changes import change_for
from crawler.frontier.shared.overflow.request_blocks import member_of, pack_rows, row_of, unpack_rows
from tests.crawler.frontier.shared.overflow.test_overflow import entry, everything, head_size, key_of, open_frontier


def test_requests_of_one_priority_come_in_the_order_of_their_pushes(redis_url: str, shortest_heads: None) -> None:
    frontier = open_frontier(redis_url)
    frontier.push([entry(key) for key in range(1300)])
    for _ in range(3):
        frontier.work_on_overflow()
    with redis.Redis.from_url(redis_url) as client:
        assert head_size(client) <= 24
    assert [key_of(payload) for payload in everything(frontier)] == list(range(1300))
    frontier.close()


def member(number: int) -> bytes:
    payload = pack({"url": f"http://a.example/{number}"}, "a.example")
    return number.to_bytes(6, "big") + b"\0" + number.to_bytes(8, "big") + payload


def test_a_large_block_from_which_little_is_taken_is_divided() -> None:
    rows = [row_of(member(number), 0, "a.example", movable=True) for number in range(512)]
    ref = (0).to_bytes(6, "big") + b"any name" + (512).to_bytes(2, "big")
    job = [b"unpack", b"a.example", 12, 0, (0, ref, pack_rows(rows))]
    change = change_for(job)
    assert [came for _, came, _ in change.entries] == [member(number) for number in range(12)]
    left = [member_of(row, "a.example") for block in change.come for row in unpack_rows(block.packed)]
    assert left == [member(number) for number in range(12, 512)]
    assert [int.from_bytes(block.ref[14:16], "big") for block in change.come] == [60, 440]
    assert [block.ref for block in change.come] == sorted(block.ref for block in change.come)

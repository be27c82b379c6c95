"""Hostile feeds of ten megabytes cost little more than their parse."""

import time

import pytest

from extractors.feeds.declared_feeds import MAX_BYTES, read_feed
from extractors.feeds.tree import root_of

URL = "http://a.example/feed"


def many(unit: str, before: str = "", after: str = "") -> bytes:
    """A feed of the unit, with {} as its number, as often as the limit allows."""
    units = [unit.replace("{}", str(number)) for number in range(MAX_BYTES // (len(unit) + 4))]
    return f"<feed>{before}{''.join(units)}{after}</feed>".encode()[:MAX_BYTES]


HOSTILE = {
    "links": many("<link rel='i' href='/i'/>"),
    "links to many places": many("<link rel='i' href='/{}'/>"),
    "relations of many names": many("<link rel='r{}' href='/{}'/>"),
    "lists of relations": many("<link rel='a b c d e f g h' href='/{}'/>"),
    "hubs": many("<link rel='hub' href='/{}'/>"),
    "long references": many("<link rel='self' href='" + "a/../" * 20_000 + "{}'/>"),
    "anchors": many("<a href='/{}'>a</a>"),
    "links of one entry": many("<link rel='i' href='/{}'/>", "<entry>", "</entry>"),
    "nested bases": many("<entry><link href='1'/></entry>", "<a xml:base='a/'>" * 200),
    "long bases": many("<entry><link href='1'/></entry>", f"<a xml:base='/{'a' * 100_000}/'>", "</a>"),
    "bases that grow": many("<entry><link href='1'/></entry>", f"<a xml:base='{'x/' * 900}'>" * 200),
    "nested texts": many("x<b/>", "<entry><updated>" * 100),
    "one long text": many("x" * 1_000, "<entry><updated>" * 100),
}


def costs_little_more(body: bytes) -> bool:
    begun = time.process_time()
    assert root_of(body, MAX_BYTES) is not None
    parsed = time.process_time()
    assert read_feed(body, URL, with_texts=True) is not None
    return time.process_time() - parsed < 4 * (parsed - begun) + 0.5


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_feed_costs_little_more_than_its_parse(name: str) -> None:
    assert any(costs_little_more(HOSTILE[name]) for _ in range(3)), (
        "each time: one may hold a collection of all objects"
    )


def test_bases_count_from_the_outside_to_the_inside() -> None:
    entries = (
        "<entry><link href='1'/></entry><a xml:base='one/'><entry xml:base='two/'><link href='2'/></entry></a>"
        "<a xml:base='http://b.example/x/'><b xml:base='../y/'><entry><link href='3'/></entry></b></a>"
    )
    found = read_feed(f"<feed>{entries}</feed>".encode(), URL)
    assert found is not None
    assert found.addresses == [
        "http://a.example/1",
        "http://a.example/one/two/2",
        "http://b.example/y/3",
    ]


def test_the_first_hub_and_the_first_own_address_count() -> None:
    links = "<link rel='hub' href='/h1'/><link rel='self' href=''/><link rel='self' href='/s1'/><link rel='hub' href='/h2'/>"
    found = read_feed(f"<feed>{links}</feed>".encode(), URL)
    assert found is not None
    assert (found.hub, found.topic) == ("http://a.example/h1", "http://a.example/s1")
    bare = read_feed(b"<feed/>", URL)
    assert bare is not None
    assert (bare.hub, bare.topic) == ("", "")

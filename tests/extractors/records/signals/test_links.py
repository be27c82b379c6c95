"""Addresses made absolute."""

from urllib.parse import urljoin

from hypothesis import given
from hypothesis import strategies as st

from extractors.records.signals.links import absolute

PARTS = st.sampled_from(
    ["/", "//", "a", "b.php", ".", "..", "?", "x=1", "#", "#p2", ";", "http://h.example", "h:8", " ", "\t", "中", "mailto:x", "["]
)  # fmt: skip
ADDRESSES = st.lists(PARTS, max_size=6).map("".join)


@given(st.one_of(ADDRESSES, ADDRESSES.map("http://b.example/".__add__)), ADDRESSES)
def test_as_the_standard_library_joins_them(base: str, target: str) -> None:
    try:
        expected = urljoin(base, target.strip())
    except ValueError:
        expected = ""
    assert absolute(base, target) == expected

"""How a match of a pattern may begin: what is left out can never match."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.article.line_kinds import LINE_KINDS
from extractors.text.regex_prefixes import possible_prefixes, token

PIECES = sorted(
    {piece for pattern in LINE_KINDS.values() for piece in re.findall(r"[^\W\d_]+|[«»‹›©(\[（【]", pattern)}
)


@pytest.mark.parametrize(
    ("pattern", "most", "found"),
    [
        ("abc", 2, {"ab"}),
        ("ab|c", 3, {"ab", "c"}),
        (r"\d{1,2}[:.]x", 3, {"0:x", "0.x", "00:", "00."}),
        (r"a?\s?b\b", 3, {"ab", "a b", " b", "b"}),
        ("x*y", 3, {"y", "xy", "xxy", "xxx"}),
        ("a[a-z]b", 3, {"a"}),
        ("a(?=b)c", 3, {"ac"}),
        (r"b(?<!\wb)y(?![^x])", 3, {"by"}),
        ("(?i:a)b", 2, {""}),
        (".b", 2, {""}),
        ("[^a]b", 2, {""}),
        ("(", 2, {""}),
    ],
)
def test_beginnings_of_patterns(pattern: str, most: int, found: set[str]) -> None:
    assert possible_prefixes(pattern, most) == found


@pytest.mark.parametrize("pattern", LINE_KINDS.values(), ids=LINE_KINDS)
@given(text=st.lists(st.sampled_from([*PIECES, " ", "2024", "5", "-", ".", ":", "年"]), max_size=5).map("".join))
def test_what_matches_begins_so(pattern: str, text: str) -> None:
    found, begun = possible_prefixes(pattern, 6), "".join(map(token, text[:6]))
    if re.match(pattern, text):
        assert any(begun[:length] in found for length in range(7))
    assert "" not in found

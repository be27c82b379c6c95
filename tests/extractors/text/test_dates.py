"""Times as people write them."""

import re
import time
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.text import dates
from extractors.text.calendar.cldr import folded
from extractors.text.dates import CHINA, find_time, parse_time

NOW = datetime(2026, 11, 20, 15, 30, tzinfo=CHINA)


def test_what_ignores_case_is_found_in_every_table() -> None:
    """Each character that a pattern without regard to case takes for a letter of a word folds to that letter."""
    characters = (chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    every = "".join(letter for letter in characters if len({letter, letter.lower(), letter.upper()}) > 1)
    words = {*dates._MONTHS, *dates._SECONDS, *dates._DAYS}
    for letter in {letter for word in words for letter in word if letter in every}:
        assert {folded(twin) for twin in re.findall(letter, every, re.I)} == {letter}


@pytest.mark.parametrize("text", ["1" * 4_400, "1" * 4_400 + " days ago"])
def test_a_number_of_any_length_is_no_time(text: str) -> None:
    assert parse_time(text, now=NOW) == ""


PIECES = st.sampled_from(
    [
        *"3 ٣ ３ ² 2026 ２０２６ 年 月 日 dayſ days ago mİn ſec hourſ weeK yeſterday vor Tagen maı ſept : - / , .".split(),
        *("\u0301", "\u0307", "\u200f", "\u202e"),
    ]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=2)), max_size=12), st.sampled_from(["", " "]))
def test_any_odd_text_is_read(pieces: list[str], between: str) -> None:
    text = between.join(pieces)
    parse_time(text, now=NOW)
    assert find_time(text) in text


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    parse_time(text, now=NOW)
    assert find_time(text) in text


@pytest.mark.parametrize("piece", ["1", "20", "2026-", "11月", "a ", "12:30 ", "2026年1月", "Nov 2 ", "-", " "])
def test_no_text_takes_long(piece: str) -> None:
    start = time.process_time()
    find_time(piece * 100_000)
    assert time.process_time() - start < 0.2

"""Words in names, and characters of texts: the compiled extension finds what Python and numpy find."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.article.class_words import CLASS_GROUPS
from extractors.article.line_kinds import LINE_KINDS, line_kinds
from extractors.kernels import forms, state
from extractors.text.characters import CharacterCounts, _tables
from tests.extractors.kernels.both_forms import needs_extension

native = state().module
pytestmark = needs_extension

FRAGMENTS = [word.lstrip("^=") for words in CLASS_GROUPS.values() for word in words.split()]
PIECES = st.one_of(
    st.sampled_from(FRAGMENTS).flatmap(lambda word: st.sampled_from([word, word.capitalize(), word.upper()])),
    st.sampled_from(["-", "_", " ", "1", "é", "中", "\U0001f600", "x", "Ab", "HTML", "a" * 39, "B" * 39, "c" * 85]),
)
NAMES = st.lists(PIECES, max_size=9).map("".join)


WORDS = [
    (word[: -len(word.lstrip("^="))], word.lstrip("^="), 1 << place)
    for place, words in enumerate(CLASS_GROUPS.values())
    for word in words.split()
]


def bits(names: list[tuple[str, str]]) -> list[int]:
    """The bits that both forms find."""
    compiled = forms["ClassWords"].compiled
    assert compiled
    found, wanted = (form(WORDS).bits(names, 200, 60) for form in (compiled, forms["ClassWords"].numpy))
    assert (found.dtype, found.tolist()) == (wanted.dtype, wanted.tolist())
    found_bits: list[int] = found.tolist()
    return found_bits


@given(st.lists(st.tuples(NAMES, NAMES), max_size=9))
def test_any_names(names: list[tuple[str, str]]) -> None:
    assert len(bits(names)) == len(names)


def test_names_are_read_up_to_a_length() -> None:
    names = [("x" * 190 + " sidebar comment", "y" * 50 + " comment"), ("x" * 210 + " comment", "comment")]
    assert len(set(bits(names))) == 2


@pytest.mark.parametrize("fragment", ["", "Side", "中文", "a-b", "x" * 25])
def test_what_is_no_fragment_is_refused(fragment: str) -> None:
    with pytest.raises((ValueError, UnicodeEncodeError)):
        native.ClassWords([("", fragment, 1)])
    with pytest.raises(ValueError, match="more fragments"):
        native.ClassWords([("", "abc", 1)] * 513)


@given(st.lists(st.text(st.characters(), min_size=1, max_size=30), max_size=20))
def test_characters_of_any_texts(texts: list[str]) -> None:
    found: Any = CharacterCounts(texts).by_kind
    wanted = forms["count_characters"].numpy(texts, *_tables())
    assert found.dtype == wanted.dtype
    assert np.array_equal(found, wanted)


@given(
    st.lists(st.text(st.sampled_from("ab \t\u3000é中\x1c\n"), min_size=1, max_size=8), min_size=1, max_size=9),
    st.data(),
)
def test_texts_are_put_together_alike(texts: list[str], data: st.DataObject) -> None:
    chunks = np.array(data.draw(st.lists(st.integers(0, len(texts) - 1), unique=True).map(sorted)), np.int64)
    between = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(texts), max_size=len(texts))), np.uint8)
    parts = [("", " ", "\n", "\t")[between[chunk]] + " ".join(texts[chunk].split()) for chunk in chunks]
    assert native.join(texts, chunks, between) == "".join(parts)[int(len(chunks) > 0 and between[chunks[0]] > 0) :]
    for outside in (-1, len(texts)):
        with pytest.raises(IndexError):
            native.join(texts, np.array([outside]), between)


LINES = st.one_of(
    st.sampled_from(
        [
            "责任编辑：",
            "Share",
            "  ",
            "İletişim",
            "RELATED",
            "2024-05-01",
            "5 comments",
            "Page 3",
            "thı",
            "Ünlü",
            "\u0662 days",
            "",
        ]
    ),
    st.text(st.sampled_from("aeprstRSK 0０é中文相关（\u2003"), max_size=9),
)


@given(st.lists(LINES, max_size=12))
def test_kinds_of_any_lines(lines: list[str]) -> None:
    wanted = (re.match("|".join(f"({kind})" for kind in LINE_KINDS.values()), line.lower()) for line in lines)
    assert line_kinds(lines).tolist() == [match.lastindex if match else 0 for match in wanted]

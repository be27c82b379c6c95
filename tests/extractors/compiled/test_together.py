"""Texts in which a pattern is found are the same where only likely places are tried."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors import paging
from extractors.compiled import state
from extractors.records import hints, people, timed
from extractors.together import holding, holding_by_one_pass

pytestmark = pytest.mark.skipif(state().module is None, reason=f"machine code is not in use: {state().reason}")

SOUGHT = {
    f"{room.__name__}.{name}": pattern
    for room in (hints, people, timed, paging)
    for name, pattern in vars(room).items()
    if isinstance(pattern, re.Pattern) and "$" not in pattern.pattern and "^" not in pattern.pattern.replace("[^", "")
}
SIGNS = {"extractors.paging._SAYS_NEXT": paging._NEXT_SIGN, "extractors.paging._NUMBER": paging._DIGIT}
WORDS = sorted({word for pattern in SOUGHT.values() for word in re.findall(r"[^\W\d_]+", pattern.pattern)})
TEXTS = st.lists(
    st.one_of(st.sampled_from([*WORDS, "2024", "10:30", "-", "/", "_", " ", ".", "３", "\u3000", "é", "K"]), st.text(max_size=3)),
    max_size=5,
).map(lambda parts: "".join(parts).replace("\0", ""))  # fmt: skip


@pytest.mark.parametrize("name", SOUGHT)
@given(texts=st.lists(TEXTS, max_size=6))
def test_any_texts(name: str, texts: list[str]) -> None:
    found = holding(SOUGHT[name], texts, SIGNS.get(name))
    assert np.array_equal(found, holding_by_one_pass(SOUGHT[name], texts))
    assert found.tolist() == [SOUGHT[name].search(text) is not None for text in texts]

"""Texts in which a pattern is found are the same where only likely places are tried."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.kernels import forms
from extractors.links import list_paging
from extractors.records.signals import author_candidates, template_words
from extractors.text.multi_search import contains_match, starts_with_match
from tests.extractors.kernels.both_forms import needs_extension

pytestmark = needs_extension

SOUGHT = {
    f"{room.__name__}.{name}": getattr(room, name)
    for room, names in (
        (
            template_words,
            "RECORD ASIDE AUTHOR BODY TITLE NOT_BODY QUOTE OTHER_PERSON OWN_TIME OTHER_TIME NOTICE PROFILE _IN_NO_NAME",
        ),
        (author_candidates, "_BYLINE"),
        (template_words, "_TIME_NUMBERS _TIME_MONTHS _TIME_WORDS"),
        (list_paging, "_SAYS_NEXT _NUMBER _NEXT_CLASS"),
    )
    for name in names.split()
}
SIGNS = {
    "extractors.links.list_paging._SAYS_NEXT": list_paging._NEXT_SIGN,
    "extractors.links.list_paging._NUMBER": list_paging._DIGIT,
}
WORDS = sorted({word for pattern in SOUGHT.values() for word in re.findall(r"[^\W\d_]+", pattern.pattern)})
TEXTS = st.lists(
    st.one_of(st.sampled_from([*WORDS, "2024", "10:30", "-", "/", "_", " ", ".", "３", "\u3000", "é", "K"]), st.text(max_size=3)),
    max_size=5,
).map(lambda parts: "".join(parts).replace("\0", ""))  # fmt: skip


@pytest.mark.parametrize("name", SOUGHT)
@given(texts=st.lists(TEXTS, max_size=6))
def test_any_texts(name: str, texts: list[str]) -> None:
    found = contains_match(SOUGHT[name], texts, SIGNS.get(name))
    assert np.array_equal(found, forms["contains_match"].numpy(SOUGHT[name], texts))
    assert found.tolist() == [SOUGHT[name].search(text) is not None for text in texts]


@given(texts=st.lists(TEXTS, max_size=9))
def test_texts_that_may_be_names(texts: list[str]) -> None:
    assert starts_with_match(template_words._NO_NAME, texts).tolist() == [
        template_words._NO_NAME.match(text) is not None for text in texts
    ]
    assert template_words.may_be_names(texts).tolist() == [not template_words.is_no_name(text) for text in texts]

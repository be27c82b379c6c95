"""Pairs of titles of the described cases: the same news, or other news."""

import pytest

from extractors.titles import SuffixLearner, TitleIndex, title_text
from tests.case_files import Case, cases


def verdict(stored: str, asked: str) -> str:
    index, learner = TitleIndex(), SuffixLearner()
    index.add(title_text(learner.without_suffix(stored)))
    found = index.search(title_text(learner.without_suffix(asked)))
    return "same" if found.verdict == "repost" else "other"


@pytest.mark.parametrize("case", cases("titles", "pair"))
def test_a_title_is_a_repost_of_the_other_whichever_comes_first(case: Case) -> None:
    one, other = case["pair"]
    assert {verdict(one, other), verdict(other, one)} == {case["expected"]}

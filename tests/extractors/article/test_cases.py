"""Pages of the described cases: what the text of their article has, and what it has not."""

import pytest

from extractors.article import main_text
from tests.case_files import Case, cases


@pytest.mark.parametrize("case", cases("articles", "html"))
def test_the_text_of_an_article(case: Case) -> None:
    text = main_text(case["html"].encode(case.get("charset", "utf-8")), url=case.get("url", ""))
    assert [part for part in case["expected"]["with"] if part not in text] == []
    assert [part for part in case["expected"]["without"] if part in text] == []

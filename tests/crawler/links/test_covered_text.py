"""How much of an article its page's records say."""

import time

from crawler.links.covered_text import covered_share
from extractors import article, records
from extractors.page import Page
from extractors.records import Record, RecordSet


def share(text: str, *said: str) -> float:
    found = RecordSet("thread", tuple(Record(text=each) for each in said))
    known = {article.extract: article.Article(text=text), records.extract: found}
    return covered_share(Page(b"", known=known))


def test_lines_count_by_their_characters_wherever_a_record_has_them() -> None:
    assert share("") == 1.0
    assert share("one\ntwo", "o n e\ntwo") == 1.0
    assert share("12345\n67890", "0 12345 6") == 0.5
    assert share("12345\n67890") == 0.0
    assert share("over two", "over", "two") == 1.0


def test_large_threads_cost_little() -> None:
    lines = [f"第{number}句话，谁也没有说过。" * 9 for number in range(8_000)]
    began = time.process_time()
    assert share("\n".join(lines), "\n".join(lines)) == 1.0
    assert share("\n".join(lines), *(line[:-1] + "吗" for line in lines)) == 0.0
    assert time.process_time() - began < 3

"""Saved pages of real search engines, as they are and with layouts that no rule knows."""

from dataclasses import replace

import pytest

from benchmarks.serp import hits, saved_pages, titled
from benchmarks.serp_changed import CHANGES, scores
from crawler.engines.catalog import built_in
from crawler.engines.protocol.generic import generic_results
from crawler.engines.protocol.reading import read_answer
from testbed.shared_data import SHARED

ENGINES = built_in()
SAVED = SHARED / "data" / "serp"


@pytest.mark.shared
def test_saved_pages_of_real_engines() -> None:
    for page in saved_pages(SAVED):
        answer = read_answer(ENGINES.get(page.engine, ENGINES["google"]), page.reply)
        if not page.expected:
            assert answer.kind == ("none" if page.name == "bing-7" else "blocked"), page.name
            continue
        changed = read_answer(replace(ENGINES[page.engine], results=lambda reply: []), page.reply)
        assert changed.kind == "layout_changed", page.name
        assert len(changed.results) >= 0.85 * len(page.expected)
        own, generic = ([r.url for r in found] for found in (answer.results, generic_results(page.reply.page)))
        assert hits(page.expected, own) == (len(page.expected), len(own)), page.name
        assert titled(page, answer.results) == len(page.expected), page.name
        found, right = hits(page.expected, generic)
        assert found >= 0.85 * len(page.expected), page.name
        assert right >= 0.9 * len(generic), page.name


@pytest.mark.shared
@pytest.mark.parametrize(
    ("layout", "least_found", "least_right"),
    [("names hashed", 0.98, 0.97), ("no headings", 0.97, 0.93), ("bare divs", 0.97, 0.93)],
)
def test_the_generic_rule_bears_layouts_that_it_has_not_seen(
    layout: str, least_found: float, least_right: float
) -> None:
    rows = [row[1:] for row in scores(SAVED, CHANGES[layout])]
    expected, found, right, given_ = (sum(column) for column in zip(*rows, strict=True))
    assert found >= least_found * expected
    assert right >= least_right * given_

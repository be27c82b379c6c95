"""What a link inherits of the pages that have it."""

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.strategies.link_context import LinkContext


def test_a_link_of_one_page_inherits_its_relevance() -> None:
    seen = LinkContext()
    seen.add("a.example", ["/frame"], 0.0)
    links = seen.add("a.example", ["/frame", "/one"], 0.8)
    assert [link.relevance for link in links] == pytest.approx([0.4 * (1 - 1 / 3), 0.8])
    assert [link.is_new for link in links] == [False, True]


def test_a_link_is_scored_again_only_where_a_better_page_has_it() -> None:
    seen = LinkContext()
    found = [len(seen.add("a.example", ["/x"], relevance)) for relevance in (0.2, 0.9, 0.3)]
    assert found == [1, 1, 0]


def test_the_frame_of_a_site_says_little_and_a_list_much() -> None:
    seen = LinkContext()
    for number in range(30):
        seen.add("a.example", ["/tags/", f"/{number}"], 0.1)
    found = seen.add("a.example", ["/tags/", "/3", "/new"], 0.8)
    assert [link.place for link in found] == [1, 2]
    assert [link.relevance for link in found] == pytest.approx([0.45 * (1 - 1 / 32), 0.8])


def test_what_many_poor_pages_have_is_no_better_for_one_good_page() -> None:
    seen = LinkContext()
    for number in range(9):
        seen.add(f"{number}.example", ["http://popular.example/"], 0.0)
    (link,) = seen.add("good.example", ["http://popular.example/"], 1.0)
    assert link.relevance == pytest.approx(0.1)


def test_links_seen_long_ago_are_forgotten() -> None:
    seen = LinkContext(max_links=2)
    seen.add("a.example", ["/1", "/2", "/3"], 0.5)
    assert [link.place for link in seen.add("a.example", ["/1", "/3"], 0.5)] == [0]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sets(st.integers(0, 6)), st.floats(0, 1, allow_nan=False)), max_size=25
    )
)
def test_nothing_inherits_more_than_the_best_page_has(pages: list[tuple[str, set[int], float]]) -> None:
    seen, best = LinkContext(), defaultdict[str, float](float)
    for host, numbers, relevance in pages:
        urls = [f"/{number}" for number in sorted(numbers)]
        new = [url not in best for url in urls]
        best.update({url: max(best[url], relevance) for url in urls})
        found = seen.add(host, urls, relevance)
        assert [link.place for link in found if link.is_new] == [place for place, is_new in enumerate(new) if is_new]
        assert all(0 <= link.relevance <= best[urls[link.place]] + 1e-9 for link in found)

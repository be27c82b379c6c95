"""Endless spaces of URLs end; ordinary sites are not taken for them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.links.traps import PatternYields, is_growing, pattern_of


@pytest.mark.parametrize(
    "path",
    ["/a/a/a/a/", "/news/img/news/img/news/img/news/img/x.html", "/" + "/".join(f"d{n}" for n in range(25))],
)
def test_growing_paths(path: str) -> None:
    assert is_growing(f"http://site.example{path}")


@pytest.mark.parametrize("path", ["/", "/2024/05/05/05/05/x.html", "/docs/api/docs/index.html", "/a/b/c/d/e/f/g/h"])
def test_paths_that_people_make(path: str) -> None:
    assert not is_growing(f"http://site.example{path}")


def test_numbers_and_values_do_not_make_patterns() -> None:
    first, second = pattern_of("http://s.example/d/1/?b=2&a=1"), pattern_of("http://s.example/d/77/?a=x&b=y")
    assert first == second
    assert first != pattern_of("http://t.example/d/1/?b=2&a=1")


def test_a_pattern_that_brings_nothing_is_left_after_a_fair_trial() -> None:
    yields = PatternYields()
    for number in range(600):
        yields.add(f"http://s.example/calendar?day={number}", False)
        yields.add(f"http://s.example/article/{number}.html", number % 10 == 0)
    assert yields.is_barren("http://s.example/calendar?day=999")
    assert not yields.is_barren("http://s.example/article/999.html")
    assert not yields.is_barren("http://s.example/new/1.html")


def test_lists_that_only_lead_to_each_other_are_a_trap() -> None:
    yields = PatternYields()
    for number in range(600):
        yields.add(f"http://s.example/month/{number}", False, [f"http://s.example/day/{number}"])
        yields.add(f"http://s.example/day/{number}", False, [f"http://s.example/month/{number + 1}"])
    assert yields.is_barren("http://s.example/month/999")
    assert yields.is_barren("http://s.example/day/999")


def test_tags_are_one_trap_though_each_has_another_name_and_articles_beside_them_are_none() -> None:
    yields, names = (
        PatternYields(),
        [f"{a}{b}" for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcdefghijklmnopqrstuvwxyz"],
    )
    for name in names:
        yields.add(f"http://s.example/tag/{name}/", False, [f"http://s.example/tag/x{name}/"])
        yields.add(f"http://s.example/news/{name}.html", True)
    assert yields.is_barren("http://s.example/tag/other/")
    assert not yields.is_barren("http://s.example/news/other.html")


def test_pages_of_a_list_are_read_as_long_as_they_lead_to_texts() -> None:
    yields = PatternYields()
    for number in range(700):
        yields.add(f"http://s.example/list_{number}.html", False, [f"http://s.example/2026/{number}.html"])
        yields.add(f"http://s.example/2026/{number}.html", True)
    assert not yields.is_barren("http://s.example/list_301.html")


def test_on_a_host_that_sends_nothing_else_a_calendar_ends_soon() -> None:
    yields, read = PatternYields(), 0
    for number in range(20):
        yields.add(f"http://s.example/a/{number}.html", True)
    while not yields.is_barren(f"http://s.example/day/{read}"):
        yields.add(f"http://s.example/day/{read}", False, [f"http://s.example/day/{read + 1}"])
        read += 1
    assert 80 <= read <= 120
    assert not yields.is_barren("http://s.example/a/99.html")
    assert not yields.is_barren("http://t.example/day/1")


def test_where_other_pages_are_of_use_a_list_may_be_dry_for_longer() -> None:
    yields = PatternYields()
    for number in range(400):
        yields.add(f"http://s.example/list_{number}.html", False)
        yields.add(f"http://s.example/2026/{number}.html", True)
    assert not yields.is_barren("http://s.example/list_401.html")


@given(st.lists(st.integers(0, 78), min_size=1, max_size=12), st.booleans())
def test_an_archive_that_still_brings_articles_does_not_end(pauses: list[int], has_calendar: bool) -> None:
    """However rare they are, if not rarer than one in eighty pages, and whatever else the host sends."""
    yields, page = PatternYields(), 0
    for number in range(10):
        yields.add(f"http://s.example/a/{number}.html", True)
    for pause in pauses * (1 + 400 // (sum(pauses) + len(pauses))):
        for _ in range(pause):
            page += 1
            yields.add(f"http://s.example/list_{page}.html", False)
            if has_calendar:
                yields.add(f"http://s.example/day/{page}", False)
        page += 1
        yields.add(f"http://s.example/list_{page}.html", False, [f"http://s.example/a/{page}.html"])
        assert not yields.is_barren("http://s.example/list_0.html") or page >= 500


def test_memory_is_bounded() -> None:
    yields = PatternYields()
    for number in range(60_000):
        yields.add(f"http://s.example/{chr(97 + number % 26)}{'x' * (number // 26)}"[:200] + f"?k{number}=1", False)
    assert len(yields._kinds) <= 50_000

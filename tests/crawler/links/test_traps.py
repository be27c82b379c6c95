"""Endless spaces of URLs end; ordinary sites are not taken for them."""

import pytest

from crawler.links.fruitful_lists import FruitfulLists, list_of
from crawler.links.scope import PatternYields, is_growing, pattern_of


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
    for number in range(250):
        yields.add(f"http://s.example/calendar?day={number}", useful=False)
        yields.add(f"http://s.example/article/{number}.html", useful=number % 10 == 0)
    assert yields.is_barren("http://s.example/calendar?day=999")
    assert not yields.is_barren("http://s.example/article/999.html")
    assert not yields.is_barren("http://s.example/new/1.html")


def test_memory_is_bounded() -> None:
    yields = PatternYields()
    for number in range(60_000):
        yields.add(f"http://s.example/{chr(97 + number % 26)}{'x' * (number // 26)}"[:200] + f"?k{number}=1", False)
    assert len(yields._patterns) <= 50_000


def test_pages_of_a_list_are_one_list() -> None:
    pages = ["/tags/ml/", "/tags/ml/page/2/", "/tags/ml/page/13/", "/tags/ml/page-3.html"]
    assert len({list_of(f"http://a.example{path}") for path in pages}) == 1
    assert list_of("http://a.example/l.php?id=3&page=2") == list_of("http://a.example/l.php?id=3&page=9")
    assert list_of("http://a.example/tags/life/") != list_of("http://a.example/tags/ml/")


def test_lists_that_led_to_hits() -> None:
    lists = FruitfulLists()
    assert not lists.holds("http://a.example/tags/ml/page/3/")
    lists.add("http://a.example/tags/ml/")
    assert lists.holds("http://a.example/tags/ml/page/30/")
    assert not lists.holds("http://a.example/tags/life/")

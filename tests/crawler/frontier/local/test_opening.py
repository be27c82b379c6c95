"""Each crawl has a file of its own, whatever its name; files of earlier versions are found."""

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.settings import Settings

from crawler.config.crawl_names import file_stem, former_stem
from crawler.frontier.base import Entry
from crawler.frontier.local.opening import frontier_path, known_crawls, open_for_operator
from crawler.frontier.local.sqlite import SqliteFrontier


def enqueued(settings: Settings, name: str) -> int:
    frontier = open_for_operator(settings, name, to_change=False)
    try:
        return frontier.accounts().enqueued
    finally:
        frontier.close()


NAMES = [
    *("新闻", "财经", "a/b", "a_b", "a b", "News", "news", "..", ".", "_", "__", "новости", "أخبار", "é", "e\u0301"),
    *("x" * 150, "x" * 151, "新" * 100, "新" * 101, "a+b", "a%2Fb", "../a", "a\n", "site-some.site-1f2e3d4c"),
]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings({"DATA_DIR": str(tmp_path), "FRONTIER": "local", "FRONTIER_HOST_CONCURRENCY": 4})


def test_names_do_not_collide(settings: Settings) -> None:
    for number, name in enumerate(NAMES):
        frontier = open_for_operator(settings, name, to_change=True)
        assert frontier.push([Entry(1, "a", 0, str(number).encode())]) == [True]
        frontier.close()
    assert known_crawls(settings) == sorted(NAMES)
    for number, name in enumerate(NAMES):
        frontier = open_for_operator(settings, name, to_change=True)
        assert [lease.payload for lease in frontier.pop(2)] == [str(number).encode()]
        frontier.close()


@given(st.sets(st.text(max_size=200), min_size=2, max_size=6))
def test_stems_are_file_names_and_differ_also_without_case(names: set[str]) -> None:
    stems = {name: file_stem(name) for name in names}
    for stem in stems.values():
        assert "/" not in stem
        assert "\0" not in stem
        assert not stem.startswith(".")
        assert len(f"{stem}.db.lock-wal".encode("utf-8", "surrogatepass")) < 256
    assert all(stems[one].casefold() != stems[other].casefold() for one, other in combinations(names, 2))


def test_a_stem_keeps_letters_of_every_script() -> None:
    assert file_stem("新闻").startswith("新闻") or file_stem("新闻") == "新闻"
    assert file_stem("site-some.site-1f2e3d4c") == "site-some.site-1f2e3d4c"


@pytest.mark.parametrize("name", ["新闻", "a/b", "x" * 150, "News"])
def test_a_file_of_an_earlier_version_is_found_by_the_first_that_looks(settings: Settings, name: str) -> None:
    folder = Path(settings["DATA_DIR"]) / "frontier"
    before = SqliteFrontier(folder / f"{former_stem(name)}.db")
    before.push([Entry(1, "a", 0, b"old")])
    before.close()
    after = open_for_operator(settings, name, to_change=True)
    assert [lease.payload for lease in after.pop(1)] == [b"old"]
    after.close()
    assert known_crawls(settings) == [name]
    other = {"新闻": "财经", "a/b": "a?b", "x" * 150: "x" * 151, "News": "NEWS"}[name]
    assert enqueued(settings, other) == 0


def test_a_crawl_keeps_its_file_although_another_had_that_name_before(settings: Settings) -> None:
    own = open_for_operator(settings, "a_b", to_change=True)
    own.push([Entry(1, "a", 0, b"own")])
    own.close()
    assert frontier_path(settings["DATA_DIR"], "a/b").name != "a_b.db"
    assert enqueued(settings, "a_b") == 1

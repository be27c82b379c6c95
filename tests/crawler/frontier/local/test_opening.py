"""Each crawl has a file of its own, whatever its name."""

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.settings import Settings

from crawler.config.crawl_names import file_stem
from crawler.frontier.base import QueueEntry
from crawler.frontier.local.opening import known_crawls, open_for_operator

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
        assert frontier.push([QueueEntry(1, "a", 0, str(number).encode())]) == [True]
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

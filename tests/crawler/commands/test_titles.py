"""`scrapy titles` over a small store, as people call it."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from scrapy.settings import Settings

from pipelines.lease import Lease
from pipelines.stores.base import Store
from pipelines.stores.tables import PAGES, PROPAGATION
from pipelines.titles.opening import JOB, check_titles

PAGES_STORED = (
    ("a", "本市地铁三号线今天上午正式开通运营市民免费乘坐一天 - 小城日报", "a.example", "2026-11-02T10:00:00+08:00"),
    ("b", "本市地铁三号线今天上午正式开通运营市民免费乘坐 | 大河论坛", "b.example", "2026-11-02T08:00:00+08:00"),
    ("c", "省博物馆新展展出三百件青铜器吸引大批观众排队参观", "b.example", "2026-11-03T08:00:00+08:00"),
)
Run = Callable[..., tuple[str, str, int]]


@pytest.fixture
def run(tmp_path: Path, store: Store, scrapy: Run) -> Run:
    rows = [
        {"key": name * 20, "title": title, "host": host, "url": f"https://{host}/{name}", "published": published,
         "fetched_at": published, "first_seen": published, "keywords": []}
        for name, title, host, published in PAGES_STORED
    ]  # fmt: skip
    store.upsert(PAGES, rows).result()
    return partial(scrapy, "titles", STORE=f"sqlite:///{tmp_path}/a.db", DATA_DIR=str(tmp_path), TITLES_THRESHOLD=0.8)


def test_rebuild_finds_the_story_and_its_earliest_page(run: Run) -> None:
    assert "3 titles compared, 1 stories" in run("rebuild")[1]
    graph = json.loads(run("graph", "--format", "json")[0])
    assert [(edge["source"], edge["target"]) for edge in graph["links"]] == [("a" * 20, "b" * 20)]
    assert graph["links"][0]["delay_hours"] == 2.0
    out, _, code = run("explain", "a" * 20)
    assert code == 0
    assert "threshold 0.8, letter pairs in common 0.98: repost" in out
    assert "2 hours after the original, a story of 2 pages" in out
    assert "story of: original: 本市地铁三号线今天上午正式开通运营市民免费乘坐 | 大河论坛" in out
    assert "no earlier title is similar" in run("explain", "c" * 20)[0]


def test_check_says_term_by_term_why(run: Run) -> None:
    out, _, code = run("check", "本市地铁三号线今天上午正式开通 - 小城日报", "本市地铁三号线今天上午正式开通_新浪网")
    assert code == 0
    assert "cosine 1.0000" in out
    assert "地铁" in out


def test_a_snapshot_that_cannot_be_read_is_made_again(run: Run, tmp_path: Path) -> None:
    assert run("rebuild")[2] == 0
    (tmp_path / "titles.snapshot").write_bytes(b"of another version")
    out, _, code = run("check", "本市地铁开通", "本市地铁开通")
    assert (code, "among 3 titles" in out) == (0, True)


def test_while_another_process_decides_nothing_is_rebuilt(run: Run, store: Store) -> None:
    assert Lease(store, JOB).gain()
    _, err, code = run("rebuild")
    assert code == 1
    assert "stop its crawls and its analysis first" in err


def test_a_page_without_a_verdict_says_so(run: Run, store: Store) -> None:
    store.upsert(
        PROPAGATION, [{"page": "d" * 20, "title": "早报", "url": "https://d.example/", "verdict": "undecided"}]
    ).result()
    out, _, code = run("explain", "d" * 20)
    assert code == 0
    assert out.startswith("undecided: 早报")
    assert "the next crawl or `scrapy analysis run` does it" in out


def test_settings_that_make_no_sense_get_a_sentence(run: Run) -> None:
    answer = run("check", "a", "b", "-s", "TITLES_LOWER_THRESHOLD=wide")
    assert "TITLES_LOWER_THRESHOLD" in answer[1]
    assert answer[2] == 2
    assert "auto, rjieba, jieba" in run("check", "a", "b", "-s", "SEGMENTER=other")[1]
    assert "TITLES_THRESHOLD" in run("check", "a", "b", "-s", "TITLES_THRESHOLD=80")[1]


def test_wrong_words_get_a_sentence(run: Run) -> None:
    assert run("explain", "https://nowhere.example/")[1].startswith("no titled page")
    assert run("check", "only one")[2] == 2


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("TITLES_THRESHOLD", "high", "is a number"),
        ("SEGMENTER", "x", "auto"),
    ],
)
def test_a_crawl_says_before_it_starts_what_is_wrong_with_titles(
    tmp_path: Path, name: str, value: str, said: str
) -> None:
    settings = {"DATA_DIR": str(tmp_path), name: value}
    with pytest.raises(ValueError, match=said):
        check_titles(Settings(settings))
    check_titles(Settings(settings | {"TITLES_ENABLED": False}))

"""`scrapy titles` over a small store, as people call it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

from extractors.titles import SnapshotError
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from pipelines.titles.chain import Segment
from pipelines.titles.log import Entry, FileLog
from pipelines.titles.replica import Replica
from pipelines.titles.shared import SharedTitles, check_titles

PAGES_STORED = (
    ("a", "本市地铁三号线今天上午正式开通运营市民免费乘坐一天 - 小城日报", "a.example", "2026-11-02T10:00:00+08:00"),
    ("b", "本市地铁三号线今天上午正式开通运营市民免费乘坐 | 大河论坛", "b.example", "2026-11-02T08:00:00+08:00"),
    ("c", "省博物馆新展展出三百件青铜器吸引大批观众排队参观", "b.example", "2026-11-03T08:00:00+08:00"),
)
Run = Callable[..., tuple[str, str, int]]


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    address = f"sqlite:///{tmp_path}/a.db"
    store = open_store(address)
    rows = [
        {"key": name * 20, "title": title, "host": host, "url": f"https://{host}/{name}", "published": published,
         "fetched_at": published, "first_seen": published, "keywords": []}
        for name, title, host, published in PAGES_STORED
    ]  # fmt: skip
    store.upsert(PAGES, rows).result()
    store.close()

    def titles(*words: str) -> tuple[str, str, int]:
        settings = Settings(
            {
                "COMMANDS_MODULE": "crawler.commands", "STORE": address, "DATA_DIR": str(tmp_path),
                "TITLES_LOG": "local", "TITLES_KEY": "", "TITLES_THRESHOLD": 0.8, "TITLES_SNAPSHOT_EVERY": 100,
            }
        )  # fmt: skip
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", "titles", *words], settings)
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return out, err, int(ended.value.code or 0)

    return titles


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


def test_rebuild_replaces_an_index_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    log = FileLog(tmp_path / "titles.db")
    log.keep([Segment("", "1", b"of an older version")])
    log.close()
    out, err, code = run("check", "本市地铁开通", "本市地铁开通")
    assert (out, code) == ("", 1)
    assert "scrapy titles rebuild" in err
    assert run("rebuild")[2] == 0
    assert "among 3 titles" in run("check", "本市地铁开通", "本市地铁开通")[0]


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
        ("TITLES_LOG", "memory", "local or redis"),
        ("TITLES_THRESHOLD", "high", "is a number"),
        ("SEGMENTER", "x", "auto"),
    ],
)
def test_a_crawl_says_before_it_starts_what_is_wrong_with_titles(
    tmp_path: Path, name: str, value: str, said: str
) -> None:
    settings = {"TITLES_LOG": "local", "DATA_DIR": str(tmp_path), name: value}
    with pytest.raises(ValueError, match=said):
        check_titles(Settings(settings))
    check_titles(Settings(settings | {"TITLES_ENABLED": False}))


def test_a_crawl_is_told_of_an_index_that_it_cannot_read(tmp_path: Path) -> None:
    settings = Settings({"TITLES_LOG": "local", "DATA_DIR": str(tmp_path)})
    check_titles(settings)
    titles = SharedTitles(FileLog(tmp_path / "titles.db"), Replica())
    titles.decide([Entry("a" * 20, "本市地铁开通")])
    titles.close()
    check_titles(settings)
    log = FileLog(tmp_path / "titles.db")
    log.replace([Segment("", "1", b"junk")])
    log.close()
    with pytest.raises(SnapshotError, match="scrapy titles rebuild"):
        check_titles(settings)

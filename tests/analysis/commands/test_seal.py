"""`scrapy seal` as people use it, and the commands that read what it has sealed."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

pytest.importorskip("pyarrow")

from crawler.checks.sealed import sealed
from pipelines.stores.opening import open_store
from pipelines.stores.tables import LINKS, PAGES, RECORDS, SOURCES, URLS

OLD, NEW = "2026-04-03T08:00:00+00:00", "2026-11-20T08:00:00+00:00"


@pytest.fixture
def call(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[str, str, int]]:
    """Runs a command on two pages, an old one and a new one; returns its output, its messages and its exit code."""
    store = open_store(f"sqlite:///{tmp_path}/topicrawl.db")
    for key, at, body in (("old", OLD, "地铁三号线昨日开通"), ("new", NEW, "轻轨今日停运")):
        page = {"key": key, "url": f"https://a.example/{key}", "host": "a.example", "title": f"标题{key}", "body": body}
        post = {"page": key, "key": "r1", "text": f"回帖说{body}", "author": "张三", "time_at": "", "fetched_at": at}
        store.write(
            [
                (PAGES, {**page, "kind": "article", "published_at": at, "first_seen": at, "fetched_at": at}),
                (RECORDS, post),
                (SOURCES, {"key": key, "body": b"<p>x", "compression": "", "fetched_at": at}),
                (LINKS, {"page": key, "links": [[f"https://a.example/{key}/1", "一"]]}),
                (URLS, {"key": key, "url": page["url"], "state": "fetched", "fetched_at": at}),
            ]
        ).result()
    store.close()

    def run(*words: str) -> tuple[str, str, int]:
        settings = Settings(
            {"COMMANDS_MODULE": "console.commands", "SPIDER_MODULES": ["crawler.spiders"], "DATA_DIR": str(tmp_path)}
        )
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", *words], settings)
        sys.stdout.flush()
        return *capfd.readouterr(), int(ended.value.code or 0)

    return run


def test_sealed_months_are_exported_searched_and_analysed(
    call: Callable[..., tuple[str, str, int]], tmp_path: Path
) -> None:
    settings = Settings({"DATA_DIR": str(tmp_path)})
    assert not sealed(settings)
    assert call("analysis", "run")[2] == 0
    exported = [("export", "--format", "jsonl", "--table", name) for name in ("pages", "records", "sources", "links")]
    hits = ("search", "地铁", "--format", "jsonl")

    def read() -> list[list[str]]:
        return [sorted(call(*words)[0].splitlines()) for words in (*exported, hits)]

    before = read()
    assert len(before[-1]) == 2
    assert "2026-04" in call("seal", "--before", "2026-11", "--dry-run")[0]
    out, errors, code = call("seal", "--before", "2026-11")
    assert (code, "records" in out) == (0, True), errors
    assert read() == before
    assert "No page" in call("seal", "--before", "2026-11")[1]
    assert "2026-04" in call("seal", "--list")[0]
    assert call("analysis", "rebuild")[2] == 0
    assert read() == before
    assert "2 links queued" in call("frontier", "rebuild", "-a", "url=https://a.example/")[0]
    assert [(each.state, each.message[:31]) for each in sealed(settings)] == [("ok", "2026-04: all files (4) are in /")]
    (tmp_path / "sealed").rename(tmp_path / "away")
    assert "4 of 4 files are missing, the first is" in sealed(settings)[0].message
    (tmp_path / "away").rename(tmp_path / "sealed")
    _, errors, _ = call("forget", "--author", "张三", "--yes")
    assert "Sealed months are not searched for names: 2026-04" in errors
    assert "Sealed months are not read again: 2026-04" in call("reread")[1]
    assert "Sealed months are not pruned: 2026-04" in call("prune", "--before", "2020-01-01", "--yes")[1]
    assert call("seal", "--open", "2026-04")[2] == 0
    assert not call("seal", "--list")[0].splitlines()[1:]
    posts = [json.loads(line) for line in call(*exported[1])[0].splitlines()]
    assert sorted(post["author"] for post in posts) == ["", "张三"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "say what to do"),
        (("--open", "2026"), "is no month"),
        (("--open", "2020-01"), "2020-01 is not sealed"),
        (("--before", "2999-01"), "in the future"),
        (("--before", "soon"), "is no time"),
    ],
)
def test_wrong_wishes_get_a_message(
    call: Callable[..., tuple[str, str, int]], words: tuple[str, ...], message: str
) -> None:
    out, errors, code = call("seal", *words)
    assert code
    assert message in out + errors

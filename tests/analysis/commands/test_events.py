"""`scrapy analysis events`, `event` and decisions, as people call them."""

import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from lxml import etree
from scrapy.cmdline import execute
from scrapy.settings import Settings

from pipelines.stores.opening import open_store
from tests.analysis.happenings.test_step import STREAM, put

Run = Callable[..., tuple[str, str, int]]


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    address = f"sqlite:///{tmp_path}/a.db"
    with closing(open_store(address)) as store:
        put(store, *STREAM)

    def called(*words: str) -> tuple[str, str, int]:
        settings = Settings({"COMMANDS_MODULE": "console.commands", "STORE": address})
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", "analysis", *words], settings)
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return out, err, int(ended.value.code or 0)

    return called


def test_events_are_shown_exported_and_decided(run: Run) -> None:
    out, err, code = run("run")
    assert (out, err.splitlines()[-1], code) == (
        "",
        "6 pages analysed",
        0,
    )  # a line of progress before it on a slow machine
    rows = [json.loads(line) for line in run("events", "--format", "jsonl")[0].splitlines()]
    assert [row["event"] for row in rows] == ["late", "fire", "other", "quake"]
    assert "辽宁海城发生4.3级地震" in run("events", "--pages", "2")[0]
    assert len(run("events", "--format", "csv", "--since", "2026-06-01")[0].splitlines()) == 2
    graph = etree.fromstring(run("events", "--format", "graphml")[0].encode())
    assert {node.get("id") for node in graph.iter("{*}node")} >= {"event quake", "again", "story late"}
    out = run("event", "again")[0]
    assert "海城地震震感明显" in out
    assert "who: 李晓梅" in out
    assert "where: 辽宁省海城市 (" in out or "where: 辽宁" in out
    assert run("merge", "other", "quake", "--by", "ann")[2] == 0
    run("run")
    assert "云南瑞丽" in run("event", "quake")[0]
    assert run("drop", "quake")[2] == 0
    run("run")
    assert "quake" not in run("events")[0]
    assert "dropped" in run("events", "--dropped")[0]


def test_wrong_words_get_a_sentence(run: Run) -> None:
    for words, sentence in (
        (["event", "none"], "there is no event"), (["merge", "a"], "merge needs 2"), (["undo", "x"], "there is no decision"),
        (["events", "--since", "soon"], "is no time"), (["events", "--pages", "0"], "must not be negative"), (["nonsense"], "Use: scrapy"),
    ):  # fmt: skip
        _, err, code = run(*words)
        assert sentence in err
        assert code in (1, 2)

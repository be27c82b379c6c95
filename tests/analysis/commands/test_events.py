"""`scrapy analysis events`, `event` and decisions, as people call them."""

import json
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from lxml import etree

from analysis.events import EventLimits
from analysis.events import Settings as Limited
from analysis.events.weights import read_weights, write_weights
from analysis.train import train_from
from pipelines.stores.base import StoreError
from pipelines.stores.opening import open_store
from tests.analysis.events.store.test_step import STREAM, put

Run = Callable[..., tuple[str, str, int]]


@pytest.fixture
def run(tmp_path: Path, scrapy: Run) -> Run:
    address = f"sqlite:///{tmp_path}/a.db"
    with closing(open_store(address)) as store:
        put(store, *STREAM)

    return partial(scrapy, "analysis", STORE=address)


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
    assert "There is no topic typo" in run("events", "--topic", "typo")[1]
    assert run("merge", "other", "quake", "--by", "ann")[2] == 0
    run("run")
    assert "云南瑞丽" in run("event", "quake")[0]
    assert run("drop", "quake")[2] == 0
    run("run")
    assert "quake" not in run("events")[0]
    assert "dropped" in run("events", "--dropped")[0]


def test_a_day_is_that_of_the_time_zone(run: Run) -> None:
    run("run")
    rows = [json.loads(line) for line in run("events", "--format", "jsonl")[0].splitlines()]
    last = datetime.fromisoformat(max(row["last_at"] for row in rows))
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        there = last.astimezone(ZoneInfo(zone)).date()
        for day, expected in ((there, 1), (there + timedelta(days=1), 0)):
            out = run("events", "--format", "jsonl", "--since", str(day), TIME_ZONE=zone)[0]
            assert len(out.splitlines()) >= 1 if expected else not out
        assert len(run("events", "--format", "jsonl", "--until", str(there), TIME_ZONE=zone)[0].splitlines()) == len(
            rows
        )
    assert "is too far away" in run("events", "--until", "9999-12-31")[1]


def test_wrong_words_get_a_sentence(run: Run) -> None:
    for words, sentence in (
        (["event", "none"], "there is no event"), (["merge", "a"], "merge needs 2"), (["undo", "x"], "there is no decision"),
        (["train", "none.jsonl", "--out", "x"], "cannot be read"), (["train", "none.jsonl"], "train needs --out"),
        (["run", "-s", "EVENTS_WEIGHTS=none.json"], "cannot be read"),
        (["events", "--since", "soon"], "is not a time"), (["events", "--pages", "0"], "must not be negative"),
        (["nonsense"], "Use: scrapy"),
    ):  # fmt: skip
        _, err, code = run(*words)
        assert sentence in err
        assert code in (1, 2)


HAPPENINGS = (
    "辽宁海城 地震 房屋出现裂缝", "云南瑞丽 洪水 农田被淹", "广东韶关 爆炸 厂房倒塌", "四川雅安 滑坡 公路中断", "甘肃定西 冰雹 果园受损",
    "福建龙岩 车祸 客车侧翻", "山西运城 火灾 仓库烧毁", "江西赣州 停电 医院关门", "湖北荆州 沉船 渡轮沉没", "河南信阳 抢劫 银行报警",
    "浙江温州 中毒 学生住院", "安徽黄山 雪崩 游客被困",
)  # fmt: skip


def labelled_stream() -> list[dict[str, str]]:
    """Two titles of each event."""
    rows = []
    for number, (place, what, damage) in enumerate(map(str.split, HAPPENINGS)):
        date = f"2026-05-{number + 1:02}"
        for name, title in (("a", f"{place}发生{what}"), ("b", f"{place}{what}，{damage}")):
            rows.append({"id": f"{number}{name}", "date": f"{date}T08:00:00+08:00", "title": title, "event": place})
    return rows


def test_limits_are_learned_from_labelled_reports_and_used(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = tmp_path / "labelled.jsonl", tmp_path / "own" / "events.json"
    source.write_text("".join(f"{json.dumps(row)}\n" for row in labelled_stream()), encoding="utf-8")
    monkeypatch.setattr("analysis.train.Settings", lambda: Limited(title=EventLimits(0.9, 0.9)))
    out, err, code = run("train", str(source), "--out", str(target), "--folds", "2")
    assert code == 0, err
    before, after = (
        next(line for line in out.splitlines() if line.startswith(f"events, {name} thresholds")).split()[-3:]
        for name in ("current", "learned")
    )
    assert float(before[2]) == 0.0 < float(after[2])
    assert read_weights(target).title.event < 0.9


def test_other_limits_decide_on_all_events_again(run: Run, tmp_path: Path) -> None:
    run("run")
    own = tmp_path / "events.json"
    write_weights(own, Limited(chinese=EventLimits(1.0, 1.0), title=EventLimits(1.0, 1.0)))
    run("run", "-s", f"EVENTS_WEIGHTS={own}")
    alone = run("events", "--format", "jsonl", "--pages", "2")[0]
    assert "quake" not in alone
    run("rebuild", "-s", f"EVENTS_WEIGHTS={own}")
    assert run("events", "--format", "jsonl", "--pages", "2")[0] == alone
    run("run")
    assert "quake" in run("events", "--format", "jsonl", "--pages", "2")[0]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("[1]", "line 2 is not a JSON object"),
        ('{"id": "x", "date": "2026-05-10", "title": "a"}', "line 2 has no event"),
        ('{"id": "x", "date": "soon", "title": "a", "event": "b"}', "'soon' is not a date"),
        ('{"id": "0a", "date": "2026-05-10", "title": "a", "event": "b"}', "duplicate id"),
        ('{"id": "x", "date": "2026-05-10", "title": "a", "event": "b"}', "are too few"),
    ],
)
def test_a_file_that_cannot_be_learned_from_gets_a_sentence(tmp_path: Path, line: str, sentence: str) -> None:
    source = tmp_path / "labelled.jsonl"
    source.write_text(f"{json.dumps(labelled_stream()[0])}\n{line}\n", encoding="utf-8")
    with pytest.raises(StoreError, match=sentence):
        list(train_from(source, tmp_path / "events.json", 5, print))

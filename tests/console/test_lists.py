"""Lists that have changed their shape, and the form that tries an address and saves its recipe."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from console.frame.app_context import AppContext
from pipelines.stores.watch_tables import LIST_STATES
from pipelines.zstd import Zstd
from tests.console.conftest import LogIn, MakeAppContext, TestClient, send

TRIED = {
    "url": "https://some.example/list",
    "items": [{"url": "https://some.example/1", "title": "<b>Story</b> 1", "time": "2026-11-20", "author": "Ann"}],
    "recipe": "url: https://some.example/list\nlist: data\n",
    "fault": "",
}


@pytest.fixture
def app_context(make: MakeAppContext) -> AppContext:
    made = make()
    zstd = Zstd(3)
    row = {"source": "mine", "host": "some.example", "reason": "no items", "read_at": "2026-11-28T10:00:00+00:00"}
    answers = {
        "good": zstd.compress(b'{"data": ["good"]}'),
        "bad": zstd.compress(b"<script>bad()</script>"),
        "items": 12,
    }
    rows = [
        {"key": "a", "url": "https://some.example/a", "state": "layout_changed", **row, **answers},
        {"key": "b", "url": "https://some.example/b", "state": "read", **row},
    ]
    made.store.upsert(LIST_STATES, rows).result()
    return made


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Commands that the console starts; each understands one item."""
    begun: list[list[str]] = []

    def run(words: list[str], **given: Any) -> Any:
        assert given["env"]["TOPICRAWL_LANG"] == "en"
        begun.append(words)
        return subprocess.CompletedProcess(words, 0, json.dumps(TRIED).encode() + b"\nwritten\n", b"")

    monkeypatch.setattr(subprocess, "run", run)
    return begun


def test_changed_lists_come_first_with_both_answers(local: TestClient) -> None:
    html = local.get("/sites/lists?key=a&lang=en").text
    assert "https://some.example/a" in html
    assert "https://some.example/b" not in html
    assert "no items" in html
    assert "{&#34;data&#34;: [&#34;good&#34;]}" in html
    assert "&lt;script&gt;bad()&lt;/script&gt;" in html
    assert local.get("/api/sites/lists").json()["counts"] == {"layout_changed": 1, "unreadable": 0, "read": 1}
    assert "列表：1 个改版" in local.get("/sites/lists?lang=zh").text


def test_an_address_is_tried_and_its_recipe_saved(local: TestClient, commands: list[list[str]]) -> None:
    form = {"url": "https://some.example/list", "like": "Story\n--save=evil"}
    html = send(local, "/sites/lists/try", "/sites/lists", **form).text
    assert "&lt;b&gt;Story&lt;/b&gt; 1" in html
    assert "list: data" in html
    assert "--like=--save=evil" in commands[0]
    assert not any(word.startswith("--save=") for word in commands[0])
    answer = send(local, "/sites/lists/save", "/sites/lists", name="mine", **form)
    assert answer.status_code == 303
    assert "--save=mine" in commands[1]
    for wrong in ({"name": "../mine"}, {"url": "--help"}):
        refused = send(local, "/sites/lists/save", "/sites/lists", **{"name": "mine", **form, **wrong})
        assert refused.status_code == 400
    assert len(commands) == 2


def test_analysts_try_and_administrators_save(log_in: LogIn, commands: list[list[str]]) -> None:
    form = {"url": "https://some.example/list"}
    assert send(log_in("viewer"), "/sites/lists/try", "/sites/lists", **form).status_code == 403
    analyst = log_in("analyst")
    assert "Story" in send(analyst, "/sites/lists/try", "/sites/lists", **form).text
    assert send(analyst, "/sites/lists/save", "/sites/lists", name="mine", **form).status_code == 403
    assert len(commands) == 1


def test_a_folder_of_settings_is_passed_on(make: MakeAppContext, tmp_path: Path, commands: list[list[str]]) -> None:
    from console.queries.list_states import tried

    tried(make(TOPICRAWL_SETTINGS_DIR=str(tmp_path)).settings, "https://some.example/list", ())
    assert f"TOPICRAWL_SETTINGS_DIR={tmp_path}" in commands[0]

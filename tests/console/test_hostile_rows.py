"""Whatever a row holds, every page, JSON twin, export and tool shows the other rows, and names the row."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from console.assistants.tools import Tools
from console.frame.app_context import AppContext
from testbed.console_views import later_parts, views
from testbed.hostile_rows import spoil
from tests.console.alerting import fill_alerts
from tests.console.collecting import fill_collecting
from tests.console.conftest import LogIn, filled
from tests.console.filling import fill
from tests.console.happenings import fill_events
from tests.console.steering import fill_steering

app_context = filled(fill, fill_events, fill_alerts, fill_collecting, fill_steering)


def failing(client: TestClient, app_context: AppContext) -> Iterator[str]:
    for path in views(app_context.store, most=5):
        answer = client.get(path)
        if answer.status_code >= 500:
            yield path
        for later in later_parts(path, answer.text, lambda part: client.get(part).text):
            if client.get(later.removeprefix("/api")).status_code >= 500:
                yield later


@pytest.mark.parametrize("seed", range(2))
def test_hostile_rows_take_nothing_away(app_context: AppContext, log_in: LogIn, seed: int) -> None:
    client = log_in("admin")
    spoil(Path(app_context.store.location), seed)
    assert not sorted(failing(client, app_context))


def test_a_malformed_row_is_named_and_the_others_are_shown(app_context: AppContext, local: TestClient) -> None:
    before = local.get("/api/runs?show=all").json()
    assert "malformed" not in before
    key = before["rows"][0]["key"]
    with closing(sqlite3.connect(app_context.store.location)) as database, database:
        database.execute("UPDATE runs SET pages = 9e999, arguments = '[[[', sentence = X'FF' WHERE key = ?", (key,))
    after = local.get("/api/runs?show=all").json()
    assert [row["key"] for row in after["rows"]] == [row["key"] for row in before["rows"]]
    noted = [{**each, "columns": sorted(each["columns"])} for each in after["malformed"]]
    assert noted == [{"table": "runs", "key": key, "columns": ["arguments", "pages", "sentence"]}]
    assert f"runs {key} (" in local.get("/runs?show=all").text
    assert len(Tools(app_context).runs(50)["rows"]) == 50

"""One look at the store for all who watch, every change once, resumed by the id of the last event."""

import asyncio
import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from console.frame import live
from console.frame.app_context import AppContext
from console.frame.live import Live
from pipelines.stores.base import StoreAwayError
from pipelines.stores.tables import RUNS
from testbed.console_server import served
from tests.console.collecting import fill_collecting, run
from tests.console.conftest import browser, filled

app_context = filled(fill_collecting)


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK_SECONDS", 0.05)


def parsed(text: str) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in text.strip().splitlines())


async def taken(stream: Any, count: int) -> list[dict[str, str]]:
    """The next events, without comments."""
    found: list[dict[str, str]] = []
    while len(found) < count:
        each = await anext(stream)
        if each.startswith("id: "):
            found.append(parsed(each))
    return found


def test_twenty_watchers_cost_as_many_looks_as_one_and_each_gets_every_change(app_context: AppContext) -> None:
    looks = iter(range(1, 10_000))
    last = [0]

    def look(_: AppContext) -> dict[str, Any]:
        last[0] = next(looks)
        return {"n": last[0]}

    async def all_watch() -> list[list[dict[str, str]]]:
        watched = Live(app_context, look)
        return await asyncio.gather(*(taken(watched.watch(), 5) for _ in range(20)))

    for events in asyncio.run(all_watch()):
        values = [int(each["data"]) for each in events]
        assert values == list(range(values[0], values[0] + 5))
    assert last[0] <= 10


def test_a_reader_goes_on_behind_its_last_event_and_strangers_get_all_parts() -> None:
    parts: dict[str, Any] = {"a": 1, "b": 1}

    async def read() -> None:
        watched = Live(None, lambda _: dict(parts))  # type: ignore[arg-type]
        first = await taken(watched.watch(), 2)
        parts["a"] = 2
        (second,) = await taken(watched.watch(first[-1]["id"]), 1)
        assert (second["event"], second["data"]) == ("a", "2")
        for stranger in ("", "other-7", "x", f"{watched.name}-²", f"{watched.name}-{'9' * 50}"):
            both = await taken(watched.watch(stranger), 2)
            assert {each["event"]: each["data"] for each in both} == {"a": "2", "b": "1"}

    asyncio.run(read())


def test_a_store_that_is_away_ends_no_stream() -> None:
    answers: Iterator[Any] = iter([StoreAwayError("away"), {"a": 1}])

    def look(_: AppContext) -> dict[str, Any]:
        answer = next(answers, {"a": 1})
        if isinstance(answer, Exception):
            raise answer
        return dict(answer)

    async def read() -> list[dict[str, str]]:
        return await taken(Live(None, look).watch(), 1)  # type: ignore[arg-type]

    assert asyncio.run(read())[0]["data"] == "1"


def first_runs(address: str, last: str = "") -> dict[str, str]:
    """The first event about runs."""
    request = urllib.request.Request(f"{address}/live", headers={"Last-Event-ID": last})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = [""]
        while not (lines[-1] == "" and "event: runs" in lines):
            lines = [*(lines if lines[-1] else []), answer.readline().decode().rstrip("\n")]
    return parsed("\n".join(lines))


def test_the_stream_tells_what_became_of_runs(app_context: AppContext) -> None:
    with served(app_context) as address:
        event = first_runs(address)
        numbers = {
            "state": "running",
            "rate": 0.25,
            "pages": 75,
            "off_topic": None,
            "duplicates": None,
            "unchanged": None,
            "refused": None,
            "articles": 100,
            "errors": 2,
        }
        assert json.loads(event["data"])["run010"] == numbers
        app_context.store.upsert(RUNS, [run(10, 5, "running", pages=80)]).result()
        event = first_runs(address, event["id"])
        assert json.loads(event["data"])["run010"]["pages"] == 80


def test_strangers_are_refused(app_context: AppContext) -> None:
    client: TestClient = browser(app_context, peer="10.0.0.9")
    assert client.get("/live").status_code == 401

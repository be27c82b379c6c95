"""The tools over the protocol, asked by the SDK's own client on a real store: as a started program, and over HTTP with a token."""

import asyncio
import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from analysis import running
from console.access.people import Role
from console.config import read_config
from console.frame.app_context import AppContext, make_app_context
from pipelines.stores.opening import open_store
from pipelines.stores.people_tables import AUDIT, DECISIONS
from tests.console.conftest import PASSWORD, settings_in
from tests.console.filling import NOW, fill, page

mcp = pytest.importorskip("mcp")
TOOLS = ["article", "event", "jobs", "runs", "search", "trend", "why"]


@pytest.fixture(scope="module")
def app_context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppContext]:
    settings = settings_in(tmp_path_factory.mktemp("mcp"))
    store = open_store(settings["STORE"])
    fill(store)
    running.run(store)
    yield make_app_context(store, settings, read_config(settings), lambda: NOW)
    store.close()


async def ask(client: Any, tool: str, **given: Any) -> Any:
    """What a tool answers; the text of an error."""
    answer = await client.call_tool(tool, given)
    text = answer.content[0].text
    return text if answer.is_error else json.loads(text)


async def asked(target: Any) -> dict[str, Any]:
    key = page(5, "host2.example")["key"]
    async with mcp.Client(target) as client:
        tools = (await client.list_tools()).tools
        found = await ask(client, "search", query="首付 第5条")
        listed = await ask(client, "event")
        return {
            "tools": sorted(tool.name for tool in tools),
            "read_only": all(tool.annotations.read_only_hint for tool in tools),
            "search": found,
            "article": await ask(client, "article", key=key),
            "event": await ask(client, "event", key=listed["rows"][0]["event"]),
            "trend": await ask(client, "trend", of="首付", since="2026-11-20", until="2026-11-22"),
            "why": await ask(client, "why", url="http://host1.example/1.html"),
            "runs": await ask(client, "runs"),
            "missing": await ask(client, "article", key="none"),
            "wrong": await ask(client, "trend", by="hour"),
        }


def check(found: dict[str, Any]) -> None:
    assert found["tools"] == TOOLS
    assert found["read_only"]
    assert page(5, "host2.example")["url"] in [row["url"] for row in found["search"]["rows"]]
    assert "第5条的正文" in found["article"]["article"]["body"]
    assert len(found["article"]["comments"]) > 0
    assert "网友1" not in json.dumps(found["article"], ensure_ascii=False), "names are masked"
    assert found["event"]["spread"]["reports"]
    assert sum(found["trend"]["lines"][0]["counts"]) > 0
    assert found["why"]["urls"]["state"] == "fetched"
    assert found["runs"]["rows"] == []
    assert "none" in found["missing"]
    assert "day, week" in found["wrong"]


def test_a_started_program_answers_on_its_standard_output(app_context: AppContext) -> None:
    root = Path(__file__).parents[3]
    given = {"STORE": app_context.settings["STORE"], "DATA_DIR": app_context.settings["DATA_DIR"]}
    words = ["-m", "scrapy", "mcp", *(word for name, value in given.items() for word in ("-s", f"{name}={value}"))]
    check(
        asyncio.run(
            asked(mcp.StdioServerParameters(command=sys.executable, args=words, cwd=root, env=dict(os.environ)))
        )
    )


def test_http_answers_with_a_token_only(app_context: AppContext) -> None:
    from httpx2 import AsyncClient
    from mcp.client.streamable_http import streamable_http_client

    from console.assistants.mcp_server import http_app

    app_context.people.add("anna", Role.VIEWER, PASSWORD)
    token = app_context.sessions.add_token("anna", "test", ["read"])
    server = uvicorn.Server(uvicorn.Config(http_app(app_context, "127.0.0.1"), port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        thread.join(0.02)
    address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/mcp"

    async def both() -> dict[str, Any]:
        async with AsyncClient() as stranger:
            for headers in ({}, {"Authorization": "Bearer x"}):
                assert (await stranger.post(address, json={}, headers=headers)).status_code == 401
        async with AsyncClient(headers={"Authorization": f"Bearer {token}"}) as known:
            return await asked(streamable_http_client(address, http_client=known))

    try:
        check(asyncio.run(both()))
    finally:
        server.should_exit = True
        thread.join()


async def acted(app_context: AppContext, name: str) -> dict[str, Any]:
    from console.assistants.actions import account
    from console.assistants.mcp_server import make_server

    async with mcp.Client(make_server(app_context, account(app_context, name))) as client:
        example = {"topic": "tax", "url": "http://host1.example/1.html"}
        return {
            "hints": {tool.name: tool.annotations.read_only_hint for tool in (await client.list_tools()).tools},
            "mark": await ask(client, "mark", **example, answer="yes"),
            "wrong": await ask(client, "mark", **example, answer="perhaps"),
            "start": await ask(client, "start", spider="site", url="file:///etc/passwd"),
            "stop": await ask(client, "stop", job="none"),
            "jobs": await ask(client, "jobs"),
        }


def test_an_assistant_acts_within_a_role_and_each_act_is_noted(app_context: AppContext) -> None:
    app_context.people.add("bea", Role.ANALYST, PASSWORD)
    app_context.people.add("root", Role.ADMIN, PASSWORD)
    found = asyncio.run(acted(app_context, "bea"))
    assert [name for name, reads in found["hints"].items() if not reads] == ["start", "stop", "mark"]
    assert found["mark"]["facts"]["answer"] == "yes"
    assert "yes, no" in found["wrong"]
    assert "bea is analyst; this needs the role admin" in found["start"]
    assert "needs the role admin" in found["stop"]
    assert found["jobs"]["nodes"][0]["jobs"] == []
    store = app_context.store
    (decided,), (noted,) = store.select(DECISIONS), store.select(AUDIT)
    assert (decided["by"], decided["action"], decided["subject"]) == ("bea", "examples.mark", noted["subject"])
    assert (noted["by"], noted["action"], noted["facts"]["decision"]) == ("bea", "assistant_acted", decided["key"])

    found = asyncio.run(acted(app_context, "root"))
    assert "http" in found["start"]
    assert "none" in found["stop"]
    app_context.people.set_active("bea", False)
    assert "no active account" in asyncio.run(acted(app_context, "bea"))["mark"]


def test_a_token_that_may_only_read_does_not_act(app_context: AppContext) -> None:
    from console.assistants.actions import token_holder
    from console.assistants.tools import AskError

    app_context.people.add("cara", Role.ADMIN, PASSWORD)
    actor = token_holder(app_context)
    tokens = {scope: app_context.sessions.add_token("cara", "", ["read", scope]) for scope in ("read", "decide")}
    assert actor({"authorization": f"Bearer {tokens['decide']}"}).role is Role.ADMIN
    for headers in (None, {}, {"authorization": f"Bearer {tokens['read']}"}, {"authorization": "Bearer x"}):
        with pytest.raises(AskError, match="only read"):
            actor(headers)

"""A console on a full store, and browsers of people with each role."""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings
from starlette.testclient import TestClient

from console.access.people import Role
from console.app import make_app
from console.config import read_config
from console.frame.app_context import AppContext, make_app_context
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from tests.console.filling import NOW, fill

ADDRESS = "http://127.0.0.1:8765"
PASSWORD = "correct horse battery"


class Clock:
    """A time that tests move."""

    def __init__(self) -> None:
        self.time = NOW

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


def settings_in(folder: Path, **given: Any) -> Settings:
    settings = Settings()
    settings.setmodule("settings.base")
    settings.update({"DATA_DIR": str(folder), "STORE": f"sqlite:///{folder}/t.db"} | given, priority="cmdline")
    return settings


MakeAppContext = Callable[..., AppContext]


@pytest.fixture
def make(tmp_path: Path, clock: Clock) -> Iterator[MakeAppContext]:
    """Makes an application context with these settings."""
    made: list[AppContext] = []

    def build(**given: Any) -> AppContext:
        settings = settings_in(tmp_path, **given)
        made.append(make_app_context(open_store(settings["STORE"]), settings, read_config(settings), clock))
        return made[-1]

    yield build
    for app_context in made:
        app_context.store.close()


def filled(*fills: Callable[[Store], object], **given: Any) -> Callable[..., AppContext]:
    """A fixture: the application context with these settings, its store filled by these, without accounts."""

    @pytest.fixture
    def app_context(make: MakeAppContext) -> AppContext:
        made = make(**given)
        for fill_store in fills:
            fill_store(made.store)
        return made

    return app_context


app_context = filled(fill)


def all_parts(client: TestClient, path: str, rows: str = "rows", **params: str) -> tuple[list[Any], dict[str, Any]]:
    """The rows of a list, part by part until there is no more, and the last part."""
    seen: list[Any] = []
    after = ""
    while True:
        part = client.get(path, params={**params, "after": after}).json()
        seen += part[rows]
        if not (after := part["after"]):
            return seen, part


def browser(app_context: AppContext, peer: str = "127.0.0.1", address: str = ADDRESS, **more: Any) -> TestClient:
    return TestClient(
        make_app(app_context, **more), base_url=address, client=(peer, 50_000), raise_server_exceptions=False
    )


@pytest.fixture
def local(app_context: AppContext) -> TestClient:
    """A local browser without accounts."""
    return browser(app_context)


def token_of(client: TestClient, path: str = "/login") -> str:
    """The token of the forms on a page."""
    html = client.get(path).text
    return html.partition('name="form_token" value="')[2].partition('"')[0]


def send(client: TestClient, path: str, where: str = "/login", /, **fields: Any) -> Any:
    """Post a form as the browser does that has loaded the page."""
    data = {"form_token": token_of(client, where), **fields}
    return client.post(path, data=data, headers={"Origin": str(client.base_url).rstrip("/")}, follow_redirects=False)


LogIn = Callable[..., TestClient]


@pytest.fixture
def log_in(app_context: AppContext) -> LogIn:
    """A browser of a new person with this role, logged in."""

    def entered(role: str = "analyst", name: str = "") -> TestClient:
        name = name or f"a-{role}"
        app_context.people.add(name, Role.named(role), PASSWORD)
        client = browser(app_context)
        answer = send(client, "/login", "/login", user=name, password=PASSWORD)
        assert answer.status_code == 303, answer.text
        return client

    return entered

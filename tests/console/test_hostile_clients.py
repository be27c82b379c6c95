"""Clients that ask and do not read, that say nothing, and pages made to be expensive to look at: others are served meanwhile."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from starlette.testclient import TestClient

from console.access.people import Role
from console.frame import connections
from console.frame.app_context import AppContext
from console.frame.authentication import SESSION
from console.queries.inert_page import inert
from pipelines.stores.tables import PAGES, RECORDS, SOURCES
from testbed.console_server import served
from testbed.servers.processes import wait_until
from tests.console.conftest import PASSWORD
from tests.console.filling import NOW

ROWS = 3_000


@pytest.fixture
def address(app_context: AppContext) -> Iterator[str]:
    """A console with many long pages."""
    made = [
        {"key": f"k{number:06}", "url": f"http://a.example/{number}", "host": "a.example", "title": f"题 {number}"}
        | {"body": "长" * 3_000, "fetched_at": NOW.isoformat(), "kind": "article"}
        for number in range(ROWS)
    ]
    app_context.store.upsert(PAGES, made).result()
    with served(app_context) as where:
        yield where


def session(app_context: AppContext, name: str, role: str = "viewer") -> str:
    if app_context.people.get(name) is None:
        app_context.people.add(name, Role.named(role), PASSWORD)
    return f"{SESSION}={app_context.sessions.open(name)}"


def connected(address: str, request: str = "") -> socket.socket:
    client = socket.create_connection(("127.0.0.1", urlsplit(address).port), timeout=30)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    client.sendall(request.encode())
    return client


def export(address: str, cookie: str) -> str:
    return f"GET /articles.jsonl?copies=1 HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\nCookie: {cookie}\r\n\r\n"


def status(address: str, path: str, cookie: str) -> int:
    try:
        with urlopen(Request(address + path, headers={"Cookie": cookie}), timeout=20) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def has_ended(client: socket.socket) -> bool:
    """Whether the console ends the connection, in order or not, after what it has sent."""
    try:
        while client.recv(65_536):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return True


def test_exports_that_nobody_reads_keep_nobody_out(app_context: AppContext, address: str) -> None:
    admin, cookie = session(app_context, "anna", "admin"), session(app_context, "ben")
    with ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(closing(connected(address, export(address, cookie))))
        for _ in range(50):
            stack.enter_context(closing(connected(address)))
        began = time.monotonic()
        assert status(address, "/login", "") == 200
        assert time.monotonic() - began < 5
        assert status(address, "/events", session(app_context, "carl")) == 200
        app_context.people.set_active("ben", False)
        began = time.monotonic()
        assert status(address, "/api/events", cookie) == 401
        assert status(address, "/api/events", admin) == 200
        assert time.monotonic() - began < 5


def test_an_export_is_whole_and_a_cancelled_one_ends(app_context: AppContext, address: str) -> None:
    cookie = session(app_context, "ben")
    with closing(connected(address, export(address, cookie))) as client:
        assert client.recv(1_000).startswith(b"HTTP/1.1 200")
    with urlopen(Request(f"{address}/articles.jsonl?copies=1&host=a.example", headers={"Cookie": cookie})) as answer:
        lines = answer.read().splitlines()
    assert len(lines) == ROWS
    wal = app_context.store.location + "-wal"
    app_context.store.upsert(PAGES, [{"key": "k000000", "title": "neu"}]).result()
    app_context.store.give_back()
    with open(wal, "rb") as file:
        assert len(file.read()) < 1_000_000, "no reader keeps an old state of the store"


def test_clients_that_say_nothing_are_cut_off(
    app_context: AppContext, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_HEAD_SECONDS", 0.5)
    monkeypatch.setattr(connections, "_LOOK_SECONDS", 0.1)
    monkeypatch.setattr(connections, "_UNREAD_SECONDS", 0.5)
    for request in ("", "GET /articles HTTP/1.1\r\nHost: ", export(address, session(app_context, "ben"))):
        with closing(connected(address, request)):
            wait_until(lambda: connections.GuardedConnection._of_address.total() == 1, "the connection", 10)
            wait_until(
                lambda: connections.GuardedConnection._of_address.total() == 0, "what the kernel holds to be away", 20
            )


def test_one_address_has_a_share_of_the_connections(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_MAX_LOCAL", 10)
    with ExitStack() as stack:
        clients = [stack.enter_context(closing(connected(address))) for _ in range(12)]
        assert all(map(has_ended, clients[10:]))


@pytest.mark.parametrize(
    "piece",
    ["<meta>y", "<object>", "<script>x</script>y", "<p a='", "<b><i>", "<select><option>x", "<a href=x>", "&amp;"],
)
def test_the_cost_of_a_page_as_fetched_is_linear(piece: str) -> None:
    def cost(size: int) -> float:
        began = time.process_time()
        inert((piece * (size // len(piece))).encode(), "utf-8")
        return time.process_time() - began

    small = min(cost(500_000) for _ in range(3))
    assert cost(2_000_000) < max(0.2, 4 * 2.5 * small)


def test_attributes_by_the_hundred_thousand_cost_little() -> None:
    began = time.process_time()
    body = b"<p title=t " + b" ".join(b"on%d=1" % number for number in range(100_000)) + b">shown</p>"
    body += (b"<p " + b" ".join(b"a%d=1 src=x" % number for number in range(990)) + b">x") * 100
    shown = inert(body, "utf-8")
    assert b"shown" in shown
    assert b"on1" not in shown
    assert b"src" not in shown
    assert time.process_time() - began < 5


def test_a_page_that_takes_too_long_is_killed(
    app_context: AppContext, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app_context.store.upsert(SOURCES, [{"key": "k000001", "body": b"<p>x", "charset": "utf-8"}]).result()
    cookie = session(app_context, "ben", "analyst")
    assert status(address, "/articles/k000001/page", cookie) == 200
    monkeypatch.setattr("console.queries.inert_page._SECONDS", 0.01)
    assert status(address, "/articles/k000001/page", cookie) == 413


@pytest.mark.parametrize("piece", ["涨\n", "涨跌 ", "<b>&\"'", "涨"])
def test_a_page_of_any_text_costs_little_to_look_at(app_context: AppContext, local: TestClient, piece: str) -> None:
    text, words = piece * (2_000_000 // len(piece)), " ".join(f"涨{number}×1" for number in range(2_000))
    row = {"key": "long", "url": "http://a.example/l", "host": "a.example", "kind": "article", "title": text}
    row |= {"author": text, "body": text, "relevance": 0.9, "relevance_reason": f"0.93: {words}"}
    posts = [
        {"page": "long", "key": f"r{number}", "kind": "comment", "part": 1, "place": number, "text": text[:200_000]}
        | {"author": "a", "quote": text[:200_000], "parent": f"r{number - 1}" if number else ""}
        for number in range(60)
    ]
    app_context.store.upsert(PAGES, [row | {"fetched_at": NOW.isoformat()}])
    app_context.store.upsert(RECORDS, posts).result()
    local.get("/articles")
    for path in ("/articles/long", "/articles", "/api/articles/long"):
        began = time.process_time()
        answer = local.get(path)
        assert answer.status_code == 200
        assert time.process_time() - began < 2, path
        assert len(answer.content) < 8_000_000
    assert local.get("/articles/long").text.count('<li id="r-') == 60, "posts of any depth are shown"


def test_markup_inside_of_style_stays_no_markup() -> None:
    shown = inert(b"<svg><style>p {color: red} <img onerror=window.ran=1></style></svg>", "utf-8")
    assert b"<img" not in shown
    assert b"p {color: red}" in shown

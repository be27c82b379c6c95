"""Who gets in, and what is refused: accounts, roles, forged changes, tries of passwords."""

import base64
import logging
import socket
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from console.access.passwords import hash_password, is_password, weakness
from console.access.people import Role
from console.access.sessions import form_token
from console.access.throttle import MAX_TRIES, Throttle
from console.config import ConsoleError, read_config
from console.frame.app_context import AppContext
from console.frame.authentication import FORM, SESSION
from console.frame.page import Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.safety import own_path
from console.pages import PAGES
from console.service import _serve
from crawler.config.settings_check import SettingError, check_settings, known_names
from pipelines.stores.people_tables import DECISIONS, SESSIONS, USERS
from testbed.console_server import served
from tests.console.conftest import ADDRESS, PASSWORD, Clock, LogIn, MakeAppContext, browser, send, settings_in, token_of
from tests.console.filling import fill


def _mark(ctx, form):  # type: ignore[no-untyped-def]
    if form["word"] == "taken":
        raise ActionRefusedError("frame.undone_before", by="B")
    return ActionOutcome(form["word"], {"by": "x"})


STATE: list[str] = []
MARK = ConsolePage(
    name="frame",
    path="/marks/{place}",
    view=lambda ctx: {},
    actions=(Action("undone_before", _mark, fields=(Param("word", required=True),), undo=lambda ctx, row: STATE.append(row["subject"])),),
)  # fmt: skip


@pytest.fixture
def deciding(app_context: AppContext, log_in: LogIn) -> TestClient:
    """An analyst before a console with one decision more, which is /marks/1/undone_before."""
    cookies = dict(log_in("analyst").cookies)
    client = browser(app_context, pages=(*PAGES, MARK))
    client.cookies.update(cookies)
    return client


WHERE = "/marks/1/undone_before"


def decisions(app_context: AppContext) -> list[str]:
    return [row["subject"] for row in app_context.store.select(DECISIONS)]


def test_without_accounts_only_this_machine_gets_in(app_context: AppContext) -> None:
    assert browser(app_context).get("/articles").status_code == 200
    assert browser(app_context, peer="10.0.0.7").get("/articles", follow_redirects=False).status_code == 303
    assert browser(app_context).get("/api/articles", headers={"X-Forwarded-For": "10.0.0.7"}).status_code == 401
    rebound = browser(app_context, address="http://evil.example:8765")
    assert rebound.get("/api/articles").status_code == 421


def test_with_an_account_nobody_gets_in_without_a_log_in(app_context: AppContext) -> None:
    app_context.people.add("anna", Role.VIEWER, PASSWORD)
    client = browser(app_context)
    answer = client.get("/articles?q=1", follow_redirects=False)
    assert answer.headers["location"] == "/login?next=%2Farticles%3Fq%3D1"
    assert client.get("/api/articles").status_code == 401
    assert client.get("/api/openapi.json").status_code == 401


def test_the_console_does_not_listen_elsewhere_without_an_account(make: MakeAppContext) -> None:
    for given in ({"CONSOLE_HOST": "0.0.0.0"}, {"CONSOLE_URL": "https://some.host/"}):
        with pytest.raises(ConsoleError, match="adduser"):
            _serve(make(**given))


def test_a_log_in_leads_back_and_sets_a_safe_cookie(make: MakeAppContext) -> None:
    app_context = make(CONSOLE_URL="https://some.host/console")
    app_context.people.add("anna", Role.VIEWER, PASSWORD)
    client = browser(app_context, address="https://some.host")
    answer = send(client, "/console/login", "/console/login", user="anna", password=PASSWORD, next="/articles?q=1")
    assert answer.headers["location"] == "/console/articles?q=1"
    cookie = next(each for each in answer.headers.get_list("set-cookie") if each.startswith(SESSION)).lower()
    assert all(part in cookie for part in ("httponly", "samesite=lax", "secure", "path=/console"))
    html = client.get("/console/articles").text
    assert 'href="/console/static/tokens.css"' in html
    assert client.get("/articles").status_code == 200, "a proxy that takes the prefix away"


@pytest.mark.parametrize(
    "path", ["//evil.example", "/\\evil.example", "https://evil.example", "/a\r\nX: y", "", "javascript:1", "/a\\b"]
)
def test_a_log_in_never_leads_elsewhere(path: str) -> None:
    assert own_path(path) == "/"


def test_a_log_in_makes_a_new_session_and_ends_with_the_log_out(app_context: AppContext, log_in: LogIn) -> None:
    app_context.people.add("eve", Role.VIEWER, PASSWORD)
    client = browser(app_context)
    client.cookies.set(SESSION, "planted", domain="127.0.0.1", path="/")
    data = {"form_token": form_token("planted"), "user": "eve", "password": PASSWORD}
    client.post("/login", data=data, headers={"Origin": ADDRESS}, follow_redirects=False)
    assert app_context.sessions.person("planted") is None
    known = log_in("analyst")
    cookie = known.cookies[SESSION]
    assert cookie not in str(list(app_context.store.select(SESSIONS)))
    send(known, "/logout")
    known.cookies.set(SESSION, cookie, domain="127.0.0.1", path="/")
    assert known.get("/api/articles").status_code == 401


def test_sessions_end_by_time_by_a_new_password_and_with_the_account(
    app_context: AppContext, log_in: LogIn, clock: Clock
) -> None:
    client = log_in("viewer")
    assert client.get("/api/articles").status_code == 200
    clock.time += timedelta(hours=13)
    assert client.get("/api/articles").status_code == 401
    clock.time -= timedelta(hours=13)
    app_context.people.set_active("a-viewer", False)
    assert client.get("/api/articles").status_code == 401
    app_context.people.set_active("a-viewer", True)
    assert client.get("/api/articles").status_code == 200
    assert app_context.sessions.end_all("a-viewer") == 1
    assert client.get("/api/articles").status_code == 401


def test_a_decision_is_a_row_is_said_and_can_be_undone_once(app_context: AppContext, deciding: TestClient) -> None:
    answer = send(deciding, WHERE, word="首付", back="q=1&done=x&evil=http://evil.example")
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/marks/1?q=1&evil=http://evil.example&done=")
    (row,) = app_context.store.select(DECISIONS)
    assert (row["by"], row["action"], row["subject"]) == ("a-analyst", "frame.undone_before", "首付")
    undo = f"/decisions/{row['key']}/undo"
    assert send(deciding, undo).status_code == 303
    assert STATE.pop() == "首付"
    assert send(deciding, undo).status_code == 409
    assert not STATE


def test_a_refused_decision_changes_nothing(app_context: AppContext, deciding: TestClient) -> None:
    assert send(deciding, WHERE, word="taken").status_code == 409
    assert send(deciding, WHERE).status_code == 400
    assert decisions(app_context) == []


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "https://127.0.0.1:8765", None]
)
def test_a_change_that_another_site_asks_for_is_refused(
    app_context: AppContext, deciding: TestClient, origin: str | None
) -> None:
    data = {"form_token": token_of(deciding), "word": "x"}
    answer = deciding.post(WHERE, data=data, headers={"Origin": origin} if origin else {})
    assert answer.status_code == 403
    assert decisions(app_context) == []


@pytest.mark.parametrize("token", ["", "0" * 64, form_token("other"), "首付"])
def test_a_change_without_the_token_of_the_session_is_refused(
    app_context: AppContext, deciding: TestClient, token: str
) -> None:
    answer = deciding.post(WHERE, data={"form_token": token, "word": "x"}, headers={"Origin": ADDRESS})
    assert answer.status_code == 403
    assert decisions(app_context) == []


def test_viewers_decide_nothing(app_context: AppContext, log_in: LogIn) -> None:
    client = browser(app_context, pages=(*PAGES, MARK))
    client.cookies.update(dict(log_in("viewer").cookies))
    assert send(client, WHERE, word="x").status_code == 403
    assert decisions(app_context) == []


def test_tokens_of_programs_do_what_their_scopes_say(app_context: AppContext) -> None:
    app_context.people.add("bot", Role.ANALYST, PASSWORD)
    client = browser(app_context, peer="10.0.0.7", pages=(*PAGES, MARK))
    for scopes, status in ((["read"], 403), (["read", "decide"], 200)):
        headers = {"Authorization": f"Bearer {app_context.sessions.add_token('bot', 'a', scopes)}"}
        assert client.get("/api/articles", headers=headers).status_code == 200
        assert client.post(f"/api{WHERE}", data={"word": "x"}, headers=headers).status_code == status
    app_context.sessions.end_all("bot")
    assert client.get("/api/articles", headers=headers).status_code == 401
    assert decisions(app_context) == ["x"]


def test_ten_thousand_tries_cost_little_find_nothing_and_are_logged_once(
    app_context: AppContext, caplog: pytest.LogCaptureFixture
) -> None:
    app_context.people.add("anna", Role.ADMIN, PASSWORD)
    client = browser(app_context)
    token = token_of(client, "/login")
    began = time.process_time()
    with caplog.at_level(logging.WARNING):
        statuses = [
            client.post(
                "/login",
                data={"form_token": token, "user": "anna", "password": f"try {number}"},
                headers={"Origin": ADDRESS},
            ).status_code
            for number in range(MAX_TRIES + 20)
        ]
        for _ in range(10_000):
            assert app_context.throttle.admit("anna", "127.0.0.1") > 0
    assert statuses == [403] * MAX_TRIES + [429] * 20
    assert sum("Too many failed log-ins" in line for line in caplog.messages) == 1
    right = client.post(
        "/login", data={"form_token": token, "user": "anna", "password": PASSWORD}, headers={"Origin": ADDRESS}
    )
    assert right.status_code == 429
    assert time.process_time() - began < 10


def test_the_throttle_forgives_after_a_while_and_keeps_others_in() -> None:
    now = [0.0]
    throttle = Throttle(lambda: now[0])
    left = []
    for _ in range(MAX_TRIES):
        assert throttle.admit("anna", "1.1.1.1") == 0
        left.append(throttle.tries_left("anna", "1.1.1.1"))
    assert left == [4, 3, 2, 1, 0]
    assert throttle.admit("anna", "1.1.1.1") > 0
    assert throttle.admit("anna", "2.2.2.2") == throttle.admit("ben", "1.1.1.1") == 0
    now[0] = 301
    assert throttle.admit("anna", "1.1.1.1") == 0
    assert not any(throttle.admit(f"user{number}", "3.3.3.3") for number in range(30))
    assert throttle.admit("somebody", "3.3.3.3") > 0


def test_right_passwords_use_up_no_attempts() -> None:
    throttle = Throttle(lambda: 0.0)
    for _ in range(200):
        assert throttle.admit("anna", "1.1.1.1") == 0
        throttle.succeeded("anna", "1.1.1.1")


def test_attempts_at_once_are_limited_as_attempts_one_by_one(app_context: AppContext) -> None:
    app_context.people.add("anna", Role.ADMIN, PASSWORD)
    client = browser(app_context)
    token = token_of(client, "/login")

    def attempt(number: int) -> int:
        data = {"form_token": token, "user": "anna", "password": f"try {number}"}
        return client.post("/login", data=data, headers={"Origin": ADDRESS}).status_code

    with ThreadPoolExecutor(20) as pool:
        statuses = Counter(pool.map(attempt, range(60)))
    assert statuses == {403: MAX_TRIES, 429: 60 - MAX_TRIES}


def test_passwords_are_kept_as_salted_hashes(app_context: AppContext) -> None:
    one, other = hash_password(PASSWORD), hash_password(PASSWORD)
    assert one != other
    assert is_password(PASSWORD, one)
    assert not is_password(PASSWORD + "x", one)
    assert not is_password("", "")
    assert weakness("short", "anna")
    assert weakness("aaaaaaaaaaaaaaa", "anna")
    assert weakness("anna-is-the-best", "anna")
    app_context.people.add("anna", Role.VIEWER, PASSWORD)
    assert PASSWORD not in str(list(app_context.store.select(USERS)))


@pytest.mark.parametrize(
    ("name", "password"), [("a b", PASSWORD), ("", PASSWORD), ("anna", "short"), ("<b>", PASSWORD)]
)
def test_accounts_need_a_plain_name_and_a_password(app_context: AppContext, name: str, password: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        app_context.people.add(name, Role.VIEWER, password)
    assert not app_context.people.any()


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2f..%2fpyproject.toml",
        "/static//etc/passwd",
        "/static/%00",
    ],
)
def test_no_path_leads_out_of_the_static_files(local: TestClient, path: str) -> None:
    assert local.get(path).status_code == 404


def test_headers_cannot_be_injected(local: TestClient) -> None:
    for path in (
        "/login?next=/%0d%0aSet-Cookie:%20a=b",
        "/articles?lang=en%0d%0aX-Evil:1",
        "/articles.csv?q=%0d%0aX-Evil:1",
    ):
        answer = local.get(path)
        assert "x-evil" not in answer.headers
        assert "a=b" not in str(answer.headers.get("set-cookie", ""))


def test_every_answer_has_the_headers_of_safety(local: TestClient) -> None:
    for path in ("/articles", "/nowhere", "/api/articles", "/login", "/static/console.css"):
        headers = local.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'"), path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "unsafe" not in headers["content-security-policy"]


def test_bodies_that_are_too_long_or_no_forms_are_refused(local: TestClient) -> None:
    assert local.post("/login", content=b"{}", headers={"Content-Type": "application/json"}).status_code == 415
    assert local.post("/login", data={"user": "x" * 300_000}).status_code == 413


@pytest.mark.parametrize("url", ["ftp://x", "https://", "https://a/?b", "some.host"])
def test_a_public_address_that_is_none_is_refused(url: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConsoleError, match="CONSOLE_URL"):
        read_config(settings_in(tmp_path, CONSOLE_URL=url))


def test_times_are_those_of_the_console_where_the_browser_does_not_say_its_zone(
    make: MakeAppContext, tmp_path: Path
) -> None:
    shown = set()
    for zone in ("Asia/Shanghai", "America/New_York"):
        app_context = make(TIME_ZONE=zone)
        fill(app_context.store)
        shown.add(browser(app_context).get("/articles?lang=en").text)
    assert len(shown) == 2
    settings = settings_in(tmp_path, TIME_ZONE="Mars")
    with pytest.raises(SettingError, match="TIME_ZONE must be a time zone such as Asia/Shanghai, not 'Mars'"):
        check_settings(settings, [], known_names(settings))


def test_a_store_that_is_away_is_said_and_no_fault(app_context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    from pipelines.stores.base import StoreAwayError

    def away(*_: object, **__: object) -> None:
        raise StoreAwayError("mongodb did not answer")

    client = browser(app_context)
    client.get("/articles")
    monkeypatch.setattr("console.pages.articles.articles", away)
    answer = client.get("/articles?lang=en")
    assert answer.status_code == 503
    assert "mongodb did not answer" in answer.text


def test_a_fault_shows_a_number_and_no_traceback(app_context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.pages.articles.articles", lambda *_: 1 / 0)
    answer = browser(app_context).get("/articles?lang=en")
    assert answer.status_code == 500
    assert "e-" in answer.text
    assert "ZeroDivision" not in answer.text
    for name in ("content-security-policy", "x-content-type-options", "cache-control"):
        assert name in answer.headers


@pytest.mark.parametrize("number", ["9" * 2_000, "9" * 5_000, "1e400", "nan", "٣" * 30])
def test_numbers_are_bounded_before_they_are_read(local: TestClient, number: str) -> None:
    answer = local.get("/api/articles", params={"relevance": number})
    assert answer.status_code == 400, answer.text
    cursor = base64.urlsafe_b64encode(f"[1, {number}]".encode()).decode().rstrip("=")
    assert local.get("/api/articles", params={"after": cursor}).status_code == 400


def test_cookies_of_forms_are_made_for_strangers(app_context: AppContext) -> None:
    answer = browser(app_context).get("/login")
    assert FORM in answer.cookies


@pytest.mark.parametrize("path", ["/articles", "/articles.jsonl?copies=1", "/api/articles", "/users", "/"])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_another_site_asks_the_console_of_this_machine_in_vain(
    local: TestClient, path: str, site: str
) -> None:
    assert local.get(path, headers={"Sec-Fetch-Site": site}).status_code == 403
    assert local.get(path, headers={"Sec-Fetch-Site": "none"}).status_code == 200


def test_a_download_starts_from_the_console_only(make: MakeAppContext) -> None:
    app_context = make(CONSOLE_URL="https://console.example")
    app_context.people.add("anna", Role.ADMIN, PASSWORD)
    client = browser(app_context, "10.0.0.9", "https://console.example")
    client.cookies.set(SESSION, app_context.sessions.open("anna"))
    for site, status in (("cross-site", 403), ("same-origin", 200), ("none", 200)):
        assert client.get("/articles.csv", headers={"Sec-Fetch-Site": site}).status_code == status
    assert client.get("/articles", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


@pytest.mark.parametrize("sign", ["Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP"])
def test_without_accounts_nobody_enters_through_a_proxy(local: TestClient, sign: str) -> None:
    assert local.get("/users", headers={sign: "1.1 somewhere"}, follow_redirects=False).status_code == 303


def test_without_accounts_nobody_enters_through_a_proxy_of_http_1_0(app_context: AppContext) -> None:
    with served(app_context) as address, socket.create_connection(("127.0.0.1", int(address.split(":")[2]))) as client:
        client.sendall(f"GET /users HTTP/1.0\r\nHost: {address[7:]}\r\n\r\n".encode())
        assert client.recv(100).startswith(b"HTTP/1.1 303")

"""Accounts on the page, tokens, and the records of decisions and of the audit."""

import contextlib
import re
from concurrent.futures import ThreadPoolExecutor

from starlette.testclient import TestClient

from console.access.people import LastAdminError, People, Role
from console.frame.app_context import AppContext
from pipelines.stores.people_tables import AUDIT, DECISIONS, USERS
from tests.console.conftest import PASSWORD, LogIn, browser, send
from tests.console.filling import ATTACK

OTHER = "wrong donkey capacitor"


def test_only_administrators_see_accounts_and_audit(log_in: LogIn) -> None:
    analyst, admin = log_in("analyst"), log_in("admin")
    for path in ("/users", "/audit", "/api/users", "/api/audit"):
        assert analyst.get(path).status_code == 403, path
        assert admin.get(path).status_code == 200, path
    assert send(analyst, "/users/add", name="x", role="admin", password=PASSWORD).status_code == 403
    assert 'href="/users"' not in analyst.get("/articles").text


def test_an_account_is_added_changed_and_disabled(app_context: AppContext, log_in: LogIn) -> None:
    admin = log_in("admin")
    assert send(admin, "/users/add", "/users", name="ben", role="viewer", password=PASSWORD).status_code == 303
    assert send(admin, "/users/add", "/users", name="ben", role="viewer", password=PASSWORD).status_code == 400
    assert send(admin, "/users/add", "/users", name="eve", role="viewer", password="short").status_code == 400
    send(admin, "/users/role", "/users", name="ben", role="analyst")
    assert app_context.people.get("ben")["role"] == "analyst"  # type: ignore[index]
    send(admin, "/users/disable", "/users", name="ben")
    assert app_context.people.get("ben") is None
    undone = next(row for row in app_context.store.select(DECISIONS) if row["action"] == "users.disable")
    send(admin, f"/decisions/{undone['key']}/undo")
    assert app_context.people.get("ben") is not None


def test_the_last_administrator_stays(app_context: AppContext, log_in: LogIn) -> None:
    admin = log_in("admin")
    assert send(admin, "/users/role", "/users", name="a-admin", role="viewer").status_code == 409
    assert send(admin, "/users/disable", "/users", name="a-admin").status_code == 409


def test_a_promotion_is_not_undone_if_no_administrator_would_be_left(app_context: AppContext, log_in: LogIn) -> None:
    admin, second = log_in("admin"), log_in("viewer", "second")
    send(admin, "/users/role", "/users", name="second", role="admin")
    send(second, "/users/disable", "/users", name="a-admin")
    promotion = next(row for row in app_context.store.select(DECISIONS) if row["action"] == "users.role")
    assert send(second, f"/decisions/{promotion['key']}/undo", "/users").status_code == 409
    assert app_context.people.admins() == 1


def test_administrators_who_disable_each_other_at_once_leave_one(app_context: AppContext) -> None:
    people = app_context.people
    for turn in range(12):
        pair = [f"{name}-{turn}" for name in ("anna", "ben")]
        for name in pair:
            people.add(name, Role.ADMIN, PASSWORD)
        for account in list(people.all()):
            if account["name"] not in pair and account["state"] == "active":
                people.set_active(account["name"], False)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda name: _try_to_disable(People(people.store, people.now), name), pair))
        assert people.admins() >= 1


def _try_to_disable(people: People, name: str) -> None:
    with contextlib.suppress(LastAdminError):
        people.set_active(name, False)


def test_a_token_is_shown_once_and_works_until_it_is_ended(app_context: AppContext, log_in: LogIn) -> None:
    admin = log_in("admin")
    answer = send(admin, "/users/token", "/users", name="a-admin", label=ATTACK, scope="read")
    secret = re.findall(r"tc_[\w-]+", answer.text)[0]
    assert secret not in admin.get("/users").text
    assert secret not in str([*app_context.store.select(DECISIONS), *app_context.store.select(AUDIT)])
    program = browser(app_context, peer="10.0.0.7")
    headers = {"Authorization": f"Bearer {secret}"}
    assert program.get("/api/users", headers=headers).status_code == 200
    (token,) = app_context.sessions.tokens()
    send(admin, "/users/end_token", "/users", key=token["key"])
    assert program.get("/api/users", headers=headers).status_code == 401


def test_nothing_ever_shows_a_password_or_its_hash(app_context: AppContext, log_in: LogIn) -> None:
    admin = log_in("admin")
    send(admin, "/users/add", "/users", name="ben", role="viewer", password=PASSWORD)
    hashes = [row["password"] for row in app_context.store.select(USERS)]
    for path in ("/users", "/api/users", "/decisions", "/api/decisions", "/audit", "/api/audit"):
        text = admin.get(path).text
        assert PASSWORD not in text
        assert not any(each in text for each in hashes)


def test_decisions_and_audit_are_found_by_person_and_text(log_in: LogIn) -> None:
    analyst, admin = log_in("analyst"), log_in("admin")
    send(analyst, "/urls/exclude", host="host1.example")
    send(admin, "/urls/exclude", host="host2.example")
    rows = admin.get("/api/decisions?by=a-analyst").json()["rows"]
    assert [(row["by"], row["action"], row["subject"]) for row in rows] == [
        ("a-analyst", "urls.exclude", "host1.example")
    ]
    assert "host1.example is excluded; stored pages stay" in admin.get("/decisions?lang=en").text
    assert len(admin.get("/api/decisions?q=host2").json()["rows"]) == 1
    assert {row["by"] for row in admin.get("/api/audit?q=logged_in").json()["rows"]} == {"a-analyst", "a-admin"}
    assert "撤销" in admin.get("/decisions?lang=zh").text


def test_a_disabled_account_is_enabled_and_a_forgotten_password_replaced(
    app_context: AppContext, log_in: LogIn
) -> None:
    admin, viewer = log_in("admin"), log_in("viewer", "ben")
    send(admin, "/users/disable", "/users", name="ben")
    assert 'action="/users/enable"' in admin.get("/users").text
    assert send(admin, "/users/enable", "/users", name="ben").status_code == 303
    assert app_context.people.get("ben") is not None
    assert send(admin, "/users/enable", "/users", name="nobody").status_code == 400
    viewer = log_in_as(app_context, "ben", PASSWORD)
    assert viewer.get("/mine").status_code == 200
    assert send(admin, "/users/password", "/users", name="ben", password="short").status_code == 400
    assert send(admin, "/users/password", "/users", name="ben", password=OTHER).status_code == 303
    assert viewer.get("/mine", follow_redirects=False).status_code == 303, "its session has ended"
    assert log_in_as(app_context, "ben", OTHER).get("/mine").status_code == 200
    for action in ("enable", "password"):
        assert (
            send(
                log_in_as(app_context, "ben", OTHER), f"/users/{action}", "/mine", name="a-admin", password=OTHER
            ).status_code
            == 403
        )
    assert OTHER not in str([*app_context.store.select(DECISIONS), *app_context.store.select(AUDIT)])


def test_everybody_changes_the_own_password_with_the_old_one(app_context: AppContext, log_in: LogIn) -> None:
    viewer = log_in("viewer", "ben")
    assert send(viewer, "/mine/password", "/mine", old="not this one", new=OTHER).status_code == 403
    assert send(viewer, "/mine/password", "/mine", old=PASSWORD, new="short").status_code == 400
    assert send(viewer, "/mine/password", "/mine", old=PASSWORD, new=OTHER).status_code == 303
    assert viewer.get("/mine", follow_redirects=False).status_code == 303, "all sessions have ended"
    changed = log_in_as(app_context, "ben", OTHER)
    answers = [
        send(changed, "/mine/password", "/mine", old="a wrong guess", new=PASSWORD).status_code for _ in range(7)
    ]
    assert answers == [403] * 5 + [429] * 2
    assert OTHER not in str([*app_context.store.select(DECISIONS), *app_context.store.select(AUDIT)])


def log_in_as(app_context: AppContext, name: str, password: str) -> TestClient:
    client = browser(app_context)
    assert send(client, "/login", user=name, password=password).status_code == 303
    return client

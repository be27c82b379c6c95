"""Alerts: history in parts, acknowledgement with its undo, rules that are paused, and previews."""

from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from pipelines.stores.alert_tables import ALERT_RULES, ALERTS
from tests.analysis.alerts.filling import HOUR, put_event
from tests.console.alerting import fill_alerts
from tests.console.conftest import LogIn, all_parts, filled, send
from tests.console.filling import NOW

app_context = filled(fill_alerts)


def test_unseen_alerts_come_in_parts_the_newest_first(local: TestClient) -> None:
    rows, part = all_parts(local, "/api/alerts")
    keys = [row["key"] for row in rows]
    assert keys == sorted(keys, reverse=True)
    assert (len(keys), part["unseen"]) == (51, 51)
    assert len(local.get("/api/alerts?show=all&rule=quake&state=open").json()["rows"]) == 19


def test_one_alert_has_its_messages(local: TestClient) -> None:
    found = local.get("/api/alerts?key=20261102T000000-z").json()["one"]
    assert {each["state"] for each in found["messages"]} > {"sent", "failed", "waiting"}
    assert local.get("/alerts?key=none").status_code == 404
    assert "<script>alert" not in local.get("/alerts?key=20261102T000000-z").text


def test_who_has_seen_it_may_take_it_back(local: TestClient, app_context: AppContext) -> None:
    key = "20261101T000050-a"
    assert send(local, "/alerts/seen", "/alerts", key=key).status_code == 303
    assert app_context.store.get(ALERTS, key)["acknowledged_by"]  # type: ignore[index]
    assert send(local, "/alerts/seen", "/alerts", key=key).status_code == 409
    page = local.get("/decisions").text
    undo = page.split('action="/decisions/')[1].split('"')[0]
    assert send(local, f"/decisions/{undo}", "/alerts").status_code == 303
    assert app_context.store.get(ALERTS, key)["acknowledged_at"] == ""  # type: ignore[index]


def test_all_that_were_shown_are_seen_at_once(local: TestClient) -> None:
    send(local, "/alerts/all_seen", "/alerts", until="20261101T000059-a", rule="quake")
    assert local.get("/api/alerts").json()["unseen"] == 1


def test_rules_are_paused_and_previewed(local: TestClient, app_context: AppContext) -> None:
    put_event(app_context.store, "e", {"a": NOW - 3 * HOUR, "b": NOW - 2 * HOUR, "c": NOW - HOUR})
    found = local.get("/api/alerts?preview=quake").json()["preview"]
    assert (found["count"], found["days"], found["rows"][0]["title"]) == (1, 30, "事件e")
    assert "事件e" in local.get("/alerts?preview=quake").text
    send(local, "/alerts/pause", "/alerts", rule="quake")
    assert app_context.store.get(ALERT_RULES, "quake")["state"] == "paused"  # type: ignore[index]
    assert send(local, "/alerts/pause", "/alerts", rule="quake").status_code == 409
    assert send(local, "/alerts/resume", "/alerts", rule="quake").status_code == 303
    assert send(local, "/alerts/pause", "/alerts", rule="none").status_code == 404


def test_each_rule_shows_how_it_stands(local: TestClient, app_context: AppContext) -> None:
    rules = {rule["name"]: rule for rule in local.get("/api/alerts").json()["rules"]}
    assert rules["quake"]["grade"] == "warning"
    assert rules["quake"]["look"]["is_met"] == 1
    assert rules["silence"]["look"]["looked_at"] is None
    page = local.get("/alerts?lang=en").text
    assert "4, threshold 3" in page
    assert "Not looked at yet" in page
    app_context.store.remove(ALERT_RULES, []).result()
    app_context.store.remove(ALERTS, []).result()
    assert "no rules yet" in local.get("/alerts?lang=en").text


def test_viewers_decide_nothing(log_in: LogIn) -> None:
    viewer = log_in("viewer")
    assert "alerts/seen" not in viewer.get("/alerts").text
    assert send(viewer, "/alerts/seen", "/alerts", key="20261101T000050-a").status_code == 403

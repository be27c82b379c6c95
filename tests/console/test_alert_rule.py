"""Rules as forms: saved, tried on the past, changed, removed and taken back; channels are tested."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from analysis.alerts import KINDS, DeliveryError, checked_rule, entries, rule_set_of
from console.frame.app_context import AppContext
from pipelines.stores.tables import RUNS
from tests.console.collecting import run
from tests.console.conftest import LogIn, MakeAppContext, send
from tests.console.filling import ATTACK, fill

FILE = """quiet_hours: {from: "23:00", until: "07:00"}
channels:
  desk: {kind: wecom, url_from: WECOM_URL}
rules:
  written: {kind: failed, channels: [desk]}
"""
FIELDS = {"name": "banks", "kind": "term", "term": "银行", "count": "2", "hours": "6", "is_new": "1"}


@pytest.fixture
def app_context(make: MakeAppContext, tmp_path: Path) -> AppContext:
    (tmp_path / "settings").mkdir()
    (tmp_path / "settings" / "alerts.yaml").write_text(FILE, encoding="utf-8")
    made = make(TOPICRAWL_SETTINGS_DIR=str(tmp_path / "settings"))
    fill(made.store)
    made.store.upsert(RUNS, [run(1, 60, state="failed", exit_code=1)]).result()
    return made


def named(app_context: AppContext, name: str) -> object:
    found, _ = entries(app_context.store, rule_set_of(app_context.settings))
    return next((each.rule for each in found if each.name == name), None)


def test_a_rule_is_made_changed_and_taken_back(local: TestClient, app_context: AppContext) -> None:
    made = send(local, "/alerts/rule/save", **FIELDS)
    assert "banks" in local.get(made.headers["location"]).text
    wanted = {"kind": "term", "term": "银行", "count": 2, "hours": 6, "updates": False}
    assert named(app_context, "banks") == checked_rule(wanted)
    assert send(local, "/alerts/rule/save", **FIELDS).status_code == 409
    changed = send(
        local,
        "/alerts/rule/save",
        **{
            **FIELDS,
            "is_new": "",
            "count": "5",
            "channels": "desk",
            "grade": "critical",
            "quiet_from": "21:30",
            "quiet_until": "06:00",
        },
    )
    assert named(app_context, "banks") == checked_rule(
        {
            **wanted,
            "count": 5,
            "channels": ["desk"],
            "grade": "critical",
            "quiet_hours": {"from": "21:30", "until": "06:00"},
        }
    )
    assert "21:30–06:00" in local.get("/alerts").text
    assert local.get("/api/alerts/rule?copy=banks").json()["quiet"] == {"from": "21:30", "until": "06:00"}
    first, second = (each.headers["location"].rpartition("done=")[2] for each in (made, changed))
    assert send(local, f"/decisions/{first}/undo").status_code == 409
    assert send(local, f"/decisions/{second}/undo").status_code == 303
    assert named(app_context, "banks") == checked_rule(wanted)
    removed = send(local, "/alerts/rule/remove", rule="banks")
    assert named(app_context, "banks") is None
    assert send(local, f"/decisions/{removed.headers['location'].rpartition('done=')[2]}/undo").status_code == 303
    assert named(app_context, "banks") == checked_rule(wanted)


def test_a_rule_of_the_file_is_copied_or_overruled(local: TestClient, app_context: AppContext) -> None:
    assert local.get("/api/alerts/rule?copy=written").json()["chosen"] == ["desk"]
    assert send(local, "/alerts/rule/remove", rule="written").status_code == 409
    assert send(local, "/alerts/rule/save", name="written", kind="failed", spider="site").status_code == 303
    assert named(app_context, "written") == checked_rule({"kind": "failed", "spider": "site", "updates": False})
    assert send(local, "/alerts/rule/remove", rule="written").status_code == 303
    assert named(app_context, "written") == checked_rule({"kind": "failed", "channels": ["desk"]})


def test_it_is_tried_on_the_past_and_nothing_is_kept(local: TestClient, app_context: AppContext) -> None:
    found = send(local, "/api/alerts/rule/try", name="any", kind="failed").json()["preview"]
    assert found["days"] == 30
    assert "任务失败" in found["rows"][0]["title"]
    assert found["count"] >= len(found["rows"]) > 0
    page = send(local, "/alerts/rule/try", **{**FIELDS, "name": ATTACK})
    assert page.status_code == 200
    assert "<script>" not in page.text.partition("<main")[2]
    assert named(app_context, "banks") is None


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_form(local: TestClient, kind: str) -> None:
    page = local.get(f"/alerts/rule?kind={kind}&lang=en")
    assert page.status_code == 200
    assert f'name="kind" value="{kind}"' in page.text


@pytest.mark.parametrize(
    "fields",
    [{"topic": "huosing"}, {"count": "many"}, {"count": "0"}, {"hours": "99999"}, {"term": ""}, {"kind": "other"},
     {"channels": "nobody"}, {"grade": "x"}, {"quiet_from": "25:00", "quiet_until": "06:00"}, {"quiet_from": "22:00"}],
)  # fmt: skip
def test_what_is_wrong_is_refused(local: TestClient, app_context: AppContext, fields: dict[str, str]) -> None:
    assert send(local, "/alerts/rule/save", **{**FIELDS, **fields}).status_code == 400
    assert named(app_context, "banks") is None
    assert local.get("/alerts/rule?rule=nothing").status_code == 404


def test_a_channel_is_tested(local: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    def accept(channel: object, title: str, *_: str, **__: object) -> str:
        sent.append(title)
        return ""

    monkeypatch.setattr("console.pages.alert_rule.send_test", accept)
    assert send(local, "/alerts/rule/test", channel="desk").status_code == 303
    assert sent == ["topicrawl 测试消息"]
    assert send(local, "/alerts/rule/test", channel="none").status_code == 404
    page = local.get("/alerts?lang=en").text
    assert "WECOM_URL not set" in page
    assert "23:00 to 07:00" in page

    def refuse(*_: object, **__: object) -> str:
        raise DeliveryError("no such host")

    monkeypatch.setattr("console.pages.alert_rule.send_test", refuse)
    assert "no such host" in send(local, "/alerts/rule/test", channel="desk").text


def test_viewers_change_nothing(log_in: LogIn) -> None:
    viewer = log_in("viewer")
    assert viewer.get("/alerts/rule").status_code == 200
    for action in ("save", "try", "remove", "test"):
        assert send(viewer, f"/alerts/rule/{action}", "/alerts", rule="x", channel="desk", **FIELDS).status_code == 403

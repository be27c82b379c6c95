"""Channels as forms: written to alerts.yaml beside what is there, changed, removed and taken back; secrets are only named."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from analysis.alerts import CHANNEL_KINDS, keep_rule, rule_set_of
from console.frame.app_context import AppContext
from tests.console.conftest import LogIn, MakeAppContext, send

FILE = """# ours
quiet_hours: {from: "23:00", until: "07:00"}
channels:
  # the desk
  desk: {kind: wecom, url_from: WECOM_URL, template: "$title"}
rules:
  written: {kind: failed, channels: [desk]}  # of the desk
"""
FIELDS = {"name": "newsroom", "kind": "feishu", "url_from": "CHANNEL_NEWS_URL", "is_new": "1"}
MAIL = {"kind": "email", "host": "mail.some.host", "sender": "a@some.host", "to": "b@some.host, c@some.host", "security": "tls",
        "port": "465", "user_from": "CHANNEL_USER", "password_from": "CHANNEL_PASSWORD"}  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "settings").mkdir()
    made = tmp_path / "settings" / "alerts.yaml"
    made.write_text(FILE, encoding="utf-8")
    return made


@pytest.fixture
def app_context(make: MakeAppContext, path: Path) -> AppContext:
    return make(TOPICRAWL_SETTINGS_DIR=str(path.parent))


def undo_of(client: TestClient, answer: object) -> int:
    done = answer.headers["location"].rpartition("done=")[2]  # type: ignore[attr-defined]
    return int(send(client, f"/decisions/{done}/undo").status_code)


def test_a_channel_is_made_changed_and_taken_back(local: TestClient, app_context: AppContext, path: Path) -> None:
    made = send(local, "/alerts/channel/save", **FIELDS)
    assert made.status_code == 303
    assert "newsroom" in local.get(made.headers["location"]).text
    assert path.read_text(encoding="utf-8").startswith(FILE.partition("rules:")[0])
    assert "# of the desk" in path.read_text(encoding="utf-8")
    assert send(local, "/alerts/channel/save", **FIELDS).status_code == 409, "there is one of this name"
    changed = send(local, "/alerts/channel/save", **{**FIELDS, **MAIL, "is_new": ""})
    channel = rule_set_of(app_context.settings).channels["newsroom"]
    assert (channel.kind, channel.port, channel.to) == ("email", 465, ["b@some.host", "c@some.host"])
    assert 'value="b@some.host c@some.host"' in local.get("/alerts/channel?channel=newsroom").text
    assert undo_of(local, made) == 409, "it was changed since"
    assert undo_of(local, changed) == 303
    assert rule_set_of(app_context.settings).channels["newsroom"].kind == "feishu"
    assert undo_of(local, made) == 303
    assert path.read_text(encoding="utf-8") == FILE


def test_the_first_channel_makes_the_file_in_the_language_and_zone_of_its_maker(
    local: TestClient, app_context: AppContext, path: Path
) -> None:
    path.unlink()
    assert send(local, "/alerts/channel/save?zone=Europe/Berlin&lang=zh", **FIELDS).status_code == 303
    found = rule_set_of(app_context.settings)
    assert (found.language, list(found.channels)) == ("zh", ["newsroom"])


def test_a_channel_in_use_stays_and_another_is_removed_and_put_back(
    local: TestClient, app_context: AppContext, path: Path
) -> None:
    used = send(local, "/alerts/channel/remove", channel="desk")
    assert used.status_code == 409
    assert "written" in used.text
    send(local, "/alerts/channel/save", **FIELDS)
    keep_rule(app_context.store, "own", {"kind": "failed", "channels": ["newsroom"]}, "anna")
    assert "own" in send(local, "/alerts/channel/remove", channel="newsroom").text
    keep_rule(app_context.store, "own", {"kind": "failed"}, "anna")
    removed = send(local, "/alerts/channel/remove", channel="newsroom")
    assert path.read_text(encoding="utf-8") == FILE
    assert undo_of(local, removed) == 303
    assert list(rule_set_of(app_context.settings).channels) == ["desk", "newsroom"]
    assert send(local, "/alerts/channel/remove", channel="nobody").status_code == 404


def test_what_only_the_file_says_stays(local: TestClient, app_context: AppContext) -> None:
    assert send(local, "/alerts/channel/save", name="desk", kind="wecom", url_from="CHANNEL_DESK").status_code == 303
    channel = rule_set_of(app_context.settings).channels["desk"]
    assert (channel.url_from, channel.template) == ("CHANNEL_DESK", "$title")


@pytest.mark.parametrize(
    "fields",
    [{"url_from": ""}, {"url_from": "https://open.feishu.example/hook/secret"}, {"url_from": "AWS_SECRET_ACCESS_KEY"},
     {"secret_from": "HOME"}, {"name": "a b"}, {"name": "../x"}, {"name": "x" * 41}, {"kind": "pigeon"}, {**MAIL, "port": "0"},
     {**MAIL, "port": "many"}, {**MAIL, "port": "²"}, {**MAIL, "to": ""}, {**MAIL, "to": "nobody"}, {**MAIL, "security": "perhaps"},
     {**MAIL, "password_from": "MAIL_PASSWORD"}],
)  # fmt: skip
def test_what_is_wrong_is_refused_and_the_file_stays(local: TestClient, path: Path, fields: dict[str, str]) -> None:
    assert send(local, "/alerts/channel/save", **{**FIELDS, **fields}).status_code in (400, 409)
    assert path.read_text(encoding="utf-8") == FILE


def test_a_file_that_cannot_be_changed_is_said(local: TestClient, path: Path) -> None:
    path.write_text("channels: {desk: {kind: wecom, url_from: WECOM_URL}}\n")
    assert "write the channels below each other" in send(local, "/alerts/channel/save?lang=en", **FIELDS).text
    path.write_text("channels: [")
    assert send(local, "/alerts/channel/save", **FIELDS).status_code == 409
    assert local.get("/alerts/channel?channel=desk").status_code == 409


@pytest.mark.parametrize("kind", CHANNEL_KINDS)
def test_every_kind_has_a_form(local: TestClient, kind: str) -> None:
    page = local.get(f"/alerts/channel?kind={kind}&lang=en")
    assert page.status_code == 200
    assert f'name="kind" value="{kind}"' in page.text


def test_only_administrators_see_and_change_channels(log_in: LogIn) -> None:
    analyst = log_in("analyst")
    assert analyst.get("/alerts/channel").status_code == 403
    assert "/alerts/channel" not in analyst.get("/alerts").text
    for action in ("save", "remove"):
        assert send(analyst, f"/alerts/channel/{action}", "/alerts", channel="desk", **FIELDS).status_code == 403

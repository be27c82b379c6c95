"""Rules, alerts and messages together, as `scrapy analysis run` does them, with a clock that tests move."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from scrapy.settings import Settings

from analysis import running
from analysis.alerts.alert_rules import QuietHours
from analysis.alerts.checking import alerts
from analysis.alerts.looks import looks
from analysis.alerts.notifications import end_of_quiet
from analysis.alerts.rule_set import read_rule_set
from analysis.alerts.state import acknowledge
from analysis.alerts.step import JOB, AlertOptions, AlertStep
from pipelines.lease import Lease
from pipelines.stores.alert_tables import ALERT_MESSAGES, ALERTS
from pipelines.stores.base import Store
from pipelines.stores.tables import RUNS
from tests.analysis.alerts.filling import HOUR, NOW, put_event, text
from tests.analysis.delivery.receivers import Receiver, receiver

FILE = {
    "quiet_hours": {"from": "23:00", "until": "07:00"},
    "channels": {"desk": {"kind": "webhook", "url_from": "HOOK"}},
    "rules": {"quake": {"kind": "event", "topic": "quake", "sites": 3, "hours": 6, "channels": ["desk"]}},
}


class Watch:
    """A step whose clock and file tests move."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.now, self.store, self.path = NOW, store, folder / "alerts.yaml"
        self.write(FILE)
        self.options = AlertOptions(
            lambda: read_rule_set(self.path), 60.0, True, "https://console.example", lambda: self.now.timestamp()
        )
        self.lease = Lease(store, JOB)
        self.step = self.again()

    def write(self, values: dict[str, Any]) -> None:
        self.path.write_text(yaml.safe_dump(values), encoding="utf-8")

    def again(self) -> AlertStep:
        """A step of another process, which knows only what is stored."""
        self.lease.release()
        self.lease = Lease(self.store, JOB)
        assert self.lease.gain()
        return AlertStep(self.store, self.lease, self.options)

    def look(self, after: timedelta = timedelta(minutes=2)) -> None:
        self.now += after
        self.step.tidy()


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    with receiver() as found:
        monkeypatch.setenv("HOOK", found.url)
        yield found


@pytest.fixture
def address(tmp_path: Path) -> str:
    """What differs between stores is tested with the parts of the step."""
    return f"sqlite:///{tmp_path}/a.db"


@pytest.fixture
def watch(store: Store, tmp_path: Path) -> Watch:
    return Watch(store, tmp_path)


def event(store: Store, sites: int) -> None:
    put_event(store, "e", {f"s{number}": NOW - HOUR + number * timedelta(minutes=1) for number in range(sites)})


def test_an_event_is_told_once_then_more_then_never_after_it_was_seen(
    store: Store, web: Receiver, watch: Watch
) -> None:
    event(store, 2)
    watch.look()
    assert web.got == []
    event(store, 3)
    for _ in range(3):
        watch.look()
    watch.step = watch.again()
    watch.look()
    (first,) = web.got
    (alert,) = store.select(ALERTS)
    assert first.values["link"] == f"https://console.example/alerts?key={alert['key']}"
    assert first.values["data"]["site_count"] == 3
    event(store, 7)
    watch.look(2 * HOUR)
    assert [got.values["title"] for got in web.got] == ["事件e", "More: 事件e"]
    acknowledge(store, alert["key"], "anna", watch.now)
    event(store, 30)
    watch.look(2 * HOUR)
    assert len(web.got) == 2


def test_messages_may_be_in_chinese(store: Store, web: Receiver, watch: Watch) -> None:
    watch.write(FILE | {"language": "zh"})
    event(store, 3)
    watch.look()
    assert web.got[0].values["text"].split("\n")[1].startswith("3 个站点的 3 页报道")


def test_a_kill_between_alert_and_message_loses_nothing(store: Store, web: Receiver, watch: Watch) -> None:
    event(store, 3)
    watch.look()
    (alert,) = store.select(ALERTS)
    store.change(ALERTS, [], {"spread": 0}).result()  # the note that the message was made is lost
    watch.look()
    assert len(web.got) == 1
    store.remove(ALERT_MESSAGES, []).result()  # and so is the message
    store.change(ALERTS, [], {"spread": 0}).result()
    watch.look()
    assert [got.values["data"]["alert"] for got in web.got] == [alert["key"]] * 2


def test_quiet_hours_hold_back_all_but_urgent_rules(store: Store, web: Receiver, watch: Watch) -> None:
    watch.now = NOW + 4 * HOUR  # midnight in Shanghai
    event(store, 3)
    watch.look()
    event(store, 9)
    watch.look(2 * HOUR)
    assert web.got == []
    watch.look(6 * HOUR)
    assert [got.values["title"] for got in web.got] == ["More: 事件e"]
    store.upsert(RUNS, [{"key": "r", "spider": "site", "finished": text(watch.now), "exit_code": 1}]).result()
    urgent = {"kind": "failed", "urgent": True, "channels": ["desk"]}
    watch.write(FILE | {"rules": {"failed": urgent}})
    watch.now += 16 * HOUR
    watch.look()
    assert web.got[-1].values["title"] == "Job failed: site"


def test_a_broken_file_is_said_and_holds_alerts_back(
    store: Store, web: Receiver, watch: Watch, caplog: pytest.LogCaptureFixture
) -> None:
    event(store, 3)
    watch.path.write_text("rules: {a: {kind: nothing}}", encoding="utf-8")
    watch.look()
    watch.look()
    assert caplog.text.count("Alerts are suspended") == 1
    watch.write(FILE)
    watch.look()
    assert len(web.got) == 1


def test_rules_that_need_analysis_wait_for_it(store: Store, web: Receiver, watch: Watch) -> None:
    event(store, 3)
    store.upsert(RUNS, [{"key": "r", "spider": "site", "finished": text(NOW), "exit_code": 1}]).result()
    watch.write(FILE | {"rules": FILE["rules"] | {"failed": {"kind": "failed"}}})  # type: ignore[operator]
    watch.step.process([])
    assert {row["rule"] for row in store.select(ALERTS)} == {"failed"}
    watch.step.tidy()
    assert {row["rule"] for row in store.select(ALERTS)} == {"failed", "quake"}


def test_each_look_is_kept(store: Store, web: Receiver, watch: Watch) -> None:
    event(store, 2)
    wrong = {"kind": "term", "term": '"'}
    watch.write(FILE | {"rules": FILE["rules"] | {"wrong": wrong, "failed": {"kind": "failed"}}})  # type: ignore[operator]
    watch.step.process([])
    seen = looks(store)
    assert (seen["quake"]["note"], seen["quake"]["looked_at"]) == ("behind", None)
    assert (seen["failed"]["number"], seen["failed"]["looked_at"]) == (0, text(watch.now))
    watch.look()
    row = looks(store)["quake"]
    assert (row["number"], row["threshold"], row["is_met"], row["note"], row["looked_at"]) == (
        2,
        3,
        0,
        "",
        text(watch.now),
    )
    assert looks(store)["wrong"]["fault"]
    event(store, 3)
    watch.look()
    assert looks(store)["quake"]["is_met"] == 1


def test_grades_have_channels_and_quiet_hours_of_their_own(store: Store, web: Receiver, watch: Watch) -> None:
    rule = {"kind": "event", "topic": "quake", "sites": 3}
    watch.write(FILE | {
        "grades": {
            "notice": {"channels": ["desk"], "quiet_hours": {"from": "20:00", "until": "09:00"}},
            "critical": {"channels": ["desk"]},
        },
        "rules": {"n": {**rule, "grade": "notice"}, "w": {**rule, "channels": ["desk"]}, "c": {**rule, "grade": "critical"},
                  "none": rule},
    })  # fmt: skip
    event(store, 3)
    watch.now = NOW + 4 * HOUR  # midnight in Shanghai
    watch.look()
    assert [(got.values["data"]["rule"], got.values["data"]["grade"]) for got in web.got] == [("c", "critical")]
    assert "Rule: c (critical)" in web.got[0].values["text"]
    watch.look(7 * HOUR)
    assert [got.values["data"]["rule"] for got in web.got] == ["c", "w"]
    watch.look(2 * HOUR)
    assert [got.values["data"]["rule"] for got in web.got] == ["c", "w", "n"]
    assert store.count(ALERTS, []) == 4


def test_it_is_a_step_of_the_analysis(store: Store, web: Receiver, watch: Watch) -> None:
    event(store, 3)
    more = {JOB: lambda store, lease: AlertStep(store, lease, watch.options)}
    watch.lease.release()
    running.run(store, more=more)
    assert len(web.got) == 1
    running.follow(store, _ended(), more=more)
    assert len(web.got) == 1


def _ended() -> threading.Event:
    ended = threading.Event()
    ended.set()
    return ended


@pytest.mark.parametrize(
    ("quiet", "now", "end"),
    [
        (("23:00", "07:00"), "2026-11-20T15:30", "2026-11-20T23:00"),
        (("23:00", "07:00"), "2026-11-20T22:30", "2026-11-20T23:00"),
        (("23:00", "07:00"), "2026-11-20T23:00", "2026-11-20T23:00"),
        (("12:00", "13:00"), "2026-11-20T04:10", "2026-11-20T05:00"),
        (None, "2026-11-20T15:30", "2026-11-20T15:30"),
    ],
)
def test_quiet_hours_end(quiet: tuple[str, str] | None, now: str, end: str) -> None:
    hours = QuietHours.model_validate({"from": quiet[0], "until": quiet[1]}) if quiet else None
    found = end_of_quiet(hours, "Asia/Shanghai", datetime.fromisoformat(now).replace(tzinfo=UTC))
    assert found == datetime.fromisoformat(end).replace(tzinfo=UTC)


def test_the_doctor_names_what_is_missing(tmp_path: Path, web: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings({"TOPICRAWL_SETTINGS_DIR": str(tmp_path)})
    assert alerts(settings) == []
    path = tmp_path / "alerts.yaml"
    path.write_text(yaml.safe_dump(FILE), encoding="utf-8")
    assert "private address" in alerts(settings)[1].message
    monkeypatch.delenv("HOOK")
    assert "the channel desk needs HOOK" in alerts(settings)[1].message
    path.write_text("rules: 3", encoding="utf-8")
    assert alerts(settings)[0].state == "fault"

"""Alerts, messages and rules for pages of the console, hostile ones too."""

from pipelines.stores.alert_tables import ALERT_LOOKS, ALERT_MESSAGES, ALERT_RULES, ALERTS
from pipelines.stores.base import Store
from tests.console.filling import ATTACK, at


def fill_alerts(store: Store) -> None:
    """Three rules, 60 alerts of which ten were seen, one of them with messages, and one hostile."""
    rules = {
        "quake": {"kind": "event", "topic": "quake", "channels": ["desk"]}, "silence": {"kind": "silent"},
        ATTACK[:70]: {"kind": "term", "term": ATTACK[:200]},
    }  # fmt: skip
    for name, rule in rules.items():
        store.upsert(ALERT_RULES, [{"name": name, "rule": rule, "state": "active", "by": "anna"}])
    store.upsert(ALERT_LOOKS, [
        {"name": "quake", "looked_at": at(2), "is_met": 1, "number": 4.0, "threshold": 3.0, "note": "", "fault": ""},
        {"name": ATTACK[:70], "looked_at": ATTACK, "is_met": None, "number": None, "threshold": None, "note": ATTACK, "fault": ATTACK},
    ])  # fmt: skip
    for number in range(60):
        seen = {"acknowledged_at": at(1) if number < 10 else "", "acknowledged_by": "anna" if number < 10 else ""}
        store.upsert(ALERTS, [{
            "key": f"20261101T0000{number:02}-a", "rule": "quake", "kind": "event", "subject": f"e{number}", "title": f"事件 {number}",
            "text": "3 sites and 9 pages report it", "link": "https://a.example/1", "state": "open" if number > 40 else "over",
            "begin": at(number), "end": "", "first_at": at(number), "last_at": at(number), "size": 3.0 + number, "number": 1, "spread": 1,
            "facts": {}, **seen,
        }])  # fmt: skip
    store.upsert(ALERTS, [{
        "key": "20261102T000000-z", "rule": ATTACK[:70], "kind": "term", "title": ATTACK, "text": ATTACK, "link": ATTACK, "state": "open",
        "subject": ATTACK, "begin": ATTACK, "size": 1.0, "number": 1, "spread": 1, "acknowledged_at": "", "facts": {"x": ATTACK},
    }])  # fmt: skip
    for number, state in enumerate(("sent", "failed", "waiting", ATTACK)):
        store.upsert(ALERT_MESSAGES, [{
            "key": f"m{number}", "alert": "20261102T000000-z", "channel": ATTACK if number else "desk", "state": state, "attempts": number,
            "made_at": at(number), "sent_at": "", "error": ATTACK, "title": ATTACK,
        }]).result()  # fmt: skip

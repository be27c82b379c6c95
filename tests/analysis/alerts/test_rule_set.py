"""Rules of the file and of the store, and what is said of mistakes."""

from pathlib import Path

import pytest

from analysis.alerts.alert_rules import AlertRuleError
from analysis.alerts.rule_set import entries, keep_rule, read_rule_set, set_state
from crawler.config.yaml_file import DeclarationError
from pipelines.stores.alert_tables import ALERT_RULES
from pipelines.stores.base import Store

GOOD = """
quiet_hours: {from: "23:00", until: "07:00"}
channels:
  desk: {kind: feishu, url_from: FEISHU_URL, secret_from: FEISHU_SECRET}
  mail: {kind: email, host: mail.example, sender: a@b.example, to: [c@d.example], user_from: U, password_from: P}
rules:
  quake: {kind: event, topic: quake, sites: 3, hours: 6, channels: [desk, mail]}
  silent: {kind: silent}
"""


def rule_set(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "alerts.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_file_and_store_together(tmp_path: Path, store: Store) -> None:
    found = read_rule_set(rule_set(tmp_path, GOOD))
    assert set(found.channels) == {"desk", "mail"}
    keep_rule(store, "mine", {"kind": "burst", "topic": "quake", "channels": ["gone"]}, "anna")
    set_state(store, "silent", "paused", "anna")
    store.upsert(ALERT_RULES, [{"name": "bad", "rule": {"kind": "burst", "of": "nothing"}, "state": "active"}]).result()
    rules, faults = entries(store, found)
    assert {(each.name, each.origin, each.state) for each in rules} == {
        ("quake", "file", "active"), ("silent", "file", "paused"), ("mine", "store", "active")
    }  # fmt: skip
    assert len(faults) == 2
    assert any("bad: of: must be one of" in each for each in faults)
    set_state(store, "mine", "removed", "anna")
    assert "mine" not in {each.name for each in entries(store, found)[0]}


def test_no_file_is_no_rules(tmp_path: Path) -> None:
    assert not read_rule_set(tmp_path / "alerts.yaml").rules


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules:\n  a: {kind: event, site: 3}", "line 2, rules.a.site: is not known; there are"),
        ("rules:\n  a: {kind: wind}", "line 2, rules.a: Input tag 'wind'"),
        ("rules:\n  a: {kind: event, sites: many}", "line 2, rules.a.sites: Input should be a valid integer"),
        ("rules:\n  a: {kind: event, channels: [desk]}", "sends to desk, which is not a channel; known channels: none"),
        ("channels:\n  a: {kind: feishu, url_from: 'https://open.feishu.cn/x'}", "line 2, channels.a.url_from: String should match"),
        ("channels:\n  a: {kind: wecom, url_from: A, template: '$titel'}", "is not a valid template"),
        ("quiet_hours: {from: '25:00', until: '07:00'}", "line 1, quiet_hours.from: String should match"),
        ("quiet_hours: {from: '07:00', until: '07:00'}", "from and until must differ"),
        ("grades: {loud: {}}", "line 1, grades.loud"),
        ("grades: {notice: {channels: [desk]}}", "notice sends to desk, which is not a channel"),
        ("timezone: Mars", "is not a time zone"),
    ],
)  # fmt: skip
def test_a_mistake_gets_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DeclarationError) as error:
        read_rule_set(rule_set(tmp_path, text))
    assert said in str(error.value)


def test_rules_of_the_store_are_checked(store: Store) -> None:
    with pytest.raises(AlertRuleError, match=r"hours: Input should be"):
        keep_rule(store, "a", {"kind": "event", "hours": 0}, "")
    with pytest.raises(AlertRuleError, match="kind"):
        keep_rule(store, "a", {"topic": "x"}, "")


def test_the_rules_of_the_documentation_are_valid(tmp_path: Path) -> None:
    text = (Path(__file__).parents[3] / "docs/insight.md").read_text(encoding="utf-8")
    found = read_rule_set(rule_set(tmp_path, text.split("```yaml\n")[1].split("```")[0]))
    assert len({rule.kind for rule in found.rules.values()}) == 8

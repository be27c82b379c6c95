"""`scrapy alerts`, as people call it."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from analysis.alerts.looks import note_look
from analysis.alerts.rule_set import entries, read_rule_set
from analysis.alerts.state import AlertStore
from analysis.alerts.watch import AlertWatcher
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from tests.analysis.alerts.filling import HOUR, put_event
from tests.analysis.delivery.receivers import Receiver, receiver

Run = Callable[..., tuple[str, str, int]]
FILE = """
channels:
  desk: {kind: webhook, url_from: HOOK}
rules:
  quake: {kind: event, topic: quake, sites: 2, channels: [desk]}
"""


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    with receiver() as found:
        monkeypatch.setenv("HOOK", found.url)
        yield found


@pytest.fixture
def run(tmp_path: Path, scrapy: Run) -> Run:
    (tmp_path / "alerts.yaml").write_text(FILE, encoding="utf-8")
    address = f"sqlite:///{tmp_path}/a.db"
    with closing(open_store(address)) as store:
        now = datetime.now(UTC)
        put_event(store, "e", {"a": now - 2 * HOUR, "b": now - HOUR})
        _keep(store, tmp_path, now)

    def called(*words: str, allowed: bool = True) -> tuple[str, str, int]:
        given = {"STORE": address, "TOPICRAWL_SETTINGS_DIR": str(tmp_path), "ALLOW_PRIVATE_ADDRESSES": allowed}
        return scrapy("alerts", *words, **given)

    return called


def _keep(store: Store, folder: Path, now: datetime) -> None:
    (entry,) = entries(store, read_rule_set(folder / "alerts.yaml"))[0]
    look = AlertWatcher(store).look(entry.rule, now - timedelta(days=1), now)
    AlertStore(store).keep(entry, look.occurrences, now)
    note_look(store, entry.name, look.standing, now)


def test_rules_history_and_acknowledgement(run: Run) -> None:
    line = run()[0].splitlines()[1]
    assert "quake" in line
    assert "true: 2 of" in line
    assert "warning" in line
    line = run("history", "--unseen")[0].splitlines()[1]
    assert "事件e" in line
    key = line.split()[0]
    assert run("ack", key, "--by", "anna")[2] == 0
    assert "anna" in run("show", key)[0]
    assert "事件e" not in run("history", "--unseen")[0]
    assert run("unack", key)[2] == 0
    assert "事件e" in run("history", "--unseen", "--format", "jsonl")[0]
    assert "There is no alert" in run("ack", "none")[1]


def test_a_preview_says_how_often(run: Run) -> None:
    assert "quake: would have fired 1 times in 30 days" in run("preview", "--since", "30d")[0]
    assert "事件e" in run("preview", "quake")[0]
    assert "there is no rule nope; there are quake" in run("preview", "nope")[1]


def test_rules_of_the_database(run: Run) -> None:
    out = run("add", "flood", "kind=term", "term=洪水", "count=5", "channels=[desk]")[0]
    assert "term=洪水, count=5" in out
    assert "not looked at yet" in out
    assert "count: Input should be" in run("add", "flood", "kind=term", "term=洪水", "count=0")[1]
    assert "paused" in run("pause", "flood")[0]
    assert "flood" not in run("remove", "flood")[0]
    assert "is a rule of the file" in run("remove", "quake")[1]


def test_a_channel_is_tested(run: Run, web: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("test", "desk")[0] == "desk accepted the message\n"
    assert len(web.got) == 1
    assert "private address" in run("test", "desk", allowed=False)[1]
    assert run("check")[2] == 0
    monkeypatch.delenv("HOOK")
    assert run("check")[1:] == ("desk: HOOK is not set in this environment\n", 1)
    assert "There is no channel phone; there are desk" in run("test", "phone")[1]


def test_a_rule_of_a_misspelt_topic_is_refused(run: Run) -> None:
    out, error, code = run("add", "flood", "kind=term", "term=x", "topic=flodo")
    assert (out, code) == ("", 1)
    assert "There is no topic flodo" in error


def test_a_misspelt_rule_has_no_history_but_a_removed_one_has(run: Run) -> None:
    out, error, code = run("history", "--rule", "nobody")
    assert (out, code) == ("", 1)
    assert "there is no rule nobody; there are" in error


def test_wrong_words_and_a_wrong_file_get_a_sentence(run: Run, tmp_path: Path) -> None:
    assert "Use: scrapy alerts" in run("nonsense")[1]
    assert "Use: scrapy alerts" in run("show")[1]
    (tmp_path / "alerts.yaml").write_text("rules:\n  a: {kind: event, site: 1}\n", encoding="utf-8")
    out, err, code = run("check")
    assert "alerts.yaml, line 2, rules.a.site: is not known" in err
    assert (out, code) == ("", 1)

"""How sites fare is told by `scrapy doctor` and the metrics."""

import time
from pathlib import Path

import pytest
from prometheus_client.core import Metric
from scrapy.settings import Settings

from crawler.bans.health import Health, ProxyHealth, SiteHealth, read_health, write_health
from crawler.bans.shared import open_bans
from crawler.checks import Finding
from crawler.checks.site_health import bans, health, identities
from crawler.extensions.exposition import SnapshotCollector
from crawler.extensions.metrics_snapshot import MetricsSnapshot
from crawler.identities.base import Key, Turn
from crawler.identities.sqlite_identities import SqliteIdentities

_TOLD = Health(
    "my/crawl",
    sites={
        "good.example": SiteHealth(500, 1, 1, 2),
        "bad.example": SiteHealth(20, 9, 3),
        "quiet.example": SiteHealth(),
    },
    proxies={
        "proxies.txt": ProxyHealth(3, 2, ["http://c:1"]),
        "dead.txt": ProxyHealth(2, 0, ["http://a:1", "http://b:1"]),
    },
    banned=[("bad.example", "reader", "http://c:1", 500.0), ("past.example", "", "", 1.0)],
)


def _by_subject(found: list[Finding]) -> dict[str, Finding]:
    return {finding.subject: finding for finding in found}


def test_the_doctor_tells_each_sites_numbers_and_who_is_banned(tmp_path: Path) -> None:
    _TOLD.at = time.time() - 100
    write_health(tmp_path, _TOLD)
    (tmp_path / "health" / "broken.json").write_text('{"crawl": 1}')
    assert list(read_health(tmp_path)) == [_TOLD]
    found = health(Settings({"DATA_DIR": str(tmp_path)}))
    by_subject = _by_subject(found)
    assert by_subject["good.example"].state == "ok"
    assert "500 answers, 1 bans, 1 challenge pages, 2 log-ins" in by_subject["good.example"].message
    assert by_subject["bad.example"].state == "warning"
    assert "quiet.example" not in by_subject
    assert by_subject["Proxies dead.txt"].state == "warning"
    assert [finding.message.partition(" for ")[0] for finding in found if finding.subject == "Ban"] == [
        "bad.example refuses us (http://c:1 as reader)"
    ]
    _TOLD.at = time.time() + 3_600  # the clock was set back since
    write_health(tmp_path, _TOLD)
    longest = max(left for *_, left in _TOLD.banned)
    seconds = [
        float(finding.message.split()[-2])
        for finding in health(Settings({"DATA_DIR": str(tmp_path)}))
        if finding.subject == "Ban"
    ]
    assert seconds
    assert max(seconds) <= longest
    _TOLD.at = time.time() - 8 * 86_400
    write_health(tmp_path, _TOLD)
    assert not health(Settings({"DATA_DIR": str(tmp_path)}))


def test_the_doctor_tells_who_could_not_log_in_and_who_has_no_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "some.example.yaml").write_text("identities: [reader, other, third]\nlogin: {}")
    monkeypatch.setenv("LOGIN_USERNAME_READER", "me")
    monkeypatch.setenv("LOGIN_PASSWORD_READER", "geheim")
    store = SqliteIdentities(tmp_path / "identities.db")
    turn = store.take_turn(Key("some.example", "reader"), 0)
    assert isinstance(turn, Turn)
    store.fail(Key("some.example", "reader"), turn, "its form came back", 60)
    store.put(Key("some.example", "third"), ())
    store.close()
    settings = Settings({"TOPICRAWL_SETTINGS_DIR": tmp_path, "DATA_DIR": str(tmp_path)})
    found = _by_subject(identities(settings))
    assert found["some.example as reader"].message == "could not be logged in: its form came back"
    assert "LOGIN_PASSWORD_OTHER" in found["some.example as other"].advice
    assert found["some.example as third"].state == "ok"


def test_the_doctor_tells_bans_of_all_nodes(redis_url: str) -> None:
    settings = Settings({"FRONTIER": "shared", "REDIS_URL": redis_url})
    shared = open_bans(settings)
    shared.add(("some.example", "", "http://p:1"), 50.0)
    shared.exchange()
    (ban,) = bans(settings)
    assert ban.message.startswith("some.example refuses us (http://p:1) for another ")
    assert not bans(Settings({"FRONTIER": "local"}))


def test_metrics_tell_the_same() -> None:
    collector = SnapshotCollector(MetricsSnapshot(health=_TOLD))
    found: dict[str, Metric] = {metric.name: metric for metric in collector.collect()}
    values = {tuple(sample.labels.values()): sample.value for sample in found["topicrawl_site"].samples}
    assert values["good.example", "answers"] == 500
    assert values["bad.example", "challenges"] == 3
    states = {tuple(sample.labels.values()): sample.value for sample in found["topicrawl_proxies"].samples}
    assert (states["proxies.txt", "alive"], states["proxies.txt", "resting"]) == (2, 1)
    assert found["topicrawl_bans_in_force"].samples[0].value == 2

"""`scrapy doctor`: every fault it knows is made once, and each finding says what to do."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from crawler.checks import engines, machine, manners, rendering, storage
from extractors.kernels import SWITCH, State
from settings import base
from tests.crawler.commands.test_extract import scrapy
from tests.hostile import HostileWeb, behaviours


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The project's, with data in a folder of the test's own."""
    own = {"DATA_DIR": str(tmp_path / "data"), "STORE": f"sqlite:///{tmp_path}/data/crawl.db"}
    return Settings({name: value for name, value in vars(base).items() if name.isupper()} | own)


def faults(findings: list[Any]) -> list[str]:
    """Subjects of what is not in order; each must come with advice."""
    wrong = [finding for finding in findings if finding.state != "ok"]
    assert all(finding.advice for finding in wrong)
    return [finding.subject for finding in wrong]


def test_a_sound_installation_has_no_faults(settings: Settings) -> None:
    checks = (machine.python, machine.packages, machine.disk, storage.database, storage.frontier)
    checks += (manners.safety, manners.parts)
    assert [fault for check in checks for fault in faults(check(settings))] == []


def test_old_python(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "OLDEST_PYTHON", (99, 0))
    assert faults(machine.python(settings)) == ["Python"]


def test_packages_that_are_missing_or_untested(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["scrapy<2", "no-such-package", "lxml", "pyarrow>=99; extra == 'parquet'"]
    monkeypatch.setattr(machine.metadata, "requires", lambda name: wanted)
    (finding,) = machine.packages(settings)
    assert "scrapy is" in finding.said
    assert "no-such-package is missing" in finding.said
    assert "lxml" not in finding.said
    assert "pyarrow" not in finding.said


def test_machine_code_that_is_missing_or_turned_off(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.setattr(machine, "state", lambda: State(None, "not built here"))
    assert faults(machine.compiled(settings)) == ["Machine code"]
    monkeypatch.setattr(machine, "state", lambda: State(object(), ""))
    assert faults(machine.compiled(settings)) == []
    monkeypatch.setenv(SWITCH, "off")
    monkeypatch.setattr(machine, "state", lambda: State(None, "turned off"))
    (finding,) = machine.compiled(settings)
    assert (finding.state, finding.said[:10]) == ("ok", "turned off")


def test_engines_and_their_keys(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRAVE_API_KEY", raising=False)
    settings.set("TOPICRAWL_SETTINGS_DIR", str(tmp_path))
    (tmp_path / "engines").mkdir()
    assert faults(engines.engines(settings)) == []
    (tmp_path / "engines" / "brave_api.yaml").write_text("order: 1\n", encoding="utf-8")
    found = engines.engines(settings)
    assert found[0].said == "a search asks brave_api, baidu, bing, sogou"
    assert found[1].said == "brave_api needs BRAVE_API_KEY"
    (tmp_path / "engines" / "bing.yaml").write_text("pages: 0\n", encoding="utf-8")
    (finding,) = engines.engines(settings)
    assert "bing.yaml, line 1, pages: Input should be greater" in finding.said


def test_a_data_folder_that_cannot_be_written(settings: Settings) -> None:
    settings.set("DATA_DIR", "/proc/nowhere")
    assert faults(machine.disk(settings)) == ["Data folder"]


def test_a_full_disk(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "LITTLE_DISK", 1e18)
    assert faults(machine.disk(settings)) == ["Data folder"]


def test_names_that_cannot_be_resolved(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_WELL_KNOWN", "no-such-host.invalid")
    monkeypatch.setattr(machine, "getproxies", dict)
    assert faults(machine.names(settings)) == ["DNS"]


def test_passwords_of_a_proxy_are_not_shown(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "getproxies", lambda: {"http": "http://me:secret@proxy.example:3128"})
    assert "secret" not in machine.names(settings)[0].said


@pytest.mark.parametrize("address", ["nonsense://x", "sqlite:///", "sqlite:////proc/nowhere/crawl.db"])
def test_a_database_that_cannot_be_opened(settings: Settings, address: str) -> None:
    settings.set("STORE", address)
    assert faults(storage.database(settings)) == ["Database"]


def test_a_file_that_is_no_database(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("this is no database, only some words " * 50)
    settings.set("STORE", f"sqlite:///{tmp_path}/text.db")
    assert faults(storage.database(settings)) == ["Database"]


def test_redis_that_is_away(settings: Settings) -> None:
    settings.set("FRONTIER", "crawler.frontier.opening.open_shared_frontier")
    settings.set("SCHEDULER_QUEUE_KEY", "{%(spider)s}:requests")
    settings.set("REDIS_URL", "redis://127.0.0.1:1/0")
    assert faults(storage.frontier(settings)) == ["Frontier"]


@pytest.mark.parametrize(
    ("name", "value", "check"),
    [
        ("ROBOTSTXT_OBEY", False, manners.robots),
        ("TELNETCONSOLE_ENABLED", True, manners.safety),
        ("REMOTE_CONTROL_ENABLED", True, manners.safety),
        ("ALLOW_PRIVATE_ADDRESSES", True, manners.safety),
        ("DOWNLOAD_MAXSIZE", 0, manners.safety),
        ("DOWNLOAD_TIMEOUT", 0, manners.safety),
        ("LINK_STRATEGY", "crawler.strategies.base.NoSuchStrategy", manners.parts),
        ("FRONTIER", "no.such.module", manners.parts),
    ],
)
def test_settings_that_open_doors(settings: Settings, name: str, value: object, check: Any) -> None:
    settings.set("USER_AGENT", "bot (+https://operator.example/bot)")
    assert faults(check(settings)) == []
    settings.set(name, value)
    assert len(faults(check(settings))) == 1


def test_the_command_with_a_site_that_forbids_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    robots = {"forbidding.example": lambda asked: asked.answer("User-agent: *\nDisallow: /", Content_Type="text/plain")}
    with HostileWeb({"forbidding.example": behaviours.plain}, robots) as web:
        monkeypatch.setitem(os.environ, "http_proxy", web.address)
        own = ("-s", f"DATA_DIR={tmp_path}", "-s", f"STORE=sqlite:///{tmp_path}/crawl.db")
        done = scrapy("doctor", "http://forbidding.example/", "--json", *own)
    found = {finding["subject"]: finding for finding in json.loads(done.stdout)}
    assert done.returncode == 1
    assert found["forbidding.example"]["state"] == "fault"
    assert "forbids" in found["forbidding.example"]["said"]
    assert found["DNS"]["said"] == f"left to the proxy {web.address}"
    assert found["Database"]["state"] == "ok"


def test_a_site_that_cannot_be_rendered_or_imitated(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rendering.rendering(settings) == rendering.impersonation(settings) == []
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "some.example.yaml").write_text("render: auto\nimpersonate: chrome")
    settings.set("TOPICRAWL_SETTINGS_DIR", str(tmp_path))
    settings.set("RENDER_BROWSER", "/no/such/browser")
    assert faults(rendering.rendering(settings)) == ["Rendering"]
    assert faults(rendering.impersonation(settings)) == ["Impersonation"]
    monkeypatch.setattr("crawler.rendering.options.find_spec", lambda name: None)
    monkeypatch.setattr("crawler.download.impersonation.find_spec", lambda name: None)
    assert "topicrawl[render]" in rendering.rendering(settings)[0].said
    assert "topicrawl[impersonate]" in rendering.impersonation(settings)[0].said

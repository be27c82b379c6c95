"""`scrapy doctor`: every fault it knows is made once, and each finding says what to do."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from scrapy.settings import Settings

from crawler.checks import configuration, installation, run_check, servers
from extractors.kernels import SWITCH, ExtensionState
from extractors.kernels.forest import ForestError
from settings import base
from testbed.crawling import REPOSITORY
from testbed.hostile import HostileWeb, behaviours
from tests.crawler.commands.test_extract import scrapy


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
    checks = (installation.python, installation.packages, installation.disk, servers.database, servers.frontier)
    checks += (configuration.safety, configuration.parts)
    assert [fault for check in checks for fault in faults(check(settings))] == []


def test_old_python(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "OLDEST_PYTHON", (99, 0))
    assert faults(installation.python(settings)) == ["Python"]


def test_packages_that_are_missing_or_untested(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["scrapy<2", "no-such-package", "lxml", "pyarrow>=99; extra == 'parquet'"]
    monkeypatch.setattr(installation.metadata, "requires", lambda name: wanted)
    (finding,) = installation.packages(settings)
    assert "scrapy is" in finding.message
    assert "no-such-package is missing" in finding.message
    assert "lxml" not in finding.message
    assert "pyarrow" not in finding.message


def test_a_compiled_extension_that_is_missing_or_turned_off(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.setattr(installation, "state", lambda: ExtensionState(None, "not built here"))
    assert faults(installation.compiled(settings)) == ["Compiled extension"]
    monkeypatch.setattr(installation, "state", lambda: ExtensionState(object(), ""))
    assert faults(installation.compiled(settings)) == []
    monkeypatch.setenv(SWITCH, "off")
    monkeypatch.setattr(installation, "state", lambda: ExtensionState(None, "turned off"))
    (finding,) = installation.compiled(settings)
    assert (finding.state, finding.message[:10]) == ("ok", "turned off")


def test_the_advice_fits_how_it_was_installed(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.setattr(installation, "state", lambda: ExtensionState(None, "not built here"))
    monkeypatch.setattr(installation.metadata, "requires", lambda name: ["scrapy<2", "lxml"])
    checks = (installation.compiled, installation.packages)
    assert all("pip install -e ." in check(settings)[0].advice for check in checks)
    monkeypatch.setattr(installation, "_location", lambda package: str(tmp_path / package))
    again, wanted = (check(settings)[0].advice for check in checks)
    assert "--force-reinstall" in again
    assert wanted == 'Run: python -m pip install "scrapy<2"'


def test_weights_and_where_they_come_from(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    (finding,) = installation.weights(settings)
    assert (finding.state, finding.message[:14]) == ("ok", "article/body: ")

    def damaged(room: str, name: str) -> None:
        raise ForestError(f"The weights {room}/{name} cannot be read (x). Install topicrawl again: pip.")

    monkeypatch.setattr(installation, "packaged_forest", damaged)
    (finding,) = installation.weights(settings)
    assert finding.state == "fault"
    assert finding.advice == "Install topicrawl again: pip."


def test_engines_and_their_keys(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRAVE_API_KEY", raising=False)
    settings.set("TOPICRAWL_SETTINGS_DIR", str(tmp_path))
    (tmp_path / "engines").mkdir()
    assert faults(configuration.engines(settings)) == []
    (tmp_path / "engines" / "brave_api.yaml").write_text("order: 1\n", encoding="utf-8")
    found = configuration.engines(settings)
    assert found[0].message == "a search asks brave_api, baidu, bing, sogou"
    assert found[1].message == "brave_api needs BRAVE_API_KEY"
    (tmp_path / "engines" / "bing.yaml").write_text("pages: 0\n", encoding="utf-8")
    (finding,) = configuration.engines(settings)
    assert "bing.yaml, line 1, pages: Input should be greater" in finding.message


def test_a_data_folder_that_cannot_be_written(settings: Settings) -> None:
    settings.set("DATA_DIR", "/proc/nowhere")
    assert faults(installation.disk(settings)) == ["Data folder"]


def test_a_full_disk(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "MIN_FREE_BYTES", 1e18)
    assert faults(installation.disk(settings)) == ["Data folder"]


def test_names_that_cannot_be_resolved(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "_KNOWN_HOST", "no-such-host.invalid")
    monkeypatch.setattr(installation, "getproxies", dict)
    assert faults(installation.dns(settings)) == ["DNS"]


def test_passwords_of_a_proxy_are_not_shown(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "getproxies", lambda: {"http": "http://me:secret@proxy.example:3128"})
    assert "secret" not in installation.dns(settings)[0].message


@pytest.mark.parametrize("address", ["nonsense://x", "sqlite:///", "sqlite:////proc/nowhere/crawl.db"])
def test_a_database_that_cannot_be_opened(settings: Settings, address: str) -> None:
    settings.set("STORE", address)
    assert faults(servers.database(settings)) == ["Database"]


def test_a_file_that_is_no_database(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("this is no database, only some words " * 50)
    settings.set("STORE", f"sqlite:///{tmp_path}/text.db")
    assert faults(servers.database(settings)) == ["Database"]


def test_redis_that_is_away(settings: Settings) -> None:
    settings.set("FRONTIER", "shared")
    settings.set("SCHEDULER_QUEUE_KEY", "{%(spider)s}:requests")
    settings.set("REDIS_URL", "redis://127.0.0.1:1/0")
    assert faults(servers.frontier(settings)) == ["Frontier"]


def test_what_redis_still_holds(settings: Settings, redis_url: str) -> None:
    settings.set("REDIS_URL", redis_url)
    with Redis.from_url(redis_url) as client:
        before: dict[str, Any] = {}
        for name in ("maxmemory", "set-max-intset-entries"):
            before |= client.config_get(name)  # one at a time: Redis before 7 takes one name
        client.config_set("set-max-intset-entries", 100)
        try:
            client.config_set("maxmemory", 10**9)
            wide = servers.redis(settings)
            client.config_set("maxmemory", int(client.info("memory")["used_memory"] * 1.1))
            narrow = servers.redis(settings)
        finally:
            for name, value in before.items():
                client.config_set(name, value)
    said = {finding.subject: finding.message for finding in wide}
    assert re.search(r"of 1.0 GB used; room for about 4,\d{3},\d{3} more queued URLs, 3[23],", said["Redis memory"])
    assert "room for about" in next(finding.message for finding in narrow if finding.subject == "Redis memory")
    assert [faults(found).count("Redis memory") for found in (wide, narrow)] == [0, 1]
    assert "Redis sets" in faults(wide)
    settings.set("REDIS_URL", "redis://127.0.0.1:1/0")
    assert faults(servers.redis(settings)) == ["Redis"]


@pytest.mark.parametrize(
    ("name", "value", "check"),
    [
        ("ROBOTSTXT_OBEY", False, configuration.robots),
        ("TELNETCONSOLE_ENABLED", True, configuration.safety),
        ("REMOTE_CONTROL_ENABLED", True, configuration.safety),
        ("ALLOW_PRIVATE_ADDRESSES", True, configuration.safety),
        ("DOWNLOAD_MAXSIZE", 0, configuration.safety),
        ("DOWNLOAD_TIMEOUT", 0, configuration.safety),
        ("LINK_STRATEGY", "crawler.strategies.base.NoSuchStrategy", configuration.parts),
        ("FRONTIER", "no.such.module", configuration.parts),
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
    assert "forbids" in found["forbidding.example"]["message"]
    assert found["DNS"]["message"] == f"left to the proxy {web.address}"
    assert found["Database"]["state"] == "ok"


def test_a_site_that_cannot_be_rendered_or_imitated(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert configuration.rendering(settings) == configuration.impersonation(settings) == []
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "some.example.yaml").write_text("render: auto\nimpersonate: chrome")
    settings.set("TOPICRAWL_SETTINGS_DIR", str(tmp_path))
    settings.set("RENDER_BROWSER", "/no/such/browser")
    assert faults(configuration.rendering(settings)) == ["Rendering"]
    assert faults(configuration.impersonation(settings)) == ["Impersonation"]
    monkeypatch.setattr("crawler.rendering.options.find_spec", lambda name: None)
    monkeypatch.setattr("crawler.download.browsers.find_spec", lambda name: None)
    assert "topicrawl[render]" in configuration.rendering(settings)[0].message
    assert "topicrawl[impersonate]" in configuration.impersonation(settings)[0].message


def test_a_check_that_fails_is_a_finding(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(address: str) -> None:
        raise TypeError(f"{address} is a mistake of ours")

    monkeypatch.setattr("crawler.checks.servers.open_store", fails)
    (finding,) = run_check("crawler.checks.servers.database", settings)
    assert (finding.state, finding.subject) == ("fault", "crawler.checks.servers.database")
    assert finding.message.startswith("this check failed: ")
    (missing,) = run_check("crawler.checks.no_such.check", settings)
    assert "no_such" in missing.message


def test_an_installed_copy_that_shadows_the_folder(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert faults(installation.shadows(settings)) == []
    (tmp_path / "scrapy.cfg").touch()
    (tmp_path / "crawler").mkdir()
    (tmp_path / "crawler" / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    (finding,) = installation.shadows(settings)
    assert f"edits in {tmp_path / 'crawler'} have no effect" in finding.message


def test_a_file_that_shadows_ours(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "settings.py").touch()
    monkeypatch.chdir(tmp_path)
    (finding,) = installation.shadows(settings)
    assert finding.message == f"{tmp_path / 'settings.py'} has the name of one of topicrawl's packages"


@pytest.mark.parametrize("name", ["crawler", "pipelines"])
def test_a_foreign_package_first_on_the_path_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    command = [sys.executable, "-P", "-m", "scrapy", "doctor"]  # -P: the working folder does not come first
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{tmp_path / name} is imported as '{name}' in place of topicrawl's own ")
    assert done.stderr.count("\n") == 1

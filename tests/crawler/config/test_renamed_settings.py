"""Old names of settings are read for one version: wherever they are set, and never over a new name that is set."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from scrapy import Spider
from scrapy.settings import Settings

from crawler.addon import TopicrawlAddon
from crawler.config.settings_check import RENAMED, apply_old_names

ROOT = Path(__file__).resolve().parents[3]


def project_settings() -> Settings:
    settings = Settings()
    settings.setmodule("settings.base")
    return settings


def test_every_new_name_is_a_setting_and_no_old_name_is() -> None:
    settings = project_settings()
    assert not [old for old in RENAMED if old in settings]
    assert not [new for new, _ in RENAMED.values() if new not in settings]


@pytest.mark.parametrize("module", ["settings.base", "settings.cluster"])
def test_the_defaults_are_known(module: str) -> None:
    settings = Settings()
    settings.setmodule(module)
    assert not [new for new, defaults in RENAMED.values() if settings[new] not in defaults]


def test_nothing_is_said_where_no_old_name_is_set() -> None:
    assert apply_old_names(project_settings()) == []


def test_an_old_name_on_the_command_line_is_read_and_its_new_name_said() -> None:
    settings = project_settings()
    settings.set("PROXY_REST", "7.5", "cmdline")
    (sentence,) = apply_old_names(settings)
    assert settings.getfloat("PROXY_BACKOFF") == 7.5
    assert "PROXY_REST " in sentence
    assert "PROXY_BACKOFF;" in sentence


def test_an_old_name_in_a_module_that_builds_on_ours_is_read() -> None:
    settings = project_settings()
    settings.set("BAN_PATIENCE", 3.0, "project")
    apply_old_names(settings)
    assert settings.getfloat("BAN_MAX_WAIT") == 3.0


def test_an_old_name_wins_over_the_default_of_a_node() -> None:
    settings = Settings()
    settings.setmodule("settings.cluster")
    settings.set("BANS", "local", "project")
    apply_old_names(settings)
    assert settings["BANS_BACKEND"] == "local"


@pytest.mark.parametrize(("old", "new"), [("project", "project"), ("project", "cmdline"), ("cmdline", "cmdline")])
def test_a_new_name_that_is_set_wins(old: str, new: str) -> None:
    settings = project_settings()
    settings.set("PROXY_REST", 7.5, old)
    settings.set("PROXY_BACKOFF", 9.0, new)
    apply_old_names(settings)
    assert settings.getfloat("PROXY_BACKOFF") == 9.0


def test_a_second_reading_changes_nothing() -> None:
    settings = project_settings()
    settings.set("PROXY_REST", 7.5, "project")
    assert apply_old_names(settings) == apply_old_names(settings)
    assert settings.getfloat("PROXY_BACKOFF") == 7.5


class OldSpider(Spider):
    name = "old"
    custom_settings = {"HOURS_PATIENCE": 5.0}


def test_a_spiders_own_settings_are_read_when_a_crawl_starts(caplog: pytest.LogCaptureFixture) -> None:
    settings = project_settings()
    OldSpider.update_settings(settings)
    TopicrawlAddon().update_settings(settings)
    assert settings.getfloat("HOURS_MAX_WAIT") == 5.0
    assert [record.levelname for record in caplog.records if "HOURS_MAX_WAIT" in record.getMessage()] == ["WARNING"]


def test_commands_say_the_new_name(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "frontier", "status", "-s", "BAN_PATIENCE=1", "-s", f"DATA_DIR={tmp_path}"],
        cwd=ROOT, env=os.environ | {"SCRAPY_PROJECT": "default"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr.count("BAN_MAX_WAIT") == 1
    assert "Traceback" not in done.stderr

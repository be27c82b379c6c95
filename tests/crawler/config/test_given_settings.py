"""What is wrong with `-s NAME=VALUE` is said in a sentence that names the setting."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from scrapy.settings import Settings

from crawler.config.given_settings import FROM_ENVIRONMENT, check_given, check_log_file, unknown_names
from crawler.config.settings_check import SettingError, known_names

ROOT = Path(__file__).resolve().parents[3]


def _settings() -> Settings:
    settings = Settings()
    settings.setmodule("settings.base")
    return settings


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("DISK_RESERVE", "NAME=VALUE, not 'DISK_RESERVE'"),
        ("=3", "NAME=VALUE, not '=3'"),
        ("ITEM_PIPELINES={bad", "ITEM_PIPELINES must be a JSON object"),
        ("DOWNLOADER_MIDDLEWARES=[1]", "DOWNLOADER_MIDDLEWARES must be a JSON object"),
        ("DOWNLOAD_HANDLERS=5", "DOWNLOAD_HANDLERS must be a JSON object"),
        ("FEEDS=" + "[" * 100_000, "FEEDS must be a JSON object"),
        ("SCHEDULER=no.such.Class", "SCHEDULER must be the path of a class like"),
        ("SCHEDULER=", "SCHEDULER must be the path of a class"),
        ("STATS_CLASS=crawler.addon.NoSuchClass", "STATS_CLASS must be the path of a class"),
        ("DUPEFILTER_CLASS=..x", "DUPEFILTER_CLASS must be the path of a class"),
    ],
)
def test_a_mistake_is_named(given: str, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        check_given(_settings(), [given])


def test_what_is_right_passes() -> None:
    scheduler = "SCHEDULER=scrapy.core.scheduler.Scheduler"
    check_given(_settings(), ['FEEDS={"x.json": {"format": "json"}}', scheduler, "DISK_RESERVE=5", "MINE=", "MINE=a=b"])


def test_a_name_that_nobody_knows_is_said() -> None:
    known = known_names(_settings())
    (said,) = unknown_names(known, ["MY_OWN=1", "DATA_DIR=x", "MY_OWN=2"])
    assert said.startswith("MY_OWN is not a setting")


def test_what_comes_from_the_environment_alone_is_said_to() -> None:
    given = ["OPENSEARCH_URL=https://ann:secret@host:9200", "LOGIN_PASSWORD_ANN=secret"]
    address, login = unknown_names(known_names(_settings()), given)
    assert (
        address == "-s OPENSEARCH_URL has no effect: set it in the environment, as OPENSEARCH_URL=… before the command."
    )
    assert login.startswith("-s LOGIN_PASSWORD_ANN has no effect: set it in the environment")


def test_every_documented_variable_is_a_setting_or_known_as_one_of_the_environment() -> None:
    text = (
        (ROOT / "docs" / "cluster.md")
        .read_text("utf-8")
        .partition("## Environment variables")[2]
        .partition("\n\nNone")[0]
    )
    first = "".join(line.split("|")[1] for line in text.splitlines() if line.startswith("| `"))
    names = set(re.findall(r"`([A-Z_]+)`", first))
    assert len(names) > 15
    assert names <= FROM_ENVIRONMENT | known_names(_settings())


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    settings = _settings()
    settings.set("LOG_FILE", str(tmp_path / "missing" / "x.log"), "cmdline")
    with pytest.raises(SettingError, match=r"LOG_FILE: .*x\.log cannot be written: No such file"):
        check_log_file(settings)
    settings.set("LOG_FILE", str(tmp_path / "x.log"), "cmdline")
    check_log_file(settings)


@pytest.mark.parametrize("given", ["LOG_FILE=/nowhere/x.log", "FRONTIER=weird", "ITEM_PIPELINES={bad"])
def test_a_crawl_says_it_and_ends(tmp_path: Path, given: str) -> None:
    command = [sys.executable, "-m", "scrapy", "crawl", "site", "-a", "url=http://some.example/"]
    done = subprocess.run(
        [*command, "-s", f"DATA_DIR={tmp_path}", "-s", given],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 2
    assert given.partition("=")[0] in done.stderr
    assert "Traceback" not in done.stderr

"""Mistakes in settings are said in a sentence before a command starts."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from scrapy.settings import Settings

from crawler.config.settings_check import CHECKED, OPTIONAL_NAMES, SettingError, check_settings, known_names

ROOT = Path(__file__).resolve().parents[3]
_READ = re.compile(r"settings(?:\.get\w*\(|\[)\s*\"([A-Z][A-Z_]+)\"")


def _settings(module: str = "settings.base") -> Settings:
    settings = Settings()
    settings.setmodule(module)
    return settings


@pytest.mark.parametrize("module", ["settings.base", "settings.cluster"])
def test_the_defaults_are_valid_and_every_number_and_flag_is_checked(module: str) -> None:
    settings = _settings(module)
    check_settings(settings, [], known_names(settings))
    ours = {name for name in settings if settings.getpriority(name) == 20}
    assert not [name for name in ours - CHECKED.keys() if isinstance(settings[name], bool | int | float)]


def test_every_setting_that_is_read_is_known() -> None:
    known = known_names(_settings())
    read = {
        name
        for room in ("crawler", "pipelines")
        for path in (ROOT / room).rglob("*.py")
        for name in _READ.findall(path.read_text())
    }
    assert read > {"DATA_DIR", "STORE", "REDIS_URL"}
    assert not read - known


def test_the_settings_of_a_node_are_known_on_one_machine() -> None:
    node = _settings("settings.cluster")
    assert {name for name in node if not name.startswith("_")} - known_names(_settings()) == set()
    scrapy_redis = {"REDIS_DB", "REDIS_SENTINEL_PARAMS", "REDIS_START_URLS_AS_SET", "REDIS_START_URLS_AS_ZSET"}
    assert OPTIONAL_NAMES - set(node) <= scrapy_redis | {"MAX_IDLE_TIME_BEFORE_CLOSE", "SCHEDULER_FLUSH_ON_START"}


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("FRONTIER_HOST_DELAY", "fast", "a number of at least 0, not 'fast'"),
        ("FRONTIER_HOST_DELAY", "-1", "a number of at least 0, not '-1'"),
        ("FRONTIER_HOST_DELAY", "nan", "a number of at least 0, not 'nan'"),
        ("FRONTIER_HOST_DELAY", True, "a number of at least 0, not 'True'"),
        ("CONCURRENT_REQUESTS", "0", "a whole number of at least 1, not '0'"),
        ("CONCURRENT_REQUESTS", "2.5", "a whole number of at least 1, not '2.5'"),
        ("TITLES_THRESHOLD", "1.5", "a number from 0 to 1, not '1.5'"),
        ("METRICS_PORT", "70000", "a whole number from 0 to 65535, not '70000'"),
        ("ROBOTSTXT_OBEY", "maybe", "one of True, False, true, false, 1, 0, not 'maybe'"),
        ("SEGMENTER", "mysql", "one of auto, rjieba, jieba, not 'mysql'"),
        ("FRONTIER_LEASE_SECONDS", "5", "a number of at least 120, not '5'"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_expected(name: str, value: object, expected: str) -> None:
    settings = _settings()
    settings.set(name, value, "cmdline")
    with pytest.raises(SettingError, match=re.escape(f"{name} must be {expected}.")):
        check_settings(settings, [], known_names(settings))


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("FRONTEIR_HOST_DELAY", "FRONTIER_HOST_DELAY"),
        ("frontier_host_delay", "FRONTIER_HOST_DELAY"),
        ("DOWNLOAD_TIMOUT", "DOWNLOAD_TIMEOUT"),
        ("TITLES_LIMIT", "TITLES_"),
        ("CLOSESPIDER_PAGES", "CLOSESPIDER_PAGECOUNT"),
    ],
)
def test_an_unknown_name_that_looks_like_a_known_one_is_refused(given: str, meant: str) -> None:
    settings = _settings()
    known = known_names(settings)
    settings.set(given, "1", "cmdline")
    with pytest.raises(SettingError, match=f"There is no setting {given}. Did you mean {meant}"):
        check_settings(settings, [given], known)


@pytest.mark.parametrize("given", ["MY_EXTENSION_FOLDER", "XYZ", "REDIS_URL", "JOBDIR"])
def test_own_names_and_those_of_a_node_are_let_through(given: str) -> None:
    settings = _settings()
    check_settings(settings, [given], known_names(settings))


@pytest.mark.parametrize(
    "command", [["frontier", "status"], ["doctor"], ["crawl", "site", "-a", "url=http://some.example/"]]
)
@pytest.mark.parametrize("given", ["FRONTIER_HOST_DELAY=quick", "FRONTIER_HOST_DELY=1"])
def test_every_command_says_it_and_ends(tmp_path: Path, command: list[str], given: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", *command, "-s", f"DATA_DIR={tmp_path}", "-s", given],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 2
    assert "FRONTIER_HOST_DELAY" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("ANALYSIS_ENABLED", "0", "later"),
        ("BAN_MAX_WAIT", "0", "-1"),
        ("CONSOLE_PORT", "8080", "70000"),
        ("CONSOLE_SESSION_HOURS", "0.5", "0"),
        ("DNS_TIMEOUT", "3", "0"),
        ("DOCUMENT_MAX_PAGES", "1", "0"),
        ("DOCUMENT_MEMORY_MAX", "500000000", "1.5"),
        ("DOCUMENT_TIMEOUT", "2.5", "0"),
        ("KEEP_MARKDOWN", "true", "yes"),
        ("KEEP_SOURCE", "False", "no"),
        ("LOGIN_BACKOFF", "0", "soon"),
        ("METASEARCH_MAX_QUERIES", "5", "0"),
        ("METASEARCH_REPEAT_DAYS", "0.5", "-1"),
        ("METASEARCH_SITE_BUDGET", "0", "-1"),
        ("METASEARCH_SITE_PAGES", "1", "0"),
        ("RENDER_CONCURRENCY", "1", "0"),
        ("RENDER_SANDBOX", "0", "2"),
        ("SCHEDULER_PERSIST", "False", "never"),
        ("TITLES_COMPARE_BODIES", "0", "some"),
        ("TITLES_COMPARE_LETTERS", "0", "some"),
        ("TITLES_COMPARE_NUMBERS", "0", "some"),
        ("TITLES_WINDOW_DAYS", "30", "-1"),
        ("WARC_FILE_BYTES", "1000", "0"),
        ("WATCH_HOST_REQUESTS_MAX", "100", "0"),
        ("WATCH_MIN_INTERVAL", "0", "-1"),
    ],
)
def test_the_bounds_of_a_setting(name: str, right: str, wrong: str) -> None:
    settings = _settings()
    settings.set(name, right, "cmdline")
    check_settings(settings, [name], known_names(settings))
    settings.set(name, wrong, "cmdline")
    with pytest.raises(SettingError, match=f"{name} must be"):
        check_settings(settings, [name], known_names(settings))

"""`scrapy settings`, and settings from the environment."""

import pytest
from scrapy.cmdline import execute
from scrapy.utils.project import get_project_settings

from crawler.commands.settings import shown_value
from testbed.crawling import REPOSITORY

VARIABLES = {
    "CONSOLE_PORT": "9000",
    "STORE": "mongodb://me:hidden@db.internal/x",
    "CONSOLE_URL": "",
    "PROGRESS_SECONDS": "3",
}


def printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int | str | None, str, str]:
    """How `scrapy WORDS` ends, and what it prints."""
    settings = get_project_settings()
    settings.set("COMMANDS_MODULE", "console.commands.settings")
    with pytest.raises(SystemExit) as ended:
        execute(["scrapy", *words], settings)
    return ended.value.code, *capsys.readouterr()


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "settings.base")
    for name, value in VARIABLES.items():
        monkeypatch.setenv(f"TOPICRAWL_{name}", value)


def test_each_setting_says_where_it_comes_from_and_no_password_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = printed(["settings", "-s", "PROGRESS_SECONDS=7"], capsys)
    rows = {line.split()[0]: line.split(maxsplit=1)[1] for line in out.splitlines() if " " in line}
    assert code == 0
    assert " ".join(rows["CONSOLE_PORT"].split()) == "9000 environment: TOPICRAWL_CONSOLE_PORT"
    assert " ".join(rows["CONSOLE_HOST"].split()) == "127.0.0.1 settings.base"
    assert rows["PROGRESS_SECONDS"].split()[:2] == ["7", "-s,"]
    assert "TOPICRAWL" not in rows["CONSOLE_URL"]  # an empty variable is none
    assert "hidden" not in rows["STORE"]
    assert "db.internal/x" in rows["STORE"]


def test_one_value_is_printed_as_scrapy_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(["settings", "--getint", "CONSOLE_PORT"], capsys)[1] == "9000\n"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("CONSOLE_HOURS", "no setting CONSOLE_HOURS"),
        ("CONSOLE_SESSION_HOURS", "CONSOLE_SESSION_HOURS must be a number"),
    ],
)
def test_the_environment_is_checked(
    name: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(f"TOPICRAWL_{name}", "x")
    code, _, err = printed(["settings"], capsys)
    assert code == 2
    assert said in err


def test_values_are_bounded_and_secrets_hidden() -> None:
    assert shown_value("A_PASSWORD", "x") == "(hidden)"
    assert shown_value("REDIS_PARAMS", {"password": "x"}) == "{'password': '…'}"
    assert len(shown_value("LONG", "x" * 10_000)) == 101


def test_a_misspelt_name_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, said = printed(["settings", "CONSOLE_PROT"], capsys)
    assert (code, out) == (1, "")
    assert "no setting has CONSOLE_PROT in its name" in said

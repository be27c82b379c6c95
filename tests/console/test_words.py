"""Both languages say the same things, and templates use words that exist."""

import re
from importlib.resources import files

import pytest

from analysis.alerts import KINDS
from console.frame.word_catalogue import Words, catalogue, wished
from console.pages import PAGES

PLACE = re.compile(r"\{(\w+)")
HAN = re.compile(r"[\u4e00-\u9fff]")


def templates() -> dict[str, str]:
    folder = files("console") / "templates"
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.name.endswith(".html")}


def test_both_languages_have_every_key_with_the_same_values() -> None:
    wrong = {
        key: both
        for key, both in catalogue().items()
        if not all(both) or (set(PLACE.findall(both[0])) ^ set(PLACE.findall(both[1]))) - {"month", "month_name"}
    }
    assert wrong == {}
    assert [key for key, (_, english) in catalogue().items() if HAN.search(english) and key != "frame.language"] == []


def test_templates_use_words_that_exist() -> None:
    used = {key for html in templates().values() for key in re.findall(r"""\bt\(["']([\w.]+)["'][,)]""", html)}
    assert used - set(catalogue()) == set()
    assert {f"{page.name}.nav" for page in PAGES if page.group} <= set(catalogue())


def test_every_kind_of_alert_rule_has_its_words() -> None:
    needed = {f"{of}.{kind}" for kind in KINDS for of in ("alerts.kind", "alerts.measure", "alert_rule.more")}
    common = ("kind", "grade", "channels", "quiet_hours", "urgent", "updates", "ending")
    names = {name for rule in KINDS.values() for name in rule.model_fields if name not in common}
    assert needed | {f"alert_rule.field.{name}" for name in names} <= set(catalogue())


def test_every_decision_has_its_sentence() -> None:
    needed = {f"{page.name}.done.{action.name}" for page in PAGES for action in page.actions if not action.is_view}
    assert needed <= set(catalogue())


def test_templates_switch_no_escaping_off_and_have_no_inline_script_or_style() -> None:
    for name, html in templates().items():
        assert not re.search(r"\|\s*safe|autoescape|Markup|<script>|\son\w+=|\sstyle=|https?://(?!some)", html), name


@pytest.mark.parametrize(
    ("header", "language"),
    [("", "zh"), (";;,,", "zh"), ("en-US,en;q=0.9", "en"), ("zh-CN,zh;q=0.9,en;q=0.8", "zh"), ("de,en;q=0.5", "en"),
     ("fr", "zh"), ("en;q=.., zh", "zh")],
)  # fmt: skip
def test_the_browsers_wish_decides(header: str, language: str) -> None:
    assert wished(header) == language


def test_values_and_plurals() -> None:
    english = Words("en")
    assert english("articles.plus", n=1) == "+1 copy"
    assert english("articles.plus", n=1200) == "+1,200 copies"
    with pytest.raises(KeyError):
        english("articles.plus")

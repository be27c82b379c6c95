"""`scrapy site`: what a page is read as, rules by example, and saved pages as tests."""

from argparse import Namespace
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from crawler.commands.site import Command

TEXT = "The council met on Monday and talked about the new bridge over the river for several hours. "
PAGE = f"""<html lang=en><head><title>Bridge talk | The Paper</title></head><body><div id=top><a href=/>Home</a></div>
<div class="story p12345"><h1>Bridge talk</h1><p>{TEXT * 3}</p><div class=ad>Buy now</div><p>It ends here.</p></div>
<span class=by>By Jane Miller</span><i class=when>5 March 2024 10:11</i></body></html>"""
NOTHING = Namespace(like=[], title="", author="", time="", url="https://paper.example/1.html")


@pytest.fixture
def command(tmp_path: Path) -> Command:
    (tmp_path / "sites").mkdir()
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    made = Command()
    made.settings = Settings({"TOPICRAWL_SETTINGS_DIR": str(tmp_path)})
    return made


def _run(command: Command, folder: Path, *words: str, **given: object) -> None:
    command.run([word.replace("PAGE", str(folder / "page.html")) for word in words], Namespace(**vars(NOTHING) | given))


def test_a_rule_is_proposed_by_example_and_said_where_each_field_is_from(
    command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = {
        "like": ["The council met", "It ends here"],
        "title": "Bridge talk",
        "author": "Jane Miller",
        "time": "5 March 2024",
    }
    _run(command, tmp_path, "try", "PAGE", **words)
    said = capsys.readouterr().out
    assert "Rules: none" in said
    assert "article:\n  body: .story\n  title: h1\n  author: .by\n  time: .when\n" in said
    assert "rule   2024-03-05T10:11" in said
    assert command.exitcode == 0


def test_words_that_the_page_lacks_are_said(
    command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(command, tmp_path, "try", "PAGE", like=["no such words"])
    assert "No element has the words given for body." in capsys.readouterr().err
    assert command.exitcode == 1


def test_a_recorded_page_is_a_test_of_the_rules(
    command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sites" / "paper.example.yaml"
    file.write_text("delay: 2  # slow\narticle: {body: .story, remove: .ad}\n", encoding="utf-8")
    for _ in range(2):
        _run(command, tmp_path, "record", "paper.example", "PAGE")
    assert file.read_text(encoding="utf-8").startswith("delay: 2  # slow\n")
    _run(command, tmp_path, "check")
    assert capsys.readouterr().out.count("as it should be") == 2
    assert command.exitcode == 0
    file.write_text(file.read_text(encoding="utf-8").replace(", remove: .ad", ", title: .by"), encoding="utf-8")
    _run(command, tmp_path, "check", "paper.example")
    assert "title is 'By Jane Miller', not 'Bridge talk'" in capsys.readouterr().out
    assert command.exitcode == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("try",), "Use: scrapy site try"),
        (("check", "nosuch.example"), "There is no settings/sites/nosuch.example.yaml"),
        (("record", "nosuch.example", "PAGE"), "write the rules of the site first"),
        (("try", "missing.html"), "cannot be read"),
    ],
)
def test_mistakes_are_said(command: Command, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        _run(command, tmp_path, *words)


def test_a_wrong_selector_is_said_with_file_and_line(command: Command, tmp_path: Path) -> None:
    (tmp_path / "sites" / "a.example.yaml").write_text("article:\n  body: 'div['\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"a\.example\.yaml, line 2, article\.body: 'div\[' is not a selector"):
        _run(command, tmp_path, "check")

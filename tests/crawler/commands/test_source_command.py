"""`scrapy source` with saved answers, in this process."""

import json
from argparse import ArgumentParser
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from crawler.commands.source import Command

BODY = json.dumps(
    {"data": {"list": [{"name": f"新闻标题第{n}条", "link": f"/a/{n}", "ctime": 1764200000} for n in range(1, 6)]}}
)


def source(folder: Path, *words: str) -> int:
    """Returns the exit code."""
    command, parser = Command(), ArgumentParser(conflict_handler="resolve")
    command.settings = Settings({"TOPICRAWL_SETTINGS_DIR": str(folder)})
    command.add_options(parser)
    options, rest = parser.parse_known_args(words)
    command.run(rest, options)
    return command.exitcode


def test_a_list_is_shown_saved_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "answer.json"
    saved.write_text(BODY, encoding="utf-8")
    trying = ("try", "https://some.example/list", "--file", str(saved))
    assert source(tmp_path, *trying, "--save", "mine") == 0
    out = capsys.readouterr().out
    assert "5 items at https://some.example/list" in out
    assert "2025-11-26T23:33  新闻标题第1条  https://some.example/a/1" in out
    assert "list: data.list\nfields: {url: link, title: name, time: ctime}\n" in out
    assert source(tmp_path, "check", "mine") == 0
    assert "mine                     ok, 5 items as of" in capsys.readouterr().out
    (tmp_path / "sources/tests/mine.json").write_text(BODY.replace("link", "ref"), encoding="utf-8")
    assert source(tmp_path, "check", "mine") == 1
    assert "of 5 items none has an address (link)" in capsys.readouterr().err
    assert source(tmp_path, "record", "mine", "--file", str(saved)) == 0
    assert source(tmp_path, "check", "mine") == 0
    with pytest.raises(UsageError, match="cannot be written"):
        source(tmp_path, *trying, "--save", "mine")


def test_what_cannot_be_read_has_a_sentence_and_code_7(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "answer.json"
    saved.write_text('{"data": [1, 2]}', encoding="utf-8")
    assert source(tmp_path, "try", "https://some.example/list", "--file", str(saved)) == 7
    assert "the JSON has no array of objects" in capsys.readouterr().err
    assert source(tmp_path, "try", "https://some.example/list", "--file", str(saved), "--json") == 7
    assert json.loads(capsys.readouterr().out)["items"] == []
    assert source(tmp_path, "try", "https://some.example/list", "--file", str(tmp_path / "none")) == 7


def test_mistakes_are_said(tmp_path: Path) -> None:
    for words, sentence in ((("fly",), "Use: scrapy source"), (("check", "nosuch"), "There is no source 'nosuch'")):
        with pytest.raises(UsageError, match=sentence):
            source(tmp_path, *words)

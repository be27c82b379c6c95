"""`scrapy analysis`, as people call it."""

import json
from pathlib import Path

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

from tests.crawler.commands.test_extract import scrapy

TEXT = "记者李晓梅从广东省公安厅获悉，昨晚8时许，永吉县发生地震。"


def test_a_text_is_read_from_standard_input() -> None:
    done = scrapy("analysis", "read", "-", "--date", "2026-05-10", "--json", given=TEXT.encode())
    assert not done.stderr
    found = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert all(TEXT[entry["start"] : entry["end"]] == entry["text"] for entry in found)
    assert {"person": "李晓梅", "time": "昨晚8时许", "place": "永吉县"}.items() <= {
        entry["kind"]: entry["text"] for entry in found
    }.items()
    assert next(entry["from"] for entry in found if entry["kind"] == "time") == "2026-05-09T20:00:00"


def test_wrong_arguments_get_a_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.txt").write_bytes(b"\xff\xfe\xff")
    for words, sentence in (
        (["read"], "or read FILE"),
        (["read", str(tmp_path / "none.txt")], "cannot be read"),
        (["read", str(tmp_path / "broken.txt")], "cannot be read"),
        (["read", "-", "--date", "soon"], "is not a date"),
    ):
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", "analysis", *words], Settings({"COMMANDS_MODULE": "console.commands"}))
        assert ended.value.code in (1, 2)
        assert sentence in capfd.readouterr().err

"""Crawled text gives no orders to the terminal; outside the project every command says where it works."""

import io
import logging
import subprocess
import sys
import tomllib
from argparse import Namespace
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.utils.misc import load_object

from crawler.command_line import PrintableRecord, printable, write_out
from crawler.printed_tables import print_table

ROOT = Path(__file__).resolve().parents[2]

HOSTILE = "\x1b]0;owned\x07红\x9b31m字\x7f\tend\r\nnext"
SAFE = "]0;owned红31m字\tend\nnext"


def test_control_characters_are_dropped_and_text_stays(capsys: pytest.CaptureFixture[str]) -> None:
    assert printable(HOSTILE) == SAFE
    write_out(HOSTILE)
    print_table(("title",), [(HOSTILE,)])
    shown = capsys.readouterr().out
    assert not {"\x1b", "\x07", "\x7f", "\x9b", "\r"} & set(shown)
    assert shown.startswith(SAFE)


def test_a_table_whose_reader_has_ended_is_no_error() -> None:
    code = "from crawler.printed_tables import print_table; print_table(('a',), [(str(n),) for n in range(20_000)])"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(1)
        running.stdout.close()
        said = running.stderr.read()
    assert (running.returncode, said) == (0, b"")


def test_lines_of_the_log() -> None:
    lines, log = io.StringIO(), logging.Logger("hostile")
    log.addHandler(logging.StreamHandler(lines))
    before = logging.getLogRecordFactory()
    logging.setLogRecordFactory(PrintableRecord)
    try:
        log.error("No answer from %s", HOSTILE)
        try:
            raise ValueError(HOSTILE)
        except ValueError:
            log.exception("failed")
    finally:
        logging.setLogRecordFactory(before)
    assert lines.getvalue().startswith(f"No answer from {SAFE}\n")
    assert f"ValueError: {SAFE}" in lines.getvalue()
    assert not {"\x1b", "\x9b"} & set(lines.getvalue())


def test_every_command_says_outside_the_project_where_it_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    stand_ins = project["entry-points"]["scrapy.commands"]
    commands = {path.stem for path in (ROOT / "crawler" / "commands").glob("[!_]*.py")}
    assert stand_ins.keys() >= commands
    monkeypatch.chdir(tmp_path)
    for path in set(stand_ins.values()) - {"scrapy.commands.settings:Command"}:  # other projects have it as it is
        with pytest.raises(UsageError, match=f"works in {ROOT}"):
            load_object(path.replace(":", "."))().process_options([], Namespace())

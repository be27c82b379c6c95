"""Exported text gives no orders: neither to a spreadsheet nor to a terminal, and every program reads it."""

import csv
import io
import json
from contextlib import closing
from pathlib import Path

import pytest

from pipelines.exporting import WRITERS, CsvWriter, JsonLinesWriter, with_readable_source
from pipelines.stores.base import Column
from pipelines.stores.checked import CheckedStore
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, SOURCES, TABLES
from testbed.hostile_rows import spoil

_HOSTILE = "\x00\x1b[31m红\x9b2J\x07\x85\u2028\ufffe\uffff\x7f一\t二\n三"


def _written(kind: type[CsvWriter] | type[JsonLinesWriter], text: str) -> bytes:
    out = io.BytesIO()
    writer = kind(out, [Column("title")])
    writer.write({"title": text})
    writer.close()
    return out.getvalue()


def test_csv_has_no_control_characters() -> None:
    rows = list(csv.reader(io.StringIO(_written(CsvWriter, _HOSTILE).decode("utf-8-sig"), newline="")))
    assert rows[1] == ["[31m红2J\u2028一\t二\n三"]


@pytest.mark.parametrize("text", ["\x00=1+1", "\x1b@x", "=cmd|' /C calc'!A0", "＝1", "\r=1"])
def test_no_cell_runs_as_a_formula(text: str) -> None:
    rows = list(csv.reader(io.StringIO(_written(CsvWriter, text).decode("utf-8-sig"), newline="")))
    assert rows[1][0].startswith("'")


def test_json_lines_keep_all_and_show_none() -> None:
    line = _written(JsonLinesWriter, _HOSTILE).decode()
    assert json.loads(line) == {"title": _HOSTILE}
    assert len(line.splitlines()) == 1
    assert all(character >= " " and not "\x7f" <= character <= "\x9f" for character in line.rstrip("\n"))


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_rows_with_values_of_other_kinds_do_not_end_an_export(tmp_path: Path, kind: str) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow", reason="topicrawl[parquet] is not installed")
    with closing(open_store(f"sqlite:///{tmp_path}/a.db")) as store:
        store.upsert(SOURCES, [{"key": "s", "body": b"no zstd", "compression": "zstd", "charset": "x"}]).result()
        store.upsert(PAGES, [{"key": "p", "url": "http://a.example/", "title": "t"}]).result()
        spoil(Path(store.location), 1)
        for table in TABLES.values():
            out = io.BytesIO()
            writer = WRITERS[kind](out, table.columns)
            for row in CheckedStore(store).select(table):
                writer.write(with_readable_source(row))
            writer.close()
            assert out.getvalue()

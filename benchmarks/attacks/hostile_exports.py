"""Rows and pages with hostile values exported as CSV, JSON lines, Parquet and WARC: every row comes back, or is counted as left out."""

import csv
import io
import json
from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

from benchmarks.attacks import SKIPPED, Trial, outcome
from benchmarks.console import fill
from pipelines.exporting import WRITERS, RowWriter, with_readable_source
from pipelines.stores.base import Column, Row, Store
from pipelines.stores.checked import CheckedStore
from pipelines.stores.opening import open_store
from pipelines.stores.tables import SOURCES, TABLES
from pipelines.warc.stored_sources import WarcRowWriter, archived_rows
from testbed.hostile.markup import page
from testbed.hostile_rows import spoil


def attack(folder: Path, trial: Trial) -> str:
    """Every table in every format, read as `scrapy export` and the console do."""
    for package in ("pyarrow", "warcio"):
        if find_spec(package) is None:
            return f"{SKIPPED}: {package} is not installed"
    with closing(open_store(f"sqlite:///{folder}/made.db")) as store:
        fill(store, 100)
        store.upsert(SOURCES, [_source(trial, number) for number in range(50)]).result()
        spoil(Path(store.location), trial.seed)
        faults, files = set[str](), 0
        for table in TABLES.values():
            rows = [with_readable_source(row) for row in CheckedStore(store).select(table)]
            for kind, writer in WRITERS.items():
                faults.add(_fault(f"{table.name}.{kind}", kind, writer, table.columns, rows))
                files += 1
        faults.add(_warc_fault(store))
    return outcome(f"{files + 1} files written and read back", *sorted(faults)[:6])


def _source(trial: Trial, number: int) -> dict[str, Any]:
    chance = trial.chance()
    body = chance.choice((chance.randbytes(5_000), page(chance, 5_000).encode("utf-8", "replace"), b""))
    return {"key": f"s{number}", "body": body, "compression": "", "charset": chance.choice(("utf-8", "x", "utf-16"))}


def _fault(name: str, kind: str, writer: type[RowWriter], columns: tuple[Column, ...], rows: list[Row]) -> str:
    out = io.BytesIO()
    try:
        file = writer(out, columns)
        for row in rows:
            file.write(row)
        file.close()
        found = _READERS[kind](io.BytesIO(out.getvalue()))
    except Exception as error:
        return f"{name}: {type(error).__name__}: {str(error)[:80]}"
    expected = len(rows) - file.left_out
    return "" if found == expected else f"{name}: {found} of {expected} rows came back"


def _warc_fault(store: Store) -> str:
    from warcio.archiveiterator import ArchiveIterator

    out = io.BytesIO()
    rows = list(archived_rows(CheckedStore(store), SOURCES, (), (), 0))
    try:
        writer = WarcRowWriter(out, SOURCES.columns)
        for row in rows:
            writer.write(row)
        found = sum(record.rec_type != "warcinfo" for record in ArchiveIterator(io.BytesIO(out.getvalue())))
    except Exception as error:
        return f"sources.warc: {type(error).__name__}: {str(error)[:80]}"
    expected = len(rows) - writer.left_out
    return "" if found == expected else f"sources.warc: {found} of {expected} records came back"


def _csv(file: BinaryIO) -> int:
    csv.field_size_limit(1 << 30)
    return sum(1 for _ in csv.DictReader(io.TextIOWrapper(file, "utf-8-sig", newline="")))


def _lines(file: BinaryIO) -> int:
    return sum(isinstance(json.loads(line), dict) for line in file)


def _parquet(file: BinaryIO) -> int:
    from pyarrow import parquet

    return int(parquet.read_table(file).num_rows)


_READERS: dict[str, Callable[[BinaryIO], int]] = {"csv": _csv, "jsonl": _lines, "parquet": _parquet}

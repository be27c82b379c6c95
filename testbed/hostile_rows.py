"""Rows with values of the wrong kind, in every column of every table, as a damaged file or another program may leave them."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from pipelines.stores.base import Column, Table
from pipelines.stores.people_tables import SECRET_TABLES
from pipelines.stores.tables import TABLES
from pipelines.stores.values import pack

_DEEP = "[" * 900 + "]" * 900
_SHAPES: tuple[str, ...] = (
    *(
        '{"a":',
        _DEEP,
        '"\\ud800"',
        "NaN",
        "[Infinity]",
        "1e999",
        "true",
        '"x"',
        "7",
        "null",
        "[null]",
        "[[]]",
        "[[[1]]]",
    ),
    *(
        "{}",
        '{"a": null}',
        '{"a": {"b": [1]}}',
        "[{}]",
        '[{"at": 7, "site": []}]',
        '[["x"]]',
        "[1, 2]",
        '[-1, "a"]',
        "[1e308]",
    ),
    *(
        '["\\udfff"]',
        '{"urls": 7}',
        '{"\\ud800": 1}',
        '{"kind": [], "page": {}}',
        "9" * 5_000,
        "[" + "9" * 400 + "]",
        '["' + "x" * 300_000 + '"]',
    ),
)
_TEXTS: tuple[Any, ...] = (
    *(
        None,
        "",
        b"\xff\x00",
        "\x00",
        "not a time",
        "9999-12-31T23:59:59-23:59",
        "0001-01-01T00:00:00+14:00",
        "2026-13-45",
        "2026-11-20",
    ),
    *(
        "2026-11-20T08:30:00",
        "T",
        "x" * 100_000,
        "\u202e%s{0}{{7*7}}",
        "../../etc",
        "http://[",
        "a.b.c",
        "-",
        "99999999999999999999",
    ),
)
_NUMBERS: tuple[Any, ...] = (
    *(
        None,
        "x",
        "",
        b"\xff",
        -1,
        0,
        2**63 - 1,
        -(2**63),
        float("inf"),
        float("-inf"),
        1e308,
        -1e308,
        1e18,
        0.5,
        253402300800,
    ),
)


def hostile_value(column: Column, chance: random.Random) -> Any:
    """A value that SQLite may return for the column."""
    match column.kind:
        case "json":
            return chance.choice((*_SHAPES, b"\xff", 7, 0.5))
        case "packed":
            return chance.choice((b"", b"\xff", "x", 7, *map(pack, _SHAPES)))
        case "blob":
            return chance.choice((None, b"", b"\xff" * 7, "x", 7, 0.5))
        case "integer" | "real":
            return chance.choice(_NUMBERS)
    return chance.choice(_TEXTS)


def spoil(path: Path, seed: int) -> int:
    """Add, for each column of each table with rows, copies of a row that differ in this column; returns the number of copies."""
    chance, added = random.Random(seed), 0
    with closing(sqlite3.connect(path)) as database, database:
        for table in (*TABLES.values(), *SECRET_TABLES):
            added += _spoil_table(database, table, chance)
    return added


def _spoil_table(database: sqlite3.Connection, table: Table, chance: random.Random) -> int:
    names = list(table.by_name)
    found = database.execute(f"SELECT {', '.join(names)} FROM {table.name} ORDER BY rowid DESC LIMIT 5").fetchall()
    if not found:
        found = [tuple(hostile_value(column, chance) for column in table.columns)]
    for column in table.columns:
        row = dict(zip(names, chance.choice(found), strict=True))
        row[table.key[-1]] = f"{row[table.key[-1]]}-{column.name}"
        row[column.name] = hostile_value(column, chance)
        marks = ", ".join("?" * len(row))
        database.execute(f"INSERT OR REPLACE INTO {table.name} ({', '.join(row)}) VALUES ({marks})", list(row.values()))
    return len(names)

"""Random markup in every text that strangers write, and as the page itself: no view runs it, fails, or takes long."""

import time
from pathlib import Path

import zstandard

from benchmarks.attacks import Trial, outcome
from benchmarks.filled_console import filled_console
from pipelines.stores.alert_tables import ALERT_TABLES
from pipelines.stores.analysis_tables import EVENTS, MEMBERS
from pipelines.stores.base import Column, Store, Table
from pipelines.stores.tables import PAGES, PROPAGATION, QUERIES, RECORDS, RESULTS, RUNS, SOURCES, TERMS, URLS
from testbed.console_views import views
from testbed.hostile.markup import MARK, page, piece

_TABLES = (PAGES, RECORDS, URLS, PROPAGATION, EVENTS, MEMBERS, RUNS, QUERIES, RESULTS, TERMS, *ALERT_TABLES)
_ROWS = 40
_MAX_SECONDS = 2.0
_KEPT = ("state", "kind", "verdict", "topic", "language", "class", "engine", "crawl", "spider")


def attack(folder: Path, trial: Trial) -> str:
    """Views of forty rows of each table with markup."""
    chance = trial.chance()
    with filled_console(folder) as (client, store):
        for table in _TABLES:
            _spread(store, table, lambda: MARK + piece(chance))
        keys = [row["key"] for row in store.select(PAGES, limit=10, columns=["key"])]
        bodies = [zstandard.compress(page(chance, 300_000).encode("utf-8", "replace")) for _ in keys]
        store.upsert(
            SOURCES, [{"key": key, "body": body, "compression": "zstd"} for key, body in zip(keys, bodies, strict=True)]
        ).result()
        answers, slowest, faults = 0, 0.0, set[str]()
        for path in [*(f"/articles/{key}/page" for key in keys), *views(store, most=15)]:
            began = time.monotonic()
            answer = client.get(path)
            answers, slowest = answers + 1, max(slowest, time.monotonic() - began)
            if answer.status_code >= 500:
                faults.add(f"{answer.status_code} {path}")
            if "text/html" in answer.headers.get("content-type", "") and MARK in answer.text:
                faults.add(f"unescaped {path}")
    figures = f"{answers} answers, the slowest in {slowest:.2f} s"
    return outcome(figures, ", ".join(sorted(faults)[:5]), "too slow" if slowest > _MAX_SECONDS else "")


def _spread(store: Store, table: Table, text: object) -> None:
    """Other texts in the columns that hold strangers' words, of the first rows."""

    def is_words(column: Column) -> bool:
        return column.kind == "text" and not (
            column.name in (*table.key, *_KEPT)
            or column.shape is not object
            or column.name.endswith(("_at", "_seen", "at"))
        )

    assert callable(text)
    names = [column.name for column in table.columns if is_words(column)]
    rows = [row | {name: text() for name in names} for row in store.select(table, limit=_ROWS)]
    store.upsert(table, rows).result()

"""`scrapy prune` as people use it: counts, a question, and a database that is smaller afterwards."""

import os
import re
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import duckdb
import pytest

from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, SOURCES

Run = Callable[..., tuple[str, str, int]]


@pytest.fixture
def database(tmp_path: Path, store: Store) -> Path:
    pages = [{"key": str(n), "url": f"http://a.example/{n}", "fetched_at": f"20{26 - n % 2}-01-01"} for n in range(200)]
    sources = [{"key": row["key"], "body": os.urandom(20_000), "fetched_at": row["fetched_at"]} for row in pages]
    store.write([*((PAGES, row) for row in pages), *((SOURCES, row) for row in sources)]).result()
    store.close()
    return tmp_path / "a.db"


@pytest.fixture
def run(database: Path, scrapy: Run) -> Run:
    return partial(scrapy, "prune", STORE=f"sqlite:///{database}")


def test_it_counts_asks_removes_and_gives_the_room_back(run: Run, database: Path) -> None:
    size = database.stat().st_size
    out, _, code = run("--before", "2025-06-01", "--dry-run")
    assert (out.split(), code) == (["would", "go:", "100", "pages", "100", "sources"], 0)
    out, said, code = run("--before", "2025-06-01")
    assert ("will go" in out, "add --yes" in said, code) == (True, True, 1)
    assert database.stat().st_size == size
    out, said, code = run("--before", "2025-06-01", "--yes")
    assert (out.split()[0], said, code) == ("removed:", "", 0)
    assert database.stat().st_size < size * 0.6
    assert run("--before", "2025-06-01", "--yes")[0] == "nothing is that old\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "name an age"),
        (["--before", "long ago"], "is not a time"),
        (["--before", "1d", "--table", "terms"], "cannot be pruned"),
        (["--before", "1d", "--where", "nonsense = 1"], "no column 'nonsense'"),
        (["--before", "1d", "--by", "url2"], "no column"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(run: Run, words: list[str], sentence: str) -> None:
    _, said, code = run(*words)
    assert sentence in said
    assert "Traceback" not in said
    assert code in (1, 2)


def test_exported_rows_answer_the_query_of_the_guide(
    run: Run, database: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    guide = (Path(__file__).parents[3] / "docs/storage.md").read_text(encoding="utf-8")
    (query,) = re.findall(r"```sql\n(.*?)```", guide, re.S)
    with closing(open_store(f"sqlite:///{database}")) as store:
        rows = [{"key": str(n), "host": "a.example", "title": "新闻：地震"} for n in range(4)]
        store.upsert(PAGES, rows).result()
    monkeypatch.chdir(tmp_path)
    out, said, code = run("--before", "2025-06-01", "--export", "old", "--yes")
    assert (out.split(), said, code) == (["removed:", "100", "pages", "100", "sources"], "200 rows are in old\n", 0)
    assert duckdb.sql(query).fetchall() == [("2025-01", "a.example", 2)]

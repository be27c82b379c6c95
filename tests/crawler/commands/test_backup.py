"""`scrapy backup` and `scrapy restore`: equal row by row, between kinds of databases, and after a kill."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from crawler.commands import restore
from crawler.commands.backup import BACKED_UP
from pipelines.stores.base import Store, Table
from pipelines.stores.opening import open_store
from pipelines.stores.people_tables import SESSIONS

Run = Callable[..., tuple[str, str, int]]
VALUES = {"text": "地铁", "integer": 7, "real": 0.25, "blob": b"\x00\xff", "json": ["a"], "packed": ["b", "c"]}
MANY = 450


def row(table: Table, number: int) -> dict[str, object]:
    values = {column.name: VALUES[column.kind] for column in table.columns if number % 2 or column.name in table.key}
    return values | {table.key[-1]: number if table.column(table.key[-1]).kind == "integer" else f"k{number}"}


def fill(store: Store) -> None:
    numbers = {table: range(MANY if table.name == "pages" else 3) for table in (*BACKED_UP, SESSIONS)}
    store.write([(table, row(table, number)) for table in numbers for number in numbers[table]]).result()


def rows_of(store: Store) -> dict[str, list[str]]:
    return {
        table.name: sorted(map(repr, (sorted(each.items()) for each in store.select(table)))) for table in BACKED_UP
    }


@pytest.fixture
def here(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The settings of a filled folder, in which a crawl has its queue open."""
    fill(store)
    folder = tmp_path / "here"
    (folder / "frontier").mkdir(parents=True)
    (folder / "own" / "sites").mkdir(parents=True)
    (folder / "own" / "sites" / "a.yaml").write_text("delay: 3\n")
    queue = sqlite3.connect(folder / "frontier" / "site.db", isolation_level=None)
    queue.executescript(
        "PRAGMA journal_mode = WAL; CREATE TABLE requests (url TEXT); INSERT INTO requests VALUES ('x')"
    )
    monkeypatch.setattr(restore, "_queue_of_the_test", queue, raising=False)  # open until the end
    monkeypatch.chdir(tmp_path)
    return {
        "STORE": f"sqlite:///{tmp_path}/a.db",
        "DATA_DIR": str(folder),
        "TOPICRAWL_SETTINGS_DIR": str(folder / "own"),
    }


def there(folder: Path, address: str = "") -> dict[str, str]:
    (folder / "own").mkdir(parents=True, exist_ok=True)
    address = address or f"sqlite:///{folder}/b.db"
    return {"STORE": address, "DATA_DIR": str(folder / "data"), "TOPICRAWL_SETTINGS_DIR": str(folder / "own")}


def test_another_folder_gets_every_row_queue_and_file(
    here: dict[str, str], store: Store, tmp_path: Path, scrapy: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, said, code = scrapy("backup", "b.zip", **here)
    assert (code, said, out.startswith(f"{MANY} pages")) == (0, "", True)
    assert (tmp_path / "b.zip").stat().st_mode & 0o077 == 0
    assert {path.name for path in tmp_path.glob("b.zip*")} == {"b.zip"}
    other = there(tmp_path / "there")
    with monkeypatch.context() as patched:
        shown = iter([None, KeyboardInterrupt()])
        patched.setattr(
            restore.PassingLine, "show", lambda *_: (_ for _ in ()).throw(e) if (e := next(shown)) else None
        )
        assert scrapy("restore", "b.zip", **other)[2] == 130
    assert scrapy("restore", "b.zip", **other)[2] == 0
    with closing(open_store(other["STORE"])) as restored:
        assert rows_of(restored) == rows_of(store)
        assert not list(restored.select(SESSIONS))
    with closing(sqlite3.connect(tmp_path / "there" / "data" / "frontier" / "site.db")) as queue:
        assert queue.execute("SELECT url FROM requests").fetchall() == [("x",)]
    assert (tmp_path / "there" / "own" / "sites" / "a.yaml").read_text() == "delay: 3\n"
    assert "has rows of" in scrapy("restore", "b.zip", **other)[1]


def test_from_a_file_to_mongodb_and_back(
    here: dict[str, str], store: Store, whole_mongo_uri: str, tmp_path: Path, scrapy: Run
) -> None:
    cluster, back = there(tmp_path / "cluster", whole_mongo_uri), there(tmp_path / "back")
    for command, name, settings in (
        *(("backup", "1.zip", here), ("restore", "1.zip", cluster)),
        *(("backup", "2.zip", cluster), ("restore", "2.zip", back)),
    ):
        assert scrapy(command, name, **settings)[2] == 0
    with closing(open_store(back["STORE"])) as restored:
        assert rows_of(restored) == rows_of(store)


def test_a_backup_of_which_a_byte_was_changed_or_a_part_is_missing_is_refused(
    here: dict[str, str], tmp_path: Path, scrapy: Run
) -> None:
    scrapy("backup", "b.zip", **here)
    whole = (tmp_path / "b.zip").read_bytes()
    for damaged in (whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:], whole[: len(whole) // 2], b"", b"PK"):
        (tmp_path / "c.zip").write_bytes(damaged)
        _, said, code = scrapy("restore", "c.zip", **there(tmp_path / "there"))
        assert (code, "Traceback" in said) == (1, False)
        assert "c.zip" in said
    assert not (tmp_path / "there" / "b.db").exists()
    assert "exists" in scrapy("backup", "b.zip", **here)[1]

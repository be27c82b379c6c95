"""Which files there are, and which page is in which: what the store knows of sealed months."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from scrapy.settings import BaseSettings

from pipelines.stores.base import Condition, MutableRow, Order, Store, Table
from pipelines.stores.sealed_tables import SEALED_PAGES, SEALED_PARTS
from pipelines.stores.tables import LINKS, PAGES, RECORDS, SOURCES, VERSIONS

WRITING, WRITTEN, SEALED = "writing", "written", "sealed"
OWNERS = {VERSIONS.name: "page", RECORDS.name: "page", LINKS.name: "page", SOURCES.name: "key", PAGES.name: "key"}
"""The tables that are sealed, and the column with the key of the page to which a row belongs; pages themselves go last."""
_KEYS_AT_ONCE = 500


def sealed_folder(settings: BaseSettings) -> Path:
    """SEALED_DIR, or the folder `sealed` in DATA_DIR."""
    return Path(settings.get("SEALED_DIR") or Path(settings.get("DATA_DIR") or "data") / "sealed")


def file_of(folder: Path, part: str, table: Table) -> Path:
    """The file with the rows of this table; `part` is the month and a name, as in 2026-04/3f9a2c1b."""
    return folder / f"{part}-{table.name}.parquet"


def parts(store: Store, month: str = "") -> list[MutableRow]:
    """All parts, or those of a month, oldest first."""
    where = [Condition("month", "=", month)] if month else []
    return list(store.select(SEALED_PARTS, where, [Order("month"), Order("sealed_at"), Order("part")]))


def months_not_touched(store: Store, verb: str) -> str:
    """A sentence about sealed months for a command that leaves them as they are; "" if there are none."""
    months = sorted({row["month"] for row in parts(store)})
    if not months:
        return ""
    return f"Sealed months are not {verb}: {', '.join(months)}. To include one, run scrapy seal --open MONTH first."


def parts_of(store: Store, pages: Sequence[str]) -> dict[str, str]:
    """The part of each of these pages that is sealed."""
    found = dict[str, str]()
    for keys in chunks(pages):
        rows = store.select(SEALED_PAGES, [Condition("page", "in", keys)])
        found.update((row["page"], row["part"]) for row in rows if row["part"])
    return found


def chunks(keys: Sequence[str], size: int = _KEYS_AT_ONCE) -> Iterator[list[str]]:
    """Lists of at most so many, in their order."""
    return (list(keys[start : start + size]) for start in range(0, len(keys), size))


def owned_by(table: Table, pages: Iterable[str]) -> Condition:
    """Rows of these pages."""
    return Condition(OWNERS[table.name], "in", list(pages))

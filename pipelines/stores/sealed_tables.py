"""What the store knows of sealed months: which files have them, and which file has a page."""

from pipelines.stores.base import Column, Table

SEALED_PARTS = Table(
    "sealed_parts",
    (
        *(Column(name) for name in ("part", "month", "state", "before", "sealed_at")),
        Column("pages", "integer"),
        Column("rows", "json"),
    ),
    key=("part",),
)
"""One row for a set of Parquet files with the rows of some pages of a month. State is writing (the files do not count), written (they
count; the same rows are being removed from the store) or sealed. `rows`: how many of each table; `before`: rows that were collected
from this moment on stay in the store."""

SEALED_PAGES = Table("sealed_pages", (Column("page"), Column("part")), key=("page",))
"""The part that has the rows of a page. Rows of the page in other parts do not count."""

SEALED_TABLES = (SEALED_PARTS, SEALED_PAGES)

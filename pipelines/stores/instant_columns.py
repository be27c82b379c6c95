"""Instants for the times that pages write.

Pages write times with and without zones, and bare dates; as texts they do not sort in order of time.
"""

from datetime import UTC, datetime

from extractors.text.instants import instant_of
from pipelines.stores.base import Table


def utc_text(moment: datetime) -> str:
    """In UTC to the second, so that instants sort as texts; a moment without a zone is one of UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat(timespec="seconds")


def instants(name: str, text: str | None, language: str) -> dict[str, str]:
    """The columns beside the time `name`: `…_at`, and `…_precision`; both "" if the text is not a time."""
    found = instant_of(text or "", language)
    return {f"{name}_at": found.utc if found else "", f"{name}_precision": found.precision if found else ""}


def instant_column(table: Table, name: str) -> str:
    """The column of a time's instants, if there is one; else the column of the time. StoreError for an unknown column."""
    beside = f"{name}_at"
    return beside if beside in table.by_name else table.column(name).name

"""Rows as files, streamed while they are read."""

import io
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from starlette.responses import Response, StreamingResponse

from console.frame.spreadsheet import workbook
from pipelines.exporting import WRITERS
from pipelines.stores.base import Column, MutableRow

FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_CHUNK_BYTES = 64_000


def exported(name: str, kind: str, columns: Sequence[Column], rows: Iterator[MutableRow]) -> Response:
    """A download; cells are escaped so that spreadsheets run no formulas."""
    file = f"topicrawl-{name}-{datetime.now(UTC):%Y%m%d-%H%M}.{kind}"
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    chunks = workbook(columns, rows) if kind == "xlsx" else _chunks(kind, columns, rows)
    return StreamingResponse(chunks, media_type=FORMATS[kind], headers=headers)


def _chunks(kind: str, columns: Sequence[Column], rows: Iterator[MutableRow]) -> Iterator[bytes]:
    out = io.BytesIO()
    writer = WRITERS[kind](out, columns)
    for row in rows:
        writer.write(row)
        if out.tell() > _CHUNK_BYTES:
            yield _taken(out)
    writer.close()
    yield _taken(out)


def _taken(out: io.BytesIO) -> bytes:
    data = out.getvalue()
    out.seek(0)
    out.truncate()
    return data

"""Rows as files, streamed while they are read."""

import io
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from console.frame.spreadsheet import Headings, workbook
from pipelines.exporting import WRITERS
from pipelines.stores.base import Column, MutableRow

logger = logging.getLogger(__name__)
FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_CHUNK_BYTES = 64_000
_MIN_BYTES_A_SECOND = 5_000
_GRACE_SECONDS = 60.0
"""Time spent waiting for the client after which its speed counts."""


class Download(Response):
    """A file that is made while it is sent, in a place of the view limit.

    It ends when the client goes away, or takes less than 300 kB a minute; what made it is closed then.
    """

    def __init__(
        self, chunks: Iterator[bytes], place: AbstractAsyncContextManager[None], media_type: str, file: str
    ) -> None:
        super().__init__(media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{file}"'})
        del self.headers["content-length"]
        self._chunks, self._place = chunks, place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._place:
            try:
                async with anyio.create_task_group() as group:
                    group.start_soon(_until_gone, receive, group.cancel_scope)
                    await self._send_all(send)
                    group.cancel_scope.cancel()
            finally:
                with anyio.CancelScope(shield=True):
                    await run_in_threadpool(self._chunks.close)  # type: ignore[attr-defined]

    async def _send_all(self, send: Send) -> None:
        chunk = await run_in_threadpool(next, self._chunks, b"")
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        sent, waited = 0, 0.0
        while chunk:
            began = anyio.current_time()
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
            sent, waited = sent + len(chunk), waited + anyio.current_time() - began
            if waited > _GRACE_SECONDS and sent < waited * _MIN_BYTES_A_SECOND:
                logger.warning("An export was cut off: its reader took %d bytes in %d s", sent, waited)
                return
            chunk = await run_in_threadpool(next, self._chunks, b"")
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive, scope: anyio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


def exported(
    name: str,
    kind: str,
    columns: Sequence[Column],
    rows: Callable[[], Iterator[MutableRow]],
    place: AbstractAsyncContextManager[None],
    headings: Headings,
) -> Response:
    """A download; cells are escaped so that spreadsheets run no formulas.

    Args:
        rows: called when the download begins.
        place: held during the download.
        headings: of a workbook, in the reader's language; other files are for programs and keep the names of columns.
    """
    file = f"topicrawl-{name}-{datetime.now(UTC):%Y%m%d-%H%M}.{kind}"
    return Download(_file(kind, columns, rows, headings), place, FORMATS[kind], file)


def _file(
    kind: str, columns: Sequence[Column], rows: Callable[[], Iterator[MutableRow]], headings: Headings
) -> Iterator[bytes]:
    yield from workbook(columns, rows(), headings) if kind == "xlsx" else _chunks(kind, columns, rows())


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

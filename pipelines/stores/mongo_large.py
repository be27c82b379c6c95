"""Values too large for a MongoDB document (16 MB in all) live in GridFS, and the document says where.

A file is named by its content, so rows may share it; files that no document names any more are left.
"""

import contextlib
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from gridfs.asynchronous import AsyncGridFSBucket
from gridfs.errors import FileExists, NoFile

from pipelines.stores.mongo_documents import Document

_LARGE = 4_000_000
"""Bytes of a text or blob from which it is kept outside; a row has few such columns."""
_MARK = "kept in GridFS"


async def outsourced(bucket: AsyncGridFSBucket, document: Document) -> Document:
    """The document with each large value replaced by a reference to a file that holds it."""
    large = {name: value for name, value in document.items() if _is_large(value)}
    if not large:
        return document
    return document | {name: {_MARK: await _stored(bucket, value)} for name, value in large.items()}


async def _stored(bucket: AsyncGridFSBucket, value: str | bytes) -> str:
    """The name of the file with this content: its hash, so that a write that is tried again writes nothing new."""
    kind, content = ("text", value.encode()) if isinstance(value, str) else ("bytes", value)
    name = f"{kind}:{blake2b(content, digest_size=20).hexdigest()}"
    try:
        await bucket.upload_from_stream_with_id(name, name, content)
    except FileExists:
        if not await bucket.find({"_id": name}).to_list(1):  # an upload that was broken off
            with contextlib.suppress(NoFile):
                await bucket.delete(name)
            await bucket.upload_from_stream_with_id(name, name, content)
    return name


async def resolved(bucket: AsyncGridFSBucket, document: Mapping[str, Any]) -> Document:
    """The document with references replaced by the values; None for one whose file has gone."""
    return {name: await _read(bucket, value) if _is_reference(value) else value for name, value in document.items()}


async def _read(bucket: AsyncGridFSBucket, reference: Document) -> str | bytes | None:
    name = str(reference[_MARK])
    try:
        content = await (await bucket.open_download_stream(name)).read()
    except NoFile:
        return None
    return content.decode() if name.startswith("text:") else bytes(content)


def _is_large(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) * 4 > _LARGE and len(value.encode()) > _LARGE
    return isinstance(value, bytes) and len(value) > _LARGE


def _is_reference(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {_MARK}

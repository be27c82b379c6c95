"""An index as bytes and back: versioned, compressed, restored in seconds."""

from collections.abc import Mapping
from typing import Any

import msgpack
import numpy as np
import zstandard
from numpy.typing import NDArray

from extractors.titles.additions import IndexAddition, added, fill
from extractors.titles.index import TitleIndex
from extractors.titles.repost_rules import Rules

_MAGIC = b"TITLES\x03"
_MAX_BYTES = 4_000_000_000


class SnapshotError(Exception):
    """The bytes are not a snapshot that this version can read."""


def dump(index: TitleIndex) -> bytes:
    """The whole state that affects later titles, except threshold and rules, which are passed to `load`."""
    return compressed(_MAGIC, columns_of(added(index)))


def load(data: bytes, threshold: float = 0.8, rules: Rules | None = None) -> TitleIndex:
    """The index of a `dump`; SnapshotError for other bytes."""
    check(data)
    body = decompressed(_MAGIC, data)
    try:
        return fill(TitleIndex(threshold, rules), addition_of(body))
    except (ValueError, KeyError, TypeError) as error:
        raise damaged(error) from error


def check(data: bytes, magic: bytes = _MAGIC) -> None:
    """SnapshotError for bytes that do not begin like a snapshot of this version."""
    if not data.startswith(magic):
        raise SnapshotError("not a title snapshot, or one of another version")


def damaged(error: Exception) -> SnapshotError:
    return SnapshotError(f"the snapshot of titles is damaged: {error}")


def compressed(magic: bytes, body: Mapping[str, Any]) -> bytes:
    """A mapping as compressed bytes that begin with `magic`."""
    return magic + zstandard.ZstdCompressor().compress(msgpack.packb(body))


def decompressed(magic: bytes, data: bytes) -> dict[str, Any]:
    """The mapping that was compressed; SnapshotError for damaged bytes."""
    try:
        plain = zstandard.ZstdDecompressor().decompress(data[len(magic) :], max_output_size=_MAX_BYTES)
        body = msgpack.unpackb(plain, max_bin_len=_MAX_BYTES, max_str_len=_MAX_BYTES)
        return dict(body)
    except (ValueError, TypeError, zstandard.ZstdError, msgpack.UnpackException) as error:
        raise damaged(error) from error


def columns_of(addition: IndexAddition) -> dict[str, Any]:
    """An addition as texts and bytes; `addition_of` reads them."""
    return {
        "names": "\n".join(addition.names),
        "lengths": addition.lengths.tobytes(),
        "terms": planes(addition.terms),
        "days": addition.days.tobytes(),
        "marks": addition.marks.tobytes(),
        "marked": np.diff(addition.marked, prepend=np.uint32(0)).tobytes(),  # small steps compress well
    }


def addition_of(body: Mapping[str, Any]) -> IndexAddition:
    """The addition with these columns; ValueError, KeyError or TypeError for anything else."""
    return IndexAddition(
        body["names"].split("\n") if body["names"] else [],
        np.frombuffer(body["lengths"], np.uint16),
        from_planes(body["terms"]),
        np.frombuffer(body["days"], np.int32),
        np.frombuffer(body["marks"], np.uint64),
        np.cumsum(np.frombuffer(body["marked"], np.uint32), dtype=np.uint32),
    )


def planes(numbers: NDArray[np.uint32]) -> bytes:
    """The lowest bytes of all numbers, then the next ones: grouped high bytes compress well."""
    return bytes(numbers.view(np.uint8).reshape(-1, 4).T.tobytes())


def from_planes(data: bytes) -> NDArray[np.uint32]:
    """The numbers of `planes`; ValueError for another number of bytes."""
    found = np.frombuffer(data, np.uint8).reshape(4, -1)
    numbers: NDArray[np.uint32] = found[3].astype(np.uint32)
    for plane in found[2::-1]:
        numbers <<= np.uint32(8)
        numbers |= plane
    return numbers

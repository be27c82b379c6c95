"""An index as bytes and back: versioned, compressed, restored in seconds."""

from typing import Any

import msgpack
import numpy as np
import zstandard
from numpy.typing import NDArray

from extractors.titles.index import TitleIndex
from extractors.titles.rules import Rules

_MAGIC = b"TITLES\x03"
_MAX_BYTES = 4_000_000_000


class SnapshotError(Exception):
    """The bytes are no snapshot that this version can read."""


def dump(index: TitleIndex) -> bytes:
    """All that decides about later titles except threshold and rules, which `load` is given."""
    terms = index.store.terms.filled()
    body = {
        "names": "\n".join(index.names),
        "lengths": np.diff(index.store.starts.filled()).astype(np.uint16).tobytes(),
        "terms": terms.view(np.uint8).reshape(-1, 4).T.tobytes(),  # high bytes together: they compress
        "days": index.days.filled().tobytes(),
        "marks": index.fingerprints.fingerprints.filled().tobytes(),
        "marked": np.diff(
            index.fingerprints.positions.filled(), prepend=np.uint32(0)
        ).tobytes(),  # small steps: they compress
    }
    return _MAGIC + zstandard.ZstdCompressor(level=3).compress(msgpack.packb(body))


def load(data: bytes, threshold: float = 0.8, rules: Rules | None = None) -> TitleIndex:
    """The index of which these bytes are the dump; SnapshotError for other bytes."""
    check(data)
    try:
        plain = zstandard.ZstdDecompressor().decompress(data[len(_MAGIC) :], max_output_size=_MAX_BYTES)
        body = msgpack.unpackb(plain, max_bin_len=_MAX_BYTES, max_str_len=_MAX_BYTES)
        return _filled(TitleIndex(threshold, rules), body)
    except (ValueError, KeyError, TypeError, IndexError, zstandard.ZstdError, msgpack.UnpackException) as error:
        raise SnapshotError(
            f"the snapshot of titles is damaged ({error}); `scrapy titles rebuild` makes a new one"
        ) from error


def check(data: bytes) -> None:
    """SnapshotError for bytes that do not begin as a snapshot of this version does."""
    if not data.startswith(_MAGIC):
        raise SnapshotError("no snapshot of titles, or one of another version; `scrapy titles rebuild` makes a new one")


def _filled(index: TitleIndex, body: dict[str, Any]) -> TitleIndex:
    names = body["names"].split("\n") if body["names"] else []
    lengths, days = np.frombuffer(body["lengths"], np.uint16), np.frombuffer(body["days"], np.int32)
    planes = np.frombuffer(body["terms"], np.uint8).reshape(4, -1)
    terms = np.ascontiguousarray(planes.T).view(np.uint32).ravel()
    if int(lengths.sum()) != len(terms) or (len(terms) and int(terms.max()) >= len(names)):
        raise ValueError("lengths and terms do not fit")
    if len(days) != len(lengths):
        raise ValueError("lengths and days do not fit")
    index.fill(names, terms, lengths, days)
    _fill_fingerprints(index, np.frombuffer(body["marks"], np.uint64), np.frombuffer(body["marked"], np.uint32))
    return index


def _fill_fingerprints(index: TitleIndex, fingerprints: NDArray[np.uint64], steps: NDArray[np.uint32]) -> None:
    positions = np.cumsum(steps, dtype=np.uint32)
    if len(fingerprints) != len(positions) or (len(positions) and int(positions.max()) >= len(index)):
        raise ValueError("fingerprints and titles do not fit")
    index.fingerprints.fill(fingerprints, positions)

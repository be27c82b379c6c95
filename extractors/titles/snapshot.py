"""An index as bytes and back: versioned, compressed, restored in seconds."""

from array import array

import msgpack
import numpy as np
import zstandard
from numpy.typing import NDArray

from extractors.titles.index import TitleIndex
from extractors.titles.rules import Rules

_MAGIC = b"TITLES\x01"
_LARGEST = 4_000_000_000


class SnapshotError(Exception):
    """These bytes are no snapshot that this version can read."""


def dump(index: TitleIndex) -> bytes:
    """Everything that decides about later titles, but for threshold and rules, which are the reader's."""
    lengths = np.diff(np.frombuffer(index.starts, np.uint32)).astype(np.uint16)
    terms = np.frombuffer(index.terms, np.uint32) if index.terms else np.zeros(0, np.uint32)
    body = {
        "names": "\n".join(index.names),
        "lengths": lengths.tobytes(),
        "terms": terms.view(np.uint8).reshape(-1, 4).T.tobytes(),
        "days": index.days.tobytes(),
    }
    return _MAGIC + zstandard.ZstdCompressor(level=3).compress(msgpack.packb(body))


def load(data: bytes, threshold: float = 0.8, rules: Rules | None = None) -> TitleIndex:
    """The index that gave these bytes; SnapshotError for others."""
    if not data.startswith(_MAGIC):
        raise SnapshotError("no snapshot of titles, or one of another version; `scrapy titles rebuild` makes a new one")
    try:
        plain = zstandard.ZstdDecompressor().decompress(data[len(_MAGIC) :], max_output_size=_LARGEST)
        body = msgpack.unpackb(plain, max_bin_len=_LARGEST, max_str_len=_LARGEST)
        return _filled(TitleIndex(threshold, rules), body)
    except (ValueError, KeyError, TypeError, IndexError, zstandard.ZstdError, msgpack.UnpackException) as error:
        raise SnapshotError(f"the snapshot of titles is damaged ({error})") from error


def _filled(index: TitleIndex, body: dict[str, bytes | str]) -> TitleIndex:
    names, lengths = body["names"], np.frombuffer(body["lengths"], np.uint16)  # type: ignore[arg-type]  # as packed
    planes = np.frombuffer(body["terms"], np.uint8).reshape(4, -1)  # type: ignore[arg-type]
    terms = np.ascontiguousarray(planes.T).view(np.uint32).ravel()
    index.names = names.split("\n") if names else []  # type: ignore[arg-type,assignment]
    index.numbers = {name: number for number, name in enumerate(index.names)}
    if int(lengths.sum()) != len(terms) or (len(terms) and int(terms.max()) >= len(index.names)):
        raise ValueError("lengths and terms do not fit")
    index.terms.frombytes(terms.tobytes())
    index.starts = array("I", np.concatenate([[0], np.cumsum(lengths, dtype=np.uint64)]).astype(np.uint32).tobytes())
    index.days.frombytes(body["days"])  # type: ignore[arg-type]
    if len(index.days) != len(lengths):
        raise ValueError("lengths and days do not fit")
    index.signatures.frombytes(_signatures(terms, lengths).tobytes())
    _post_all(index, terms, lengths)
    return index


def _signatures(terms: NDArray[np.uint32], lengths: NDArray[np.uint16]) -> NDArray[np.uint64]:
    signatures = np.zeros(len(lengths), np.uint64)
    filled = lengths > 0
    if filled.any():
        bits = np.left_shift(np.uint64(1), (terms & 63).astype(np.uint64))
        starts = np.concatenate([[0], np.cumsum(lengths[:-1], dtype=np.int64)])[filled]
        signatures[filled] = np.bitwise_or.reduceat(bits, starts)
    return signatures


def _post_all(index: TitleIndex, terms: NDArray[np.uint32], lengths: NDArray[np.uint16]) -> None:
    """Postings and frequencies: terms are sorted within a title, so that a repeated one follows itself."""
    places = np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)
    first = np.ones(len(terms), bool)
    first[1:] = (terms[1:] != terms[:-1]) | (places[1:] != places[:-1])
    kept, where = terms[first], places[first]
    counts = np.bincount(kept, minlength=len(index.names)).astype(np.uint32)
    where = where[np.argsort(kept, kind="stable")]
    index.frequencies.frombytes(counts.tobytes())
    data, end, postings = memoryview(where.tobytes()), 0, index.postings
    singles = where.tolist() if len(where) < 1_000 else where
    for count in counts.tolist():
        start, end = end, end + count
        if count == 1:
            postings.append(int(singles[start]))
        else:
            posted = array("I")
            posted.frombytes(data[4 * start : 4 * end])
            postings.append(posted)

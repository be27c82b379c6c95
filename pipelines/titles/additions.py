"""What a run of entries of the log has added to a replica, as a segment's bytes and back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from extractors.titles.additions import IndexAddition, joined, split
from extractors.titles.snapshot import (
    SnapshotError,
    addition_of,
    check,
    columns_of,
    compressed,
    damaged,
    decompressed,
    from_planes,
    planes,
    read_addition,
)
from extractors.titles.suffixes import join_later

KEY_BYTES = 10
MATCH_COLUMNS = {"positions": np.uint32, "matched": np.uint32, "cosines": np.float64, "rules": np.uint8}
_MAGIC = b"TITLESEGMENT\x01"
_MERGED_LEVEL = 6
"""Of compression: merged segments stay."""
_MOST_TITLES = 1_000_000
"""Of one segment that is written at once: about 30 MB."""
_NO_CHANGES: dict[str, Any] = {"hosts": {}, "everywhere": [{}, False]}


@dataclass(frozen=True, slots=True)
class Addition:
    """T stored titles, and what else changed.

    Attributes:
        applied: entries of the log that are in the replica after it.
        keys: bytes[T · 10] of the titles' pages. stories: uint32[T], the position of the first title of each one's story.
        matches: columns of `StoredMatches`. learned: see `SuffixLearner.changes`.
    """

    applied: int
    index: IndexAddition
    keys: bytes
    stories: NDArray[np.uint32]
    matches: dict[str, NDArray[Any]]
    learned: dict[str, Any]


def pack(addition: Addition, first: int, level: int = 3) -> bytes:
    """The bytes of a segment whose first title has the position `first`; stories are kept as distances, most of which are 0."""
    own = np.arange(first, first + len(addition.stories), dtype=np.uint32)
    body = {
        "applied": addition.applied,
        "first": first,
        "index": columns_of(addition.index),
        "keys": addition.keys,
        "stories": planes(own - addition.stories),
        "matches": {name: column.tobytes() for name, column in addition.matches.items()},
        "learned": addition.learned,
    }
    return compressed(_MAGIC, body, level)


def unpack(data: bytes) -> Addition:
    """The addition of a segment, or of a whole snapshot of an earlier version; SnapshotError for other bytes."""
    if not data.startswith(_MAGIC):
        return _of_earlier_version(data)
    body = decompressed(_MAGIC, data)
    try:
        stories = from_planes(body["stories"])
        stories = np.arange(body["first"], body["first"] + len(stories), dtype=np.uint32) - stories
        index = addition_of(body["index"])
        return Addition(body["applied"], index, body["keys"], stories, _matches(body["matches"]), body["learned"])
    except (ValueError, KeyError, TypeError) as error:
        raise damaged(error) from error


def check_segment(data: bytes) -> None:
    """SnapshotError for bytes that do not begin as a segment does, nor are a snapshot of an earlier version."""
    if not data.startswith(_MAGIC):
        _of_earlier_version(data)


def _of_earlier_version(data: bytes) -> Addition:
    """Everything until 2026 was one snapshot: a tuple of six."""
    try:
        applied, index, learned, keys, stories, matches = msgpack.unpackb(data, max_bin_len=len(data) + 1)
        check(bytes(index))
        hosts = {host: [titles, tails, True] for host, (titles, tails) in learned["hosts"].items()}
        changes = {"hosts": hosts, "everywhere": [learned["everywhere"], True]}
        stories, found = np.frombuffer(stories, np.uint32), _matches(matches)
    except (ValueError, TypeError, KeyError, AttributeError, msgpack.UnpackException) as error:
        raise damaged(error) from error
    return Addition(applied, read_addition(bytes(index)), keys, stories, found, changes)


def _matches(columns: dict[str, bytes]) -> dict[str, NDArray[Any]]:
    found = {name: np.frombuffer(columns[name], kind) for name, kind in MATCH_COLUMNS.items()}
    if len({len(column) for column in found.values()}) > 1:
        raise ValueError("matches of titles have different lengths")
    return found


def merged(additions: Sequence[Addition]) -> Addition:
    """One addition for several that follow each other, at least one."""
    learned: dict[str, Any] = {"hosts": {}, "everywhere": [{}, False]}
    for addition in additions:
        join_later(learned, addition.learned)
    return Addition(
        additions[-1].applied,
        joined([addition.index for addition in additions]),
        b"".join(addition.keys for addition in additions),
        np.concatenate([addition.stories for addition in additions]),
        {name: np.concatenate([each.matches[name] for each in additions]) for name in MATCH_COLUMNS},
        learned,
    )


def merged_bytes(parts: Sequence[bytes]) -> bytes:
    """One segment for several that follow each other; SnapshotError if one cannot be read."""
    additions = [unpack(part) for part in parts]
    first = decompressed_first(parts[0])
    return pack(merged(additions), first, _MERGED_LEVEL)


def decompressed_first(data: bytes) -> int:
    """The position of a segment's first title."""
    return int(decompressed(_MAGIC, data)["first"]) if data.startswith(_MAGIC) else 0


def parts_of(addition: Addition, first: int) -> list[bytes]:
    """The bytes of the segments that an addition is written as, of so many titles that none is too large."""
    parts, start = [], 0
    for index in split(addition.index, _MOST_TITLES):
        stop = start + len(index.lengths)
        part = replace(
            addition,
            index=index,
            keys=addition.keys[start * KEY_BYTES : stop * KEY_BYTES],
            stories=addition.stories[start:stop],
            matches={name: column if not start else column[:0] for name, column in addition.matches.items()},
            learned=addition.learned if not start else _NO_CHANGES,
        )
        parts.append(pack(part, first + start))
        start = stop
    return parts


__all__ = ["KEY_BYTES", "MATCH_COLUMNS", "Addition", "SnapshotError", "check_segment", "merged", "merged_bytes", "pack"]
__all__ += ["parts_of", "unpack"]

"""Hash keys of the counted parts of a page: lines, parts of the title, records, order of dates."""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]
_HASHED_CHARS = 300


def distinct(*keys: Keys) -> Keys:
    """Each key once, ascending. `numpy.unique` would dominate the time for the few keys of a page."""
    joined = np.concatenate(keys)
    joined.sort()
    first = np.ones(len(joined), np.bool_)
    np.not_equal(joined[1:], joined[:-1], out=first[1:])
    return joined[first]


def keys_of(pairs: Iterable[tuple[str, str]]) -> Keys:
    """The uint64 key of each pair of a place and a text, ignoring white space."""
    bare = ((place, "".join(text.split())) for place, text in pairs)
    said = [f"{place}\0{text[:_HASHED_CHARS]}\0{len(text)}".encode("utf-8", "replace") for place, text in bare]
    return np.frombuffer(b"".join([blake2b(each, digest_size=8).digest() for each in said]), np.dtype("<u8")).astype(
        np.uint64
    )

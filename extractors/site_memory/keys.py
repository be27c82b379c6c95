"""Numbers that stand for what is counted of a page: its lines, the parts of its title, its records, the order of its dates."""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]
_HASHED_CHARS = 300


def keys_of(pairs: Iterable[tuple[str, str]]) -> Keys:
    """uint64 of each pair of a place and a text, white space aside."""
    bare = ((place, "".join(text.split())) for place, text in pairs)
    said = [f"{place}\0{text[:_HASHED_CHARS]}\0{len(text)}".encode("utf-8", "replace") for place, text in bare]
    return np.frombuffer(b"".join([blake2b(each, digest_size=8).digest() for each in said]), np.dtype("<u8")).astype(
        np.uint64
    )

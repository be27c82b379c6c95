"""Values in a form that every store accepts: an odd character or number of a hostile page must not lose the page."""

import json
from collections.abc import Sequence
from typing import Any

import zstandard

from pipelines.zstd import Zstd

_MAX_INTEGER = 2**63 - 1
_MAX_UNPACKED_BYTES = 64_000_000
_zstd = Zstd(3)


class _Unreadable:
    """Stands for a stored json or packed value that cannot be read; it counts as false, as a missing value does."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "unreadable"


UNREADABLE = _Unreadable()


def storable(value: Any) -> Any:
    """The value with lone surrogates replaced and integers limited to 64 bits, also inside lists and mappings."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return max(-_MAX_INTEGER - 1, min(_MAX_INTEGER, value))
    if isinstance(value, (list, tuple)):
        return value if _are_counts(value) else [storable(each) for each in value]
    if isinstance(value, dict):
        return {_text(str(key)): storable(each) for key, each in value.items()}
    return value


def _are_counts(values: Sequence[Any]) -> bool:
    """Whether they are integers within 64 bits: most rows of counts are, and need no copy."""
    return set(map(type, values)) == {int} and min(values) >= -_MAX_INTEGER - 1 and max(values) <= _MAX_INTEGER


def _text(text: str) -> str:
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def pack(text: str) -> bytes:
    """zstd of the text's UTF-8."""
    return _zstd.compress(text.encode("utf-8", "surrogatepass"))


def unpack(packed: bytes) -> str:
    """The text of `pack`'s bytes; zstandard.ZstdError for other bytes."""
    return _zstd.decompress(packed, _MAX_UNPACKED_BYTES).decode("utf-8", "surrogatepass")


def read_json(text: Any) -> Any:
    """The stored JSON value; UNREADABLE for anything else."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return UNREADABLE


def read_packed(packed: Any) -> Any:
    """The value of packed JSON; UNREADABLE for anything else."""
    try:
        return json.loads(unpack(packed))
    except (ValueError, TypeError, RecursionError, zstandard.ZstdError):
        return UNREADABLE

"""Serialises the values of a page between the processes of one crawl.

msgpack with the classes below and with arrays of numbers. Pickle would let a page that compromises a worker run code.
"""

from dataclasses import fields
from itertools import chain
from typing import Any

import msgpack
import numpy as np

from extractors.article import Article
from extractors.article.kinds import PageKind
from extractors.links.find import Link
from extractors.records import Record, RecordSet
from extractors.topic.page_text import PageText

_CLASSES: tuple[type[Any], ...] = (Article, PageKind, Link, Record, RecordSet, PageText)
_FIELDS = {each: tuple(field.name for field in fields(each)) for each in _CLASSES}
_CODES = {each: code for code, each in enumerate(_CLASSES)}
_ARRAY, _PARTS = 127, 126
_PART_ELEMENTS = 200
"""Elements of a long list that are packed together, since msgpack blocks other threads while it unpacks them."""
_NUMBER_KINDS = "biuf"
"""Allowed kinds of numpy types; an array of objects could contain anything."""


def pack(value: Any) -> bytes:
    """Pack plain values, the known classes and arrays of numbers. Raises TypeError, ValueError or OverflowError for others."""
    if isinstance(value, (list, tuple)) and len(value) > _PART_ELEMENTS:
        value = msgpack.ExtType(
            _PARTS, pack([pack(value[at : at + _PART_ELEMENTS]) for at in range(0, len(value), _PART_ELEMENTS)])
        )
    packed: bytes = msgpack.packb(value, default=_plain, unicode_errors="surrogatepass")
    return packed


def unpack(data: bytes) -> Any:
    """The inverse of `pack`, with tuples for lists. Raises ValueError or TypeError for other bytes."""
    try:
        return msgpack.unpackb(
            data,
            use_list=False,
            strict_map_key=False,
            ext_hook=_object,
            unicode_errors="surrogatepass",
        )
    except (msgpack.UnpackException, IndexError) as error:
        raise ValueError(str(error)) from error


def _plain(value: Any) -> msgpack.ExtType:
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in _NUMBER_KINDS or value.ndim != 1:
            raise TypeError(f"an array of {value.dtype} with {value.ndim} dimensions is not passed on")
        return msgpack.ExtType(_ARRAY, pack((value.dtype.str, value.tobytes())))
    if isinstance(value, np.generic):
        return value.item()
    names = _FIELDS.get(type(value))
    if names is None:
        raise TypeError(f"{type(value).__name__} is not passed on")
    return msgpack.ExtType(_CODES[type(value)], pack(tuple(getattr(value, name) for name in names)))


def _object(code: int, data: bytes) -> Any:
    values = unpack(data)
    if code == _PARTS:
        return tuple(chain.from_iterable(map(unpack, values)))
    if code == _ARRAY:
        kind, raw = values
        dtype = np.dtype(str(kind))
        if dtype.kind not in _NUMBER_KINDS:
            raise ValueError(f"an array of {dtype}")
        return np.frombuffer(raw, dtype)
    if not 0 <= code < len(_CLASSES):
        raise ValueError(f"an unknown class {code}")
    return _CLASSES[code](*values)

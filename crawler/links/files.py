"""Addresses that name a file which is no page, by their ending."""

from collections.abc import Collection
from importlib.util import find_spec

from scrapy.linkextractors import IGNORED_EXTENSIONS

_OTHERS = ("json", "js", "apk", "exe", "dmg", "iso", "torrent")
NO_PAGE_EXTENSIONS = tuple(f".{extension}" for extension in {*IGNORED_EXTENSIONS, *_OTHERS})
_OF_DOCUMENTS = {"pdf": (".pdf",), "docx": (".docx",)}
"""By type of document the endings that `NO_PAGE_EXTENSIONS` has."""


def skipped_extensions(types: Collection[str]) -> tuple[str, ...]:
    """Endings of addresses that are not worth a request, where these types of documents are read. A PDF is none if the library
    that reads it is not installed."""
    readable = set(types) if find_spec("pypdfium2") else set(types) - {"pdf"}
    read = {extension for kind in readable for extension in _OF_DOCUMENTS.get(kind, ())}
    return tuple(extension for extension in NO_PAGE_EXTENSIONS if extension not in read)

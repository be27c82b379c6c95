"""Addresses that name a file which is no page, by their ending."""

from collections.abc import Collection
from importlib.util import find_spec

from scrapy.linkextractors import IGNORED_EXTENSIONS

_OTHERS = ("json", "js", "apk", "exe", "dmg", "iso", "torrent")
NO_PAGE_EXTENSIONS = tuple(f".{extension}" for extension in {*IGNORED_EXTENSIONS, *_OTHERS})
_OF_DOCUMENTS = {kind: (f".{kind}",) for kind in ("pdf", "docx", "pptx", "xlsx")}
"""By type of document the endings that `NO_PAGE_EXTENSIONS` has."""
_LIBRARIES = {"pdf": "pypdfium2", "xlsx": "openpyxl"}


def skipped_extensions(types: Collection[str]) -> tuple[str, ...]:
    """Endings of addresses that are not worth a request, where these types of documents are read. A file whose library
    is not installed is none."""
    readable = {kind for kind in types if kind not in _LIBRARIES or find_spec(_LIBRARIES[kind])}
    read = {extension for kind in readable for extension in _OF_DOCUMENTS.get(kind, ())}
    return tuple(extension for extension in NO_PAGE_EXTENSIONS if extension not in read)

"""Addresses of files other than pages, by filename extension."""

from collections.abc import Collection
from importlib.util import find_spec

from scrapy.linkextractors import IGNORED_EXTENSIONS

_OTHERS = ("json", "js", "apk", "exe", "dmg", "iso", "torrent")
NO_PAGE_EXTENSIONS = tuple(f".{extension}" for extension in {*IGNORED_EXTENSIONS, *_OTHERS})
_OF_DOCUMENTS = {kind: (f".{kind}",) for kind in ("pdf", "docx", "pptx", "xlsx")}
"""The extensions in `NO_PAGE_EXTENSIONS` of each type of document."""
_LIBRARIES = {"pdf": "pypdfium2", "xlsx": "openpyxl"}


def skipped_extensions(types: Collection[str]) -> tuple[str, ...]:
    """Extensions of addresses that are not worth a request, if these types of documents are read. A type whose library is
    not installed is skipped."""
    readable = {kind for kind in types if kind not in _LIBRARIES or find_spec(_LIBRARIES[kind])}
    read = {extension for kind in readable for extension in _OF_DOCUMENTS.get(kind, ())}
    return tuple(extension for extension in NO_PAGE_EXTENSIONS if extension not in read)

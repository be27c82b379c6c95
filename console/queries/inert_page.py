"""A page as fetched, without anything that loads, executes or navigates.

    python -m console.queries.inert_page MEMORY SECONDS ENCODING

reads the page from standard input and writes what is shown: it is run apart, as pages are hostile.
"""

import sys
from itertools import islice
from typing import Any

import lxml.html
from lxml import etree

from extractors.apart import begin_apart, run_apart
from extractors.html.parsing import MarkupSource

_SECONDS, _MEMORY_BYTES = 10.0, 1_000_000_000
_MAX_ATTRIBUTES = 100
_LOADING = (
    *("script", "link", "meta", "base", "iframe", "frame", "object", "embed", "applet", "audio", "video"),
    *("source", "track", "template"),
)
"""Elements that load, execute or navigate without a click."""
_LOADING_ATTRIBUTES = (
    "src",
    "srcset",
    "background",
    "poster",
    "data",
    "ping",
    "action",
    "formaction",
    "manifest",
    "style",
)


def inert_apart(body: bytes, encoding: str) -> bytes:
    """`inert` in a process of its own. Raises ApartError for a page that takes too long or too much memory."""
    return run_apart(__name__, [encoding], body, seconds=_SECONDS, memory=_MEMORY_BYTES)


def inert(body: bytes, encoding: str) -> bytes:
    """The page in UTF-8 without anything that loads, executes or navigates; shown in a sandbox."""
    root = MarkupSource(body.decode(encoding, "replace")).copy()
    etree.strip_elements(root, *_LOADING, with_tail=False)
    for element in root.iter(etree.Element):
        _still(element)
        if element.tag == "style" and element.text:  # it is written as it is, and is markup to a browser inside of svg
            element.text = element.text.replace("<", "\\3c ")
    made: bytes = lxml.html.tostring(root, encoding="utf-8", doctype="<!doctype html>")
    return made


def _still(element: Any) -> None:
    """Take away what an attribute would load or run; links keep their addresses, and answer no click in the sandbox."""
    kept: dict[str, str] = {name: value for name, value in element.attrib.items() if not _is_loading(element.tag, name)}
    if len(kept) != len(element.attrib):  # one removal at a time is quadratic in their number
        element.attrib.clear()
        element.attrib.update(islice(kept.items(), _MAX_ATTRIBUTES))


def _is_loading(tag: str, name: str) -> bool:
    plain = name.lower().rpartition(":")[2].rpartition("}")[2]
    if plain == "href":
        return tag not in ("a", "area")
    return plain.startswith("on") or plain in _LOADING_ATTRIBUTES


def main() -> None:
    """See the docstring of the module."""
    (encoding,), body = begin_apart()
    sys.stdout.buffer.write(inert(body, encoding))


if __name__ == "__main__":
    main()

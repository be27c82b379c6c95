"""XML from a server as a tree, read safely: nothing that the bytes name is opened, and entities are not expanded."""

import contextlib
import zlib

from lxml import etree

from extractors.html.addresses import resolve

_GZIP_WINDOW_BITS, _UNPACK_BYTES = 31, 1 << 16
"""zlib's code for a gzip header; bytes unpacked at a time."""
_XML_BASE, _MAX_BASE_CHARS = "{http://www.w3.org/XML/1998/namespace}base", 2_000
"""The attribute; longer values and addresses do not count."""


def root_of(body: bytes, max_bytes: int) -> etree._Element | None:
    """The root of the readable part of the first `max_bytes`, cut after an element, so that no address is truncated."""
    if len(body) > max_bytes:
        body = body[: body.rfind(b">", 0, max_bytes) + 1]
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    try:
        return etree.fromstring(body.lstrip(), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def unzipped(body: bytes, max_bytes: int) -> bytes:
    """At most `max_bytes` of a gzipped body, up to the first damage; any other body as it is."""
    if body[:2] != b"\x1f\x8b":
        return body
    unpacker, found = zlib.decompressobj(wbits=_GZIP_WINDOW_BITS), bytearray()
    with contextlib.suppress(zlib.error):
        for begin in range(0, len(body), _UNPACK_BYTES):
            found += unpacker.decompress(body[begin : begin + _UNPACK_BYTES], max_bytes - len(found))
            if len(found) >= max_bytes or unpacker.eof:
                break
    return bytes(found)


def local_name(element: etree._Element) -> str:
    """The tag without its namespace; lxml's QName would reject some names that its parser accepts."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


class Bases:
    """The addresses that references are relative to: of each element, by its own xml:base and those around it.

    An element is looked at once, however many are below it.

    Args:
        url: of the document.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._known: dict[etree._Element, str] = {}

    def of(self, element: etree._Element) -> str:
        """The base of references in an element."""
        parent = element.getparent()
        outer = self._url if parent is None else self._around(parent)
        return self._with_own(outer, element)

    def _around(self, element: etree._Element) -> str:
        """The base of an element that may have many children."""
        steps: list[etree._Element] = []
        each: etree._Element | None = element
        while each is not None and each not in self._known:
            steps.append(each)
            each = each.getparent()
        base = self._url if each is None else self._known[each]
        for each in reversed(steps):
            base = self._known[each] = self._with_own(base, each)
        return base

    def _with_own(self, outer: str, element: etree._Element) -> str:
        own = element.get(_XML_BASE, "")
        base = resolve(outer, own) if 0 < len(own) <= _MAX_BASE_CHARS else ""
        return base if 0 < len(base) <= _MAX_BASE_CHARS else outer

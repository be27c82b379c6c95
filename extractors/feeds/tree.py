"""XML from a server as a tree, read safely: nothing that the bytes name is opened, and entities are not expanded."""

import contextlib
import zlib

from lxml import etree

_GZIP_WINDOW_BITS, _UNPACK_BYTES = 31, 1 << 16
"""zlib's code for a gzip header; bytes unpacked at a time."""


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

"""A page's source as it is stored."""

import zstandard

from extractors.html.document import Document

_COMPRESSOR = zstandard.ZstdCompressor(level=3)


def compressed_source(page: Document) -> bytes:
    """A frame of zstd; see `Document.once`."""
    return _COMPRESSOR.compress(page.body)

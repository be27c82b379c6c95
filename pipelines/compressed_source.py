"""A page's source as it is stored."""

from extractors.html.document import Document
from pipelines.zstd import Zstd

_zstd = Zstd(3)


def compressed_source(page: Document) -> bytes:
    """A frame of zstd; see `Document.once`."""
    return _zstd.compress(page.body)

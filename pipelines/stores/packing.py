"""Texts made small for storage, within bounds on the way back."""

import threading

import zstandard

_LARGEST = 64_000_000
_local = threading.local()


def pack(text: str) -> bytes:
    """zstd of the text's UTF-8."""
    compressor = getattr(_local, "compressor", None)
    if compressor is None:
        compressor = _local.compressor = zstandard.ZstdCompressor(level=3)
    return bytes(compressor.compress(text.encode("utf-8", "surrogatepass")))


def unpack(packed: bytes) -> str:
    """The text again; zstandard.ZstdError for bytes that are none."""
    return zstandard.ZstdDecompressor().decompress(packed, max_output_size=_LARGEST).decode("utf-8", "surrogatepass")

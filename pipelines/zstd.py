"""zstd for several threads."""

import threading

import zstandard


class Zstd(threading.local):
    """A compressor and a decompressor for each thread: using one in two threads at the same time crashes the process.

    Args:
        level: of compression.
        dictionary: shared by compressor and decompressor.
        checksum, dictionary_id: whether a frame has these.
    """

    def __init__(
        self,
        level: int,
        dictionary: zstandard.ZstdCompressionDict | None = None,
        *,
        checksum: bool = False,
        dictionary_id: bool = True,
    ) -> None:
        self._compressor = zstandard.ZstdCompressor(
            level=level, dict_data=dictionary, write_checksum=checksum, write_dict_id=dictionary_id
        )
        self._decompressor = zstandard.ZstdDecompressor(dict_data=dictionary)

    def compress(self, plain: bytes) -> bytes:
        """A frame."""
        return self._compressor.compress(plain)

    def decompress(self, frame: bytes, most: int = 0) -> bytes:
        """The bytes of a frame; at most `most` if the frame does not name its size. zstandard.ZstdError for other bytes."""
        return self._decompressor.decompress(frame, max_output_size=most)

"""Plain values as few bytes: msgpack, compressed against a fixed text in which the usual parts of requests stand."""

from typing import Any

import msgpack
import zstandard

_FORMAT = b"\x01"
_USUAL = zstandard.ZstdCompressionDict(
    b"https://m.news.blog.bbs.gov.org.net/thread-forum-list-page/read.php?tid=index.php?id=&page=.html.shtml.htm"
    b"/content/article/detail/archives/category/tag/topic/p/news/2024/2025/2026/12/11/10/09/08/07/06/05/04/03/02/01/"
    b"http://www..com.cn/\xa9cb_kwargs\xa5state\xa6method\xa4POST\xa7headers\xaddont_redirect\xa8found_by\xa4link"
    b"\x83\xa3url\xd9\xa8callback\xa5parse\xa4meta\x82\xa5depth\xa8referrer\xd9\xa8priority\xcd",
    dict_type=zstandard.DICT_TYPE_RAWCONTENT,
)
"""Never changed: what was compressed against it could not be read any more. A better one gets another format byte."""
_MOST = 8_000_000
_compressor = zstandard.ZstdCompressor(level=1, dict_data=_USUAL, write_checksum=False, write_dict_id=False)
_decompressor = zstandard.ZstdDecompressor(dict_data=_USUAL)


def pack(values: Any) -> bytes:
    """ValueError or TypeError for what is not plain, OverflowError for whole numbers beyond 64 bits."""
    plain = msgpack.packb(values)
    if len(plain) > _MOST:
        raise ValueError(f"{len(plain):,} bytes are too many for a request")
    return _FORMAT + _compressor.compress(plain)


def unpack(packed: bytes) -> Any:
    """ValueError for bytes that are none of `pack`'s; no bytes can make this use much memory."""
    if packed[:1] != _FORMAT:
        raise ValueError("an unknown format")
    try:
        if not 0 <= zstandard.frame_content_size(packed[1:]) <= _MOST:
            raise ValueError("too large")
        return msgpack.unpackb(_decompressor.decompress(packed[1:]), strict_map_key=False)
    except (zstandard.ZstdError, msgpack.UnpackException) as error:
        raise ValueError(str(error)) from error

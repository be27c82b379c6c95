"""zstd in several threads at the same time."""

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
import zstandard

from crawler.frontier.shared.overflow.request_blocks import Row, pack_rows, unpack_rows
from pipelines.zstd import Zstd


def test_threads_that_compress_at_the_same_time_do_not_disturb_each_other() -> None:
    zstd = Zstd(3, zstandard.ZstdCompressionDict(b"https://a.example/news/", dict_type=zstandard.DICT_TYPE_RAWCONTENT))
    texts = [Random(place).randbytes(60) * 9_000 for place in range(64)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda text: zstd.decompress(zstd.compress(text)), texts)) == texts


def test_tails_of_queues_are_packed_by_several_threads() -> None:
    rows = [Row(place, 0, 0, b"", b"\0", f"http://a.example/{place * 7919}.html", b"\x80", b"") for place in range(512)]
    with ThreadPoolExecutor(8) as pool:
        blocks = list(pool.map(pack_rows, [rows] * 200))
        assert all(unpacked == rows for unpacked in pool.map(unpack_rows, blocks))


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(zstandard.ZstdError):
        Zstd(3).decompress(b"no frame of zstd")

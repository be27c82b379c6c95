"""A crawl does not load what it does not use."""

from pathlib import Path

from testbed.crawling import Crawl
from testbed.hostile.server import HostileWeb
from tests.pipelines.stores.test_store_away import site

_UNUSED = (
    "apscheduler",
    "crawler.metasearch",
    "crawler.watching",
    "curl_cffi",
    "dateparser",
    "httpx2",
    "jieba",
    "lunar_python",
    "openpyxl",
    "pandas",
    "playwright",
    "prometheus_client",
    "pyarrow",
    "pymongo",
    "redis",
    "rich",
    "starlette",
    "tantivy",
    "wordfreq",
)
"""Of other settings, other spiders, or rare pages."""


_AT_THE_END = """
import atexit, pathlib, sys
atexit.register(lambda: pathlib.Path(__file__).with_name("loaded.txt").write_text(" ".join(sys.modules)))
"""


def test_a_crawl_of_a_site_loads_no_libraries_of_other_settings(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(_AT_THE_END)
    settings = {"ALLOW_PRIVATE_ADDRESSES": True, "FRONTIER_HOST_DELAY": 0}
    with HostileWeb({"127.0.0.1": site}) as web:
        start = f"http://127.0.0.1:{web.port}/"
        Crawl(tmp_path / "crawl", [start], {"max_pages": "3"}, settings, {"PYTHONPATH": str(tmp_path)}).run()
    loaded = set((tmp_path / "loaded.txt").read_text().split())
    assert {"scrapy", "rjieba", "crawler.spiders.site"} <= loaded
    assert {name for name in loaded if f"{name}.".startswith(tuple(f"{unused}." for unused in _UNUSED))} == set()

"""A crawl's archive holds what servers have sent, byte by byte, without secrets; its faults cost the crawl no page."""

import gzip
import zlib
from pathlib import Path
from typing import Any

import pytest
from scrapy.http import Headers, Request, Response
from scrapy.settings import Settings

from crawler.checks.configuration import warc
from crawler.extensions.archive import WarcError, check_warc, exchange_of
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to
from testbed.servers.processes import wait_until

pytest.importorskip("warcio")
from warcio.archiveiterator import ArchiveIterator

SETTINGS = {"FRONTIER_HOST_DELAY": 0, "FRONTIER_HOST_CONCURRENCY": 8, "RETRY_DELAY": 0.05, "TITLES_ENABLED": False}
PAGE = article("第1页").encode()


def _records(folder: Path) -> dict[tuple[str, str], Any]:
    """Records by kind and path; `data` is the block behind the headers."""
    found = {}
    for path in sorted(folder.glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                record.data = record.raw_stream.read()
                path_of_url = (record.rec_headers["WARC-Target-URI"] or "").partition(".example")[2]
                found[(record.rec_type, path_of_url)] = record
    return found


def _site(asked: Connection) -> None:
    if asked.path == "/":
        asked.answer(article("首页", links_to("/gzip", "/same", "/moved", "/chunked")), Set_Cookie="session=s3cret")
    elif asked.path == "/gzip":
        asked.answer(gzip.compress(PAGE, mtime=0), Content_Encoding="gzip")
    elif asked.path == "/moved":
        asked.answer(status=302, Location="/gone")
    elif asked.path == "/chunked":
        body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE)
        asked.send(b"HTTP/1.1 200 X\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
    elif asked.headers.get("If-None-Match"):
        asked.answer(status=304, ETag='"1"')
    elif asked.path == "/same":
        asked.answer(gzip.compress(PAGE, mtime=0), Content_Encoding="gzip", ETag='"1"')
    else:
        asked.answer(status=404)


def test_the_archive_has_each_answer_as_it_came(tmp_path: Path) -> None:
    folder = tmp_path / "warc"
    settings = {**SETTINGS, "WARC_DIR": folder}
    with HostileWeb({"a.example": _site}) as web:
        crawl = Crawl(tmp_path, ["http://a.example/"], settings=settings, environment={"http_proxy": web.address})
        crawl.run()
        first = _records(folder)
        for path in folder.iterdir():
            path.unlink()
        again = crawl.run()
    assert not again.errors, again.log
    assert b"s3cret" not in b"".join(record.data for record in first.values())
    kinds = {kind for kind, path in first if path in ("/gzip", "/same")}
    assert kinds == {"response", "revisit", "request"}  # the same bytes at two addresses
    compressed = first.get(("response", "/gzip")) or first[("response", "/same")]
    assert zlib.decompress(compressed.data, 31) == PAGE
    assert first[("response", "/chunked")].data == PAGE
    assert first[("response", "/moved")].http_headers.get_header("Location") == "/gone"
    assert first[("response", "/gone")].http_headers.get_statuscode() == "404"
    assert ("response", "/robots.txt") in first
    request = first[("request", "/")].http_headers
    assert (request.get_header("Host"), "topicrawl" in request.get_header("User-Agent")) == ("a.example", True)
    assert not [record for record in first.values() if record.http_headers and record.http_headers.get_header("Cookie")]
    unchanged = _records(folder)[("revisit", "/same")]
    assert unchanged.rec_headers["WARC-Profile"].endswith("server-not-modified")


def test_a_crawl_waits_for_an_archive_that_cannot_be_written(tmp_path: Path) -> None:
    folder, pages = tmp_path / "warc", [f"/{number}" for number in range(10)]

    def in_the_way(asked: Connection) -> None:
        folder.rmdir()
        folder.write_text("")
        asked.answer(status=404)

    def site(asked: Connection) -> None:
        asked.answer(article(asked.path, links_to(*pages) if asked.path == "/" else ""))

    settings = {**SETTINGS, "WARC_DIR": folder, "FRONTIER_HOST_CONCURRENCY": 1}
    with HostileWeb({"a.example": site}, {"a.example": in_the_way}) as web:
        crawl = Crawl(tmp_path, ["http://a.example/"], settings=settings, environment={"http_proxy": web.address})
        process = crawl.start()
        wait_until(lambda: "Paused: the archive in" in crawl.text(), "the pause")
        folder.unlink()
        crawl.wait(process)
    assert crawl.exit_code == 0, crawl.log
    assert len(crawl.pages()) == 11
    archived = {path for kind, path in _records(folder) if kind in ("response", "revisit")}
    assert archived == {"/robots.txt", "/", *pages}


def test_headers_that_log_in_are_left_out_unless_they_are_asked_for() -> None:
    names = ("Cookie", "Authorization", "X-Subscription-Token", "Proxy-Authorization", "Accept")
    request = Request("http://a.example/", headers=dict.fromkeys(names, "s3cret"))
    response = Response(request.url, headers=Headers({"Set-Cookie": ["a=1", "b=2"], "ETag": "x"}))
    bare = exchange_of(request, response, keeps_secrets=False)
    assert [name for name, _ in (*bare.request_headers, *bare.headers)] == [b"Accept", b"Etag"]
    whole = exchange_of(request, response, keeps_secrets=True)
    assert [value for name, value in whole.headers if name == b"Set-Cookie"] == [b"a=1", b"b=2"]
    assert b"Proxy-Authorization" not in dict(whole.request_headers)


def test_a_folder_that_cannot_be_used_is_said_before_the_crawl(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WarcError, match="cannot be created"):
        check_warc(Settings({"WARC_DIR": str(tmp_path / "file")}))
    assert warc(Settings({"WARC_DIR": str(tmp_path / "file")}))[0].state == "fault"
    assert warc(Settings()) == []
    found = warc(Settings({"WARC_DIR": str(tmp_path / "new"), "WARC_SECRETS": True}))
    assert [each.state for each in found] == ["ok", "warning"]

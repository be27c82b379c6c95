"""TLS and headers are the named browser's; the bounds are those of any other download."""

import asyncio
import gzip
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.exceptions import (
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
)
from scrapy.http import Response
from scrapy.settings import Settings

from crawler.download.browsers import ImpersonationError, browsers, check_impersonation, target_of
from crawler.download.ip_addresses import PrivateAddressError
from testbed.crawling import Crawl
from tests.crawler.download.tls_server import TlsServer, whole

pytest.importorskip("scrapy_impersonate", reason="the extra package is not installed")

from crawler.download.impersonation import Impersonator

_PAGE = b"<title>A page</title><p>" + b"The text of the page, and some more of it. " * 20


def _answer(path: str) -> bytes:
    if path == "/large":
        return whole(b"x" * 300_000)
    if path == "/endless":
        return b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 3_000_000
    if path == "/bomb":
        return whole(gzip.compress(b"x" * 50_000_000), Content_Encoding="gzip")
    if path == "/slow":
        return b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx"
    if path == "/headers":
        return whole(b"", **{f"X_{number}": "x" * 5_000 for number in range(30)})
    if path == "/cookie":
        return whole(b"", Set_Cookie="visit=1")
    if path == "/away":
        return whole(b"", Location="/").replace(b"200 OK", b"302 Found")
    if path == "/packed":
        return whole(gzip.compress(_PAGE), Content_Encoding="gzip")
    return whole(_PAGE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TlsServer]:
    """One for all tests of this file."""
    with TlsServer(tmp_path_factory.mktemp("tls"), _answer) as running:
        yield running


def _get(*requests: Request, target: str = "chrome", **own: object) -> list[Response]:
    bounds = {"DOWNLOAD_MAXSIZE": 200_000, "DOWNLOAD_TIMEOUT": 20, "DOWNLOAD_MAX_HEADERS": 100_000}

    async def get() -> list[Response]:
        sender = Impersonator(Settings(bounds | {"ALLOW_PRIVATE_ADDRESSES": True} | own))
        try:
            return [await sender.download(request, target) for request in requests]
        finally:
            await sender.close()

    return asyncio.run(get())


def test_a_crawl_greets_as_the_browser_whose_name_it_goes_by(server: TlsServer, tmp_path: Path) -> None:
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "127.0.0.1.yaml").write_text("impersonate: chrome\nuser_agent: desktop")
    own = {"TOPICRAWL_SETTINGS_DIR": tmp_path, "ALLOW_PRIVATE_ADDRESSES": True, "FRONTIER_HOST_DELAY": 0}
    urls = [f"https://{host}:{server.port}/{kind}" for host in ("127.0.0.1", "localhost") for kind in ("a", "packed")]
    made = Crawl(tmp_path / "data", urls, {}, own).run()
    assert len(made.pages()) == 4
    assert not made.errors
    by_host = {
        host: [(hello, head) for hello, head in server.seen if f"Host: {host}:{server.port}" in head]
        for host in ("127.0.0.1", "localhost")
    }
    imitated, plain = by_host["127.0.0.1"], by_host["localhost"]
    assert all(hello.protocols == ("h2", "http/1.1") for hello, _ in imitated)
    assert {hello.ciphers for hello, _ in imitated}.isdisjoint(hello.ciphers for hello, _ in plain)
    names = [line.split(":")[0] for line in next(head for _, head in imitated if "GET /a" in head[0])[1:]]
    wanted = [
        "sec-ch-ua",
        "sec-ch-ua-platform",
        "User-Agent",
        "Accept",
        "Sec-Fetch-Site",
        "Accept-Encoding",
        "Accept-Language",
    ]
    assert [name for name in names if name in wanted] == wanted
    assert all("Chrome/" in "".join(head) for _, head in imitated)  # robots.txt too
    assert all("topicrawl" in "".join(head) for _, head in plain)


def test_a_browser_greets_alike_each_time_and_each_browser_otherwise(server: TlsServer) -> None:
    greetings: dict[str, set[str]] = {}
    for target in ("chrome", "chrome", "firefox", "firefox", "safari"):
        _get(Request(f"{server.address}/"), target=target)
        greetings.setdefault(target, set()).add(server.seen[-1][0].sorted_ja3)
    assert all(len(found) == 1 for found in greetings.values())
    assert len(set.union(*greetings.values())) == 3


@pytest.mark.parametrize(
    ("path", "error", "said"),
    [
        ("/large", DownloadCancelledError, "larger than 200,000 bytes"),
        ("/endless", DownloadCancelledError, "larger than 200,000 bytes"),
        ("/bomb", DownloadCancelledError, "larger than 200,000 bytes"),
        ("/headers", DownloadCancelledError, "headers"),
        ("/slow", DownloadTimeoutError, "longer than 1 s"),
    ],
)
def test_bounds_hold(server: TlsServer, path: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        _get(Request(f"{server.address}{path}", meta={"download_timeout": 1 if path == "/slow" else 20}))


def test_an_answer_is_taken_as_it_is(server: TlsServer) -> None:
    paths = ("/cookie", "/packed", "/away")
    cookie, packed, away = _get(*(Request(f"{server.address}{path}", headers={"Accept": "*/*"}) for path in paths))
    assert cookie.headers["Set-Cookie"] == b"visit=1"
    assert packed.body == _PAGE
    assert "Content-Encoding" not in packed.headers
    assert (away.status, away.headers["Location"]) == (302, b"/")  # redirects are the crawl's matter
    heads = ["\n".join(head) for _, head in server.seen[-3:]]
    assert not any("visit=1" in head or "Accept: */*" in head for head in heads)  # cookies are, too
    assert len({id(hello) for hello, _ in server.seen[-3:]}) == 1  # one connection


def test_nothing_inside_is_reached(server: TlsServer) -> None:
    before = len(server.seen)
    for host in ("localhost", "127.0.0.1"):
        with pytest.raises(PrivateAddressError, match=r"127\.0\.0\.1|::1"):
            _get(Request(f"https://{host}:{server.port}/"), ALLOW_PRIVATE_ADDRESSES=False)
    assert len(server.seen) == before


def test_a_proxy_gets_its_password_and_nobody_else_does(server: TlsServer) -> None:
    heads: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def refuse() -> None:
            client, _ = listener.accept()
            with client:
                heads.append(client.recv(65_536))
                client.sendall(b"HTTP/1.1 502 Down\r\nContent-Length: 0\r\n\r\n")

        thread = threading.Thread(target=refuse)
        thread.start()
        meta = {"proxy": f"http://127.0.0.1:{listener.getsockname()[1]}"}
        with pytest.raises(DownloadFailedError):
            _get(Request("https://far.example/", headers={"Proxy-Authorization": "Basic YTpi"}, meta=meta))
        thread.join(10)
    assert heads[0].startswith(b"CONNECT far.example:443 ")
    assert b"Proxy-Authorization: Basic YTpi" in heads[0]
    _get(Request(f"{server.address}/", headers={"Proxy-Authorization": "Basic YTpi"}))
    assert "Proxy-Authorization" not in "".join(server.seen[-1][1])


def test_nobody_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(DownloadConnectionRefusedError):
        _get(Request(f"https://127.0.0.1:{port}/"))


def test_every_browser_of_ours_has_its_tls() -> None:
    targets = {browser.name: target_of(browser.agent) for browser in browsers("any")}
    assert all(targets.values())
    assert targets["Safari on iPhone"] == "safari_ios"
    assert targets["Edge on Windows"] == "chrome"
    assert target_of("topicrawl/0.1") == ""


@pytest.mark.parametrize(
    "text", ["user_agent: own", "user_agent: my own name", "user_agent: mobile\nimpersonate: edge"]
)
def test_a_name_without_its_tls_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "sites").mkdir()
    text = text if "impersonate" in text else f"{text}\nimpersonate: firefox"
    (tmp_path / "sites" / "some.example.yaml").write_text(text)
    with pytest.raises(ImpersonationError, match=r"some\.example\.yaml"):
        check_impersonation(Settings({"TOPICRAWL_SETTINGS_DIR": str(tmp_path)}))

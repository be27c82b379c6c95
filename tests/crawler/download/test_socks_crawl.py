"""Crawls through real SOCKS5 servers: all goes through them, http and https, within the bounds of every answer."""

import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from crawler.proxies.proxy_lists import ProxyError, read_proxies
from testbed.crawling import Crawl
from testbed.hostile import HostileWeb
from testbed.hostile.behaviours import article, endless_body, endless_headers, links_to, slow_body
from testbed.hostile.server import Connection
from testbed.local_server import AnsweringHandler
from testbed.servers import free_port, listens, make_certificates, wait_until

needs_server = pytest.mark.skipif(not shutil.which("microsocks"), reason="microsocks is not installed")
_PASSWORD = "geheim-33"


@contextmanager
def _socks(number: int) -> Iterator[str]:
    """A server whose requests come from 127.0.2.NUMBER."""
    port = free_port()
    words = ["-i", "127.0.0.1", "-p", str(port), "-b", f"127.0.2.{number}", "-u", "me", "-P", _PASSWORD]
    process = subprocess.Popen(["microsocks", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: listens(port), "microsocks")
        yield f"socks5://me:${{SOCKS_PASSWORD}}@127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


@contextmanager
def _secure_site(folder: Path, came_from: list[str]) -> Iterator[str]:
    class Handler(AnsweringHandler):
        def do_GET(self) -> None:
            came_from.append(self.client_address[0])
            is_page = self.path == "/"
            self.answer(article("A page behind TLS") if is_page else "", 200 if is_page else 404)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made = make_certificates(folder / "tls")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.certificate, made.key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


class _Site:
    """Pages, and some that are too much; remembers where requests came from."""

    def __init__(self) -> None:
        self.came_from: list[str] = []

    def __call__(self, asked: Connection) -> None:
        self.came_from.append(asked.client.getpeername()[0])
        behaviours = {"/endless": endless_body, "/headers": endless_headers, "/slow": slow_body}
        if asked.path in behaviours:
            behaviours[asked.path](asked)
        else:
            links = links_to(
                "http://127.0.0.1:9/", "/endless", "/headers", "/slow", *(f"/{number}" for number in range(6))
            )
            asked.answer(article(f"Page {asked.path}", links if asked.path == "/" else ""))


@needs_server
def test_everything_goes_through_the_proxies_of_which_one_is_dead(tmp_path: Path) -> None:
    site, secure = _Site(), list[str]()
    with (
        HostileWeb({"127.0.0.1": site}) as web,
        _socks(1) as one,
        _socks(2) as two,
        _secure_site(tmp_path, secure) as tls,
    ):
        (tmp_path / "sites").mkdir()
        (tmp_path / "sites" / "default.yaml").write_text("proxies: proxies.txt\nproxy_policy: round_robin\n")
        (tmp_path / "proxies.txt").write_text(f"{one}\n{two}\nsocks5://127.0.0.1:9\n")
        settings = {
            "TOPICRAWL_SETTINGS_DIR": tmp_path, "ALLOW_PRIVATE_ADDRESSES": True, "FRONTIER_HOST_DELAY": 0, "PROXY_BACKOFF": 600,
            "DOWNLOAD_TIMEOUT": 4, "DOWNLOAD_MAXSIZE": 100_000, "FRONTIER_MAX_WAIT": 1, "ROBOTS_CRAWL_DELAY_MAX": 0,
            "RETRY_DELAY": 300, "TITLES_ENABLED": False,
        }  # fmt: skip
        crawl = Crawl(tmp_path / "data", [f"{web.address}/", tls], settings=settings)
        crawl.environment = {"SOCKS_PASSWORD": _PASSWORD}
        crawl.run()
    titles = {row["title"] for row in crawl.pages().values()}
    assert titles == {"Page /", "A page behind TLS", *(f"Page /{number}" for number in range(6))}
    assert set(site.came_from) == {"127.0.2.1", "127.0.2.2"}
    assert set(secure) <= {"127.0.2.1", "127.0.2.2"}
    assert web.sent["127.0.0.1"] < 50_000_000  # sockets and proxies hold some megabytes
    assert "socks5://127.0.0.1:9 does not work" in crawl.log
    assert _PASSWORD not in crawl.log
    assert "HTTP Request" not in crawl.log
    assert not crawl.errors


def test_kinds_of_proxies_that_there_are() -> None:
    labels = [proxy.label for proxy in read_proxies("socks5://a:1\nsocks5h://b:2\nhttps://c:3\nd:4", "list")]
    assert labels == ["socks5://a:1", "socks5h://b:2", "https://c:3", "http://d:4"]
    with pytest.raises(ProxyError, match="line 1: socks4 proxies cannot be used"):
        read_proxies("socks4://a:1", "list")

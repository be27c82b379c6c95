"""Nothing in this machine or its network is asked, whatever a page, a redirect or a name server says."""

import asyncio
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.exceptions import IgnoreRequest

from crawler.download.ip_addresses import PRIVATE_PROXIES, is_public, numeric_address
from crawler.exit_status import ExitCode
from crawler.middlewares.request_filters import AddressMiddleware
from testbed import proxy_ports
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb, behaviours

SPELLINGS = (
    "127.0.0.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "localhost",
    "printer.local",
    "169.254.169.254",
    "10.0.0.1",
)
SETTINGS = {"RETRY_DELAY": 0.05, "ROBOTS_RETRY_SECONDS": 0.1, "FRONTIER_HOST_DELAY": 0, "DOWNLOAD_TIMEOUT": 3}


def _spread(port: int) -> list[str]:
    return [f"http://{spelling}:{port}/secret" for spelling in SPELLINGS]


def _redirects(asked: Connection) -> None:
    """/0, /1 … lead to one spelling each; the home page links to all of them, and to files."""
    spread = _spread(asked.web.port)
    if asked.path == "/":
        targets = [f"/to/{number}" for number in range(len(spread))]
        asked.answer(
            behaviours.article("首页", behaviours.links_to(*targets, *spread, "file:///etc/passwd", "ftp://a/b"))
        )
    elif asked.path.startswith("/to/"):
        asked.answer(status=302, Location=spread[int(asked.path.rsplit("/", 1)[1])])
    else:
        asked.answer(status=302, Location="file:///etc/passwd")


def test_no_redirect_or_link_leads_inside_also_by_way_of_a_proxy(tmp_path: Path) -> None:
    with HostileWeb({"outside.example": _redirects}) as web:
        settings = SETTINGS | {"ALLOW_PRIVATE_ADDRESSES": False}
        starts = ["http://outside.example/", "http://outside.example/file"]
        crawl = Crawl(tmp_path, starts, settings=settings, environment={"http_proxy": web.address}).run()
    assert not crawl.errors
    assert list(crawl.pages()) == ["http://outside.example/"]
    assert len(web.asked("outside.example")) == 2 + len(SPELLINGS) + 1  # and the sitemap
    assert {seen.host for seen in web.seen} == {"outside.example"}


def test_no_start_page_inside_is_asked_directly(tmp_path: Path) -> None:
    with HostileWeb({}) as web:
        starts = [start for start in _spread(web.port) if "." in start or "[" in start]
        crawl = Crawl(tmp_path, starts, settings=SETTINGS).run()
    assert crawl.exit_code == ExitCode.NOTHING
    assert [line for line in crawl.errors if "Ending: nothing_fetched" not in line] == []
    assert not crawl.pages()
    assert not web.seen
    assert "ALLOW_PRIVATE_ADDRESSES" in crawl.log


def test_the_operator_may_allow_it(tmp_path: Path) -> None:
    with HostileWeb({"127.0.0.1": behaviours.plain}) as web:
        settings = SETTINGS | {"ALLOW_PRIVATE_ADDRESSES": True}
        crawl = Crawl(tmp_path, [f"{web.address}/"], settings=settings).run()
    assert list(crawl.pages()) == [f"{web.address}/"]


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.5.5", "100.64.0.1", "0.0.0.0"])
@pytest.mark.parametrize("wrapping", ["{}", "::ffff:{}", "64:ff9b::{}"])
def test_private_addresses_in_every_wrapping(address: str, wrapping: str) -> None:
    assert not is_public(wrapping.format(address))


@pytest.mark.parametrize("address", ["fe80::1%eth0", "fc00::1", "::", "ff02::1", "2002:7f00:1::", "no address"])
def test_private_ipv6_addresses(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34"])
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@given(st.integers(0, 2**32 - 1))
def test_every_spelling_of_an_address_is_the_same_address(number: int) -> None:
    dotted = ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0))
    assert {numeric_address(spelling) for spelling in (str(number), hex(number), dotted)} == {dotted}


@pytest.mark.parametrize("host", ["example.com", "1and1.com", "163.com", "abc", ""])
def test_names_are_no_addresses(host: str) -> None:
    assert numeric_address(host) == ""


@pytest.mark.parametrize(("address", "is_refused"), [("10.0.0.5", True), ("93.184.216.34", False)])
@pytest.mark.parametrize("spelling", ["proxy.internal.example", "PROXY.internal.example", "proxy.internal.example."])
def test_the_host_of_a_private_proxy_is_no_site(
    monkeypatch: pytest.MonkeyPatch, spelling: str, address: str, is_refused: bool
) -> None:
    monkeypatch.setattr(PRIVATE_PROXIES, "hosts", {"proxy.internal.example"})
    refused = "only the port of the proxy"

    async def ask() -> str:
        loop = asyncio.get_running_loop()

        async def resolve(host: str, port: object, **_: object) -> list[object]:
            return [(2, 1, 6, "", (address, 0))]

        monkeypatch.setattr(loop, "getaddrinfo", resolve)
        middleware = AddressMiddleware()
        await middleware.process_request(Request("http://other.example:22/"))
        try:
            await middleware.process_request(Request(f"http://{spelling}:22/"))
        except IgnoreRequest as error:
            return str(error)
        return ""

    assert (refused in asyncio.run(ask())) is is_refused


def test_a_page_does_not_reach_other_ports_of_the_proxy(tmp_path: Path) -> None:
    if not (address := socket.gethostbyname(name := socket.gethostname())) or is_public(address) or "." in name:
        pytest.skip("this machine's name has no private address, or is taken for a site's")
    assert proxy_ports.attack(tmp_path) == ""

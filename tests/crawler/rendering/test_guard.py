"""What a page in the browser may reach: public addresses, a limited number of bytes, by way of the site's proxy."""

import asyncio
import shutil
import socket
import subprocess
from collections.abc import Coroutine
from typing import Any

import pytest

from crawler.rendering.guard import Guard, Upstream
from testbed.hostile import Connection, HostileWeb
from testbed.servers import free_port, listens, wait_until


async def _say(address: str, text: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rsplit(":", 1)[1]))
    writer.write(text.encode())
    answer = await asyncio.wait_for(reader.read(-1), 120)
    writer.close()
    return answer


def _ask(guard: Guard, *texts: str) -> list[bytes]:
    async def ask() -> list[bytes]:
        async with guard:
            return [await _say(guard.address, text) for text in texts]

    return asyncio.run(ask())


def _get(url: str) -> str:
    return f"GET {url} HTTP/1.1\r\nHost: {url.split('/')[2]}\r\nProxy-Connection: keep-alive\r\nConnection: keep-alive\r\n\r\n"


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "2130706433", "0x7f.1", "localhost", "[::1]", "printer.local", "10.0.0.1"]
)
def test_nothing_inside_is_reached_in_any_spelling(host: str) -> None:
    with HostileWeb({}) as web:
        guard = Guard(allow_private=False, max_bytes=1_000_000)
        answers = _ask(guard, _get(f"http://{host}:{web.port}/"), f"CONNECT {host}:{web.port} HTTP/1.1\r\n\r\n")
        assert not web.seen
    assert all(answer.startswith(b"HTTP/1.1 403") for answer in answers)
    assert len(guard.refused) == 2


def test_a_name_that_leads_inside_is_refused_where_it_is_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(host: str, port: int, **_: Any) -> Coroutine[Any, Any, list[Any]]:
        async def found() -> list[Any]:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

        return found()

    async def ask(port: int) -> bytes:
        loop = asyncio.get_running_loop()
        async with Guard(allow_private=False, max_bytes=1_000_000) as guard:
            address = guard.address
            connecting = asyncio.open_connection("127.0.0.1", int(address.rsplit(":", 1)[1]))
            reader, writer = await connecting
            monkeypatch.setattr(loop, "getaddrinfo", resolve)
            writer.write(_get(f"http://rebound.example:{port}/").encode())
            answer = await reader.read(-1)
            writer.close()
            assert guard.refused == ["rebound.example (127.0.0.1)"]
            return answer

    with HostileWeb({}) as web:
        assert asyncio.run(ask(web.port)).startswith(b"HTTP/1.1 403")
        assert not web.seen


def test_an_answer_comes_through_whole_and_its_bytes_are_counted() -> None:
    with HostileWeb({"127.0.0.1": lambda asked: asked.answer("x" * 5000)}) as web:
        guard = Guard(allow_private=True, max_bytes=1_000_000)
        tunnel = f"CONNECT 127.0.0.1:{web.port} HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        plain, tunnelled = _ask(guard, _get(f"{web.address}/a?b=1"), tunnel)
        assert [seen.path for seen in web.seen] == ["/a?b=1", "/b"]
    assert plain.endswith(b"x" * 5000)
    assert tunnelled.startswith(b"HTTP/1.1 200 Connected\r\n\r\nHTTP/1.1 200")
    assert tunnelled.endswith(b"x" * 5000)
    assert 10_000 < guard.received < 11_000


def test_a_page_that_has_had_its_share_gets_no_more() -> None:
    def endless(asked: Connection) -> None:
        asked.send(b"HTTP/1.1 200 X\r\n\r\n")
        asked.drip(b"x" * 50_000, 0.0)

    with HostileWeb({"127.0.0.1": endless}) as web:
        guard = Guard(allow_private=True, max_bytes=500_000)
        first, second = _ask(guard, _get(f"{web.address}/"), _get(f"{web.address}/"))
        assert len(web.seen) == 1
    assert guard.is_spent
    assert len(first) <= 500_000
    assert second.startswith(b"HTTP/1.1 403")


def test_the_sites_proxy_is_used_with_its_password_for_names_and_tunnels() -> None:
    proxied: list[str] = []

    def keep(asked: Connection) -> None:
        proxied.append(asked.headers.get("Proxy-Authorization", ""))
        asked.answer("through the proxy")

    with HostileWeb({"far.example": keep}) as web:
        upstream = Upstream(web.address.replace("http://", "http://ann:se%40cret@"))
        guard = Guard(allow_private=False, max_bytes=1_000_000, upstream=upstream)
        answer, inside = _ask(guard, _get("http://far.example/x"), _get("http://192.168.0.1/x"))
    assert answer.endswith(b"through the proxy")
    assert proxied == ["Basic YW5uOnNlQGNyZXQ="]
    assert inside.startswith(b"HTTP/1.1 403")


@pytest.mark.skipif(not shutil.which("microsocks"), reason="microsocks is not installed")
@pytest.mark.parametrize("password", ["geheim", "wrong"])
def test_a_socks_proxy_is_used_with_its_password(password: str) -> None:
    port = free_port()
    words = ["microsocks", "-i", "127.0.0.1", "-p", str(port), "-b", "127.0.2.9", "-u", "me", "-P", "geheim"]
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    came_from: list[str] = []

    def answer(asked: Connection) -> None:
        came_from.append(asked.client.getpeername()[0])
        asked.answer("through it")

    try:
        wait_until(lambda: listens(port), "microsocks")
        with HostileWeb({"127.0.0.1": answer}) as web:
            guard = Guard(True, 1_000_000, Upstream(f"socks5://me:{password}@127.0.0.1:{port}"))
            tunnel = f"CONNECT 127.0.0.1:{web.port} HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            answers = _ask(guard, _get(f"{web.address}/a"), tunnel)
            paths = [seen.path for seen in web.seen]
    finally:
        server.kill()
        server.wait()
    if password == "geheim":
        assert all(answer.endswith(b"through it") for answer in answers)
        assert (paths, came_from) == (["/a", "/b"], ["127.0.2.9"] * 2)
    else:
        assert all(answer.startswith(b"HTTP/1.1 502") for answer in answers)
        assert not paths


@pytest.mark.parametrize(
    "text", ["nonsense\r\n\r\n", "GET ftp://a/ HTTP/1.1\r\n\r\n", "CONNECT :0 HTTP/1.1\r\n\r\n", "\r\n\r\n"]
)
def test_nonsense_gets_an_answer_too(text: str) -> None:
    (answer,) = _ask(Guard(allow_private=True, max_bytes=1000), text)
    assert answer.startswith((b"HTTP/1.1 4", b"HTTP/1.1 5"))

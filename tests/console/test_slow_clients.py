"""A client that sends a form byte by byte keeps no place: it is refused, and its connection ends."""

import logging
import socket
import time
from urllib.parse import urlsplit

import pytest

from console.frame import safety
from console.frame.app_context import AppContext
from testbed.console_server import served


def test_a_form_that_comes_byte_by_byte_is_refused_and_cut_off(
    app_context: AppContext, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(safety, "_BODY_SECONDS", 0.3)
    caplog.set_level(logging.WARNING, "console")
    with (
        served(app_context) as address,
        socket.create_connection(("127.0.0.1", urlsplit(address).port), timeout=0.05) as client,
    ):
        head = f"POST /login HTTP/1.1\r\nHost: {address[7:]}\r\nOrigin: {address}\r\nContent-Length: 9000\r\n"
        client.sendall(f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\n".encode())
        answer, sent = dripped(client)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert sent < 1_000
    assert [each.message for each in caplog.records] == ["Refused a form from 127.0.0.1: it arrived too slowly"]


def dripped(client: socket.socket) -> tuple[bytes, int]:
    """What is answered to one byte after the other until the other side ends the connection, and how many bytes were sent."""
    answer, ends = b"", time.monotonic() + 20
    for sent in range(9_000):
        assert time.monotonic() < ends
        try:
            client.sendall(b"a")
            part = client.recv(65_536)
        except TimeoutError:
            continue
        except ConnectionError:
            return answer, sent
        if not part:
            return answer, sent
        answer += part
    return answer, 9_000

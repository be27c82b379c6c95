"""A TLS server that keeps what each client says of itself: its ClientHello and its HTTP headers, as sent."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from testbed.servers.certificates import make_certificates


@dataclass(frozen=True, slots=True)
class Hello:
    """A client's greeting without the random values that browsers strew in (GREASE); lists are in the order sent."""

    version: int
    ciphers: tuple[int, ...]
    extensions: tuple[int, ...]
    groups: tuple[int, ...]
    formats: tuple[int, ...]
    protocols: tuple[str, ...]

    @property
    def ja3(self) -> str:
        """As published."""
        parts = (self.ciphers, self.extensions, self.groups, self.formats)
        return ",".join([str(self.version), *("-".join(map(str, part)) for part in parts)])

    @property
    def sorted_ja3(self) -> str:
        """Without the order of extensions, which browsers change from one connection to the next."""
        parts = (self.ciphers, sorted(self.extensions), self.groups, self.formats)
        return ",".join([str(self.version), *("-".join(map(str, part)) for part in parts)])


def read_hello(record: bytes) -> Hello:
    """From the first bytes of a connection: a TLS record with a ClientHello."""
    body = record[9:]
    place = 34
    place += 1 + body[place]
    ciphers, place = _numbers(body, place)
    place += 1 + body[place]
    end = place + 2 + int.from_bytes(body[place : place + 2], "big")
    place += 2
    found: dict[int, bytes] = {}
    while place < end:
        kind, size = int.from_bytes(body[place : place + 2], "big"), int.from_bytes(body[place + 2 : place + 4], "big")
        found[kind] = body[place + 4 : place + 4 + size]
        place += 4 + size
    return Hello(
        int.from_bytes(body[0:2], "big"),
        ciphers,
        tuple(kind for kind in found if not _is_grease(kind)),
        _numbers(found[10], 0)[0] if 10 in found else (),
        tuple(found[11][1:]) if 11 in found else (),
        tuple(_names(found[16][2:])) if 16 in found else (),
    )


def _numbers(data: bytes, place: int) -> tuple[tuple[int, ...], int]:
    size = int.from_bytes(data[place : place + 2], "big")
    numbers = [int.from_bytes(data[at : at + 2], "big") for at in range(place + 2, place + 2 + size, 2)]
    return tuple(number for number in numbers if not _is_grease(number)), place + 2 + size


def _is_grease(number: int) -> bool:
    return number & 0x0F0F == 0x0A0A and number >> 8 == number & 0xFF


def _names(data: bytes) -> list[str]:
    names = []
    while data:
        names.append(data[1 : 1 + data[0]].decode())
        data = data[1 + data[0] :]
    return names


class TlsServer:
    """Answers each request on 127.0.0.1 with what `answer` makes of its path: the whole answer, or pieces without end.

    Attributes:
        seen: for each request its client's greeting and its head, line by line.
    """

    def __init__(self, folder: Path, answer: Callable[[str], bytes]) -> None:
        made = make_certificates(folder)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(made.certificate, made.key)
        self._context.set_alpn_protocols(["http/1.1"])
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.address = f"https://127.0.0.1:{self.port}"
        self.seen: list[tuple[Hello, list[str]]] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError), client:
            client.settimeout(10)
            size = 5
            while len(record := client.recv(size, socket.MSG_PEEK)) < size or size == 5:
                if len(record) >= 5:
                    size = 5 + int.from_bytes(record[3:5], "big")
            hello = read_hello(record)
            with self._context.wrap_socket(client, server_side=True) as secured:
                while head := self._head(secured):
                    self.seen.append((hello, head))
                    secured.sendall(self._answer(head[0].split(" ")[1]))

    @staticmethod
    def _head(client: ssl.SSLSocket) -> list[str]:
        data = b""
        while b"\r\n\r\n" not in data:
            piece = client.recv(65_536)
            if not piece:
                return []
            data += piece
        return data.decode("latin-1").split("\r\n\r\n")[0].split("\r\n")


def whole(body: bytes, **headers: str) -> bytes:
    """An answer; underscores in names stand for hyphens."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in {"Content_Type": "text/html", **headers}.items()]
    return "\r\n".join(["HTTP/1.1 200 OK", f"Content-Length: {len(body)}", *lines]).encode() + b"\r\n\r\n" + body

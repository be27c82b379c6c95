"""A small HTTP server and proxy: each host name has its own behaviour, and every request is kept."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

Handler = Callable[["Connection"], None]
_NO_ROBOTS = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Seen:
    """A request that came in, and when (monotonic seconds)."""

    host: str
    path: str
    at: float


class Connection:
    """One request and the socket to answer it on; counts what was sent."""

    def __init__(
        self, web: "HostileWeb", client: socket.socket, host: str, path: str, turn: int, headers: Mapping[str, str]
    ) -> None:
        self.web, self.client, self.host, self.path, self.turn = web, client, host, path, turn
        self.headers = headers

    def send(self, data: bytes) -> None:
        """Raises OSError once the other side has had enough."""
        self.client.sendall(data)
        self.web.sent[self.host] = self.web.sent.get(self.host, 0) + len(data)

    def answer(self, body: bytes | str = b"", status: int = 200, **headers: str) -> None:
        """A whole answer; underscores in the names of headers stand for hyphens."""
        data = body.encode() if isinstance(body, str) else body
        lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(data)}", "Connection: close"]
        headers.setdefault("Content_Type", "text/html")
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + data)

    def drip(self, piece: bytes, pause: float) -> None:
        """The same bytes again and again until the other side hangs up or the web closes."""
        while not self.web.closing.wait(pause):
            self.send(piece)


class HostileWeb:
    """Listens on a free port of the address `bind`; also answers as an HTTP proxy for every host name it knows.

    Args:
        hosts: what each host name does; its robots.txt is missing unless `robots` has an answer for it.
    """

    def __init__(
        self, hosts: Mapping[str, Handler], robots: Mapping[str, Handler] | None = None, bind: str = "127.0.0.1"
    ) -> None:
        self._hosts, self._robots, self._bind = dict(hosts), dict(robots or {}), bind
        self._listener = socket.create_server((bind, 0))
        self.port: int = self._listener.getsockname()[1]
        self.seen: list[Seen] = []
        self.sent: dict[str, int] = {}
        self.closing = threading.Event()
        self._threads: list[threading.Thread] = []

    @property
    def address(self) -> str:
        """The URL under which it is reached, also as a proxy."""
        return f"http://{self._bind}:{self.port}"

    def asked(self, host: str, path: str = "") -> list[Seen]:
        """Requests for a host, robots.txt apart."""
        found = [seen for seen in self.seen if seen.host == host and seen.path != "/robots.txt"]
        return [seen for seen in found if not path or seen.path == path]

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(5)

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self.closing.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self._start(self._serve, client)

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError), client:
            client.settimeout(20)
            head = _read_head(client)
            _, target, _ = head[0].split(" ", 2)
            named = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
            url = urlsplit(target if "://" in target else f"http://{named.get('Host', '')}{target}")
            host, path = url.hostname or "", url.path + (f"?{url.query}" if url.query else "")
            self.seen.append(Seen(host, path, time.monotonic()))
            connection = Connection(self, client, host, path, len(self.asked(host, path)), named)
            if path == "/robots.txt" and host not in self._robots:
                client.sendall(_NO_ROBOTS)
                return
            known = self._robots if path == "/robots.txt" else self._hosts
            known.get(host, lambda asked: asked.answer("no such host", 502))(connection)


def _read_head(client: socket.socket) -> list[str]:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = client.recv(65_536)
        if not piece:
            raise ValueError("the client hung up")
        data += piece
    return data.decode("latin-1").split("\r\n")

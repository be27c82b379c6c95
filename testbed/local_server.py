"""Small HTTP servers on this machine."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class AnsweringHandler(BaseHTTPRequestHandler):
    """Answers with whole bodies, and keeps no log."""

    def answer(self, body: bytes | str = b"", status: int = 200, **headers: str) -> None:
        """A whole answer, HTML unless `Content_Type` is given; underscores in the names of headers stand for hyphens."""
        data = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        given = {"Content_Type": "text/html; charset=utf-8", "Content_Length": str(len(data))} | headers
        for name, value in given.items():
            self.send_header(name.replace("_", "-"), value)
        with suppress(ConnectionError):  # a client that was killed
            self.end_headers()
            self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[ThreadingHTTPServer]:
    """A server on a free port, which answers in threads of its own until the end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

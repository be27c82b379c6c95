"""A judge of proxies: a small server that tells who asks it, and with which headers."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class _Handler(BaseHTTPRequestHandler):
    timeout = 10

    def do_GET(self) -> None:
        """Address and headers as JSON."""
        said = {"address": self.client_address[0], "headers": dict(self.headers.items())}
        body = json.dumps(said, indent=1).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


class JudgeServer(ThreadingHTTPServer):
    """Listens on the address and port, 0 for a free one; OSError if it may not."""

    daemon_threads = True

    def __init__(self, address: str, port: int) -> None:
        super().__init__((address, port), _Handler)

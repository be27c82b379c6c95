"""Receivers on this machine: a web server that notes what it gets, and a mail server."""

import base64
import json
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, cast

from testbed.local_server import AnsweringHandler, serving
from testbed.servers.certificates import Certificates


@dataclass
class Got:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def values(self) -> dict[str, Any]:
        return cast(dict[str, Any], json.loads(self.body))


@dataclass
class Receiver:
    """What came, and what is answered: status, body, headers."""

    answer: Callable[[Got], tuple[int, bytes, dict[str, str]]]
    got: list[Got] = field(default_factory=list)
    url: str = ""


def _taken(got: Got) -> tuple[int, bytes, dict[str, str]]:
    return 200, b'{"code": 0, "errcode": 0, "ok": true}', {}


@contextmanager
def receiver(answer: Callable[[Got], tuple[int, bytes, dict[str, str]]] = _taken) -> Iterator[Receiver]:
    """A web server for POST."""
    found = Receiver(answer)

    class Handler(AnsweringHandler):
        def do_POST(self) -> None:  # the standard library's name
            body = self.rfile.read(int(self.headers["Content-Length"]))
            got = Got(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            found.got.append(got)
            status, said, headers = found.answer(got)
            self.answer(said, status, **headers)

    with serving(Handler) as server:
        server.daemon_threads = False  # closing waits for the last answer
        found.url = f"http://127.0.0.1:{server.server_port}"
        yield found


@dataclass
class MailServer:
    """What came, and who has logged in; addresses in `refused` are refused."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    busy: int = 0
    users: list[str] = field(default_factory=list)


@contextmanager
def mail_server(certificates: Certificates | None = None, *, at_once: bool = False) -> Iterator[MailServer]:
    """As much of SMTP as a client needs; the first `busy` mails are put off with 451.

    With certificates it takes passwords and mails in TLS only: after STARTTLS, or `at_once` from the first byte.
    """
    found = MailServer()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    if certificates:
        context.load_cert_chain(certificates.certificate, certificates.key)

    class Handler(socketserver.StreamRequestHandler):
        def say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())

        def handle(self) -> None:
            with suppress(OSError):  # a client that does not trust the certificate closes the connection
                if at_once:
                    self.encrypt()
                self.say("220 test")
                self.talk()
            if certificates:  # another one than the server knows
                self.connection.close()

        def encrypt(self) -> None:
            self.finish()  # closes the files of the connection, not the connection
            self.request = context.wrap_socket(self.request, server_side=True)
            self.setup()

        def talk(self) -> None:
            while line := self.rfile.readline():
                word, is_safe = line[:4].upper().strip(), not certificates or isinstance(self.request, ssl.SSLSocket)
                if word == b"QUIT":
                    self.say("221 bye")
                    return
                if word == b"EHLO":
                    self.say("250-test\r\n250 AUTH PLAIN" if is_safe else "250-test\r\n250 STARTTLS")
                elif word == b"STAR":
                    self.say("220 go on")
                    self.encrypt()
                elif word == b"AUTH":
                    found.users.append(base64.b64decode(line.split()[-1]).decode())
                    self.say("235 ok")
                elif not is_safe:
                    self.say("530 Must issue a STARTTLS command first")
                elif word == b"DATA":
                    self.data()
                elif word == b"RCPT" and any(each.encode() in line for each in found.refused):
                    self.say("550 no such box")
                else:
                    self.say("250 ok")

        def data(self) -> None:
            self.say("354 go on")
            lines: list[bytes] = []
            while (line := self.rfile.readline()) not in (b".\r\n", b""):
                lines.append(line[1:] if line.startswith(b"..") else line)
            if found.busy:
                found.busy -= 1
                self.say("451 later")
                return
            found.mails.append(cast(EmailMessage, message_from_bytes(b"".join(lines), policy=policy.default)))
            self.say("250 taken")

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    found.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()

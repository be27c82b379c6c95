"""Mail servers that never come to an end: each is left at the deadline, and the message can be tried again."""

import contextlib
import socketserver
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from analysis.delivery import mail
from analysis.delivery.channels import EmailChannel
from analysis.delivery.message import DeliveryError, Message
from analysis.delivery.send import send
from benchmarks.attacks import Trial, outcome

_TRIES, _DEADLINE, _SLACK = 8, 2.0, 1.5
_PIECES = (
    b"2",
    b"220-and more\r\n",
    b"x" * 65_536,
    b"\x16\x03\x03\x40",
    b"\r\n",
    b"220 ",
    b"",
    b"\xff\x00" * 40,
    b"250-\r\n" * 99,
)
_MESSAGE = Message("k-1", "title", "text", "https://a.example/1", {})


def attack(folder: Path, trial: Trial) -> str:
    """Pieces, pauses and kinds of encryption at random, with a deadline of two seconds."""
    chance, slowest, faults = trial.chance(), 0.0, set[str]()
    before, mail._MAX_SECONDS = mail._MAX_SECONDS, _DEADLINE
    try:
        for _ in range(_TRIES):
            piece, pause = chance.choice(_PIECES), chance.choice((0.0, 0.05, 0.5))
            with _talker(piece, pause or (0.05 if len(piece) < 2 else 0.0)) as port:
                began = time.monotonic()
                faults.add(_fault(port, chance.choice(("none", "starttls", "tls"))))
                slowest = max(slowest, time.monotonic() - began)
    finally:
        mail._MAX_SECONDS = before
    faults.add("too slow" if slowest > _DEADLINE + _SLACK else "")
    return outcome(f"{_TRIES} servers, left after {slowest:.1f} s at most", *sorted(faults))


def _fault(port: int, security: str) -> str:
    given = {
        "kind": "email",
        "host": "127.0.0.1",
        "port": port,
        "sender": "a@b.example",
        "to": ["c@d.example"],
        "security": security,
    }
    try:
        send(EmailChannel.model_validate(given), _MESSAGE, allow_private=True)
    except DeliveryError as error:
        return "it says that the message may have come" if error.unsure else ""
    return "it counts as sent"


@contextlib.contextmanager
def _talker(piece: bytes, pause: float) -> Iterator[int]:
    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(OSError):
                while True:
                    self.request.sendall(piece)
                    time.sleep(pause)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()

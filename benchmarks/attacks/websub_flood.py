"""Garbage, endless messages and many connections at the listener for hubs: a hub is answered within a second, nothing is believed."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from urllib.request import urlopen

from benchmarks.attacks import Trial, outcome
from testbed.crawling import REPOSITORY

_CLIENTS, _MESSAGES = 40, 300
_MAX_ANSWER_SECONDS, _MAX_GROWTH_BYTES = 1.0, 100 << 20
_LISTENER = """
import sys
from twisted.internet import reactor
from crawler.watching.websub import Subscriptions
from crawler.watching.websub_listener import Listener
known = Subscriptions("https://me.example/hooks")
known.see("http://a.example/feed", "https://hub.example/", "http://a.example/feed")
((found, _),) = known.due(0.0)
def deliver(token, body, signature):
    believed = known.message(token, body, signature, 1.0) is not None
    if believed: print("believed", flush=True)
    return 202 if believed else 404
listener = Listener("127.0.0.1:0", lambda token, said: known.verify(token, said, 0.0), deliver)
print(listener.port, found.token, flush=True)
reactor.run()
"""


def attack(folder: Path, trial: Trial) -> str:
    """Clients that stall stay connected while others send garbage and a hub asks."""
    command = [sys.executable, "-c", _LISTENER]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout is not None
            port, token = process.stdout.readline().decode().split()
            before = _resident(process.pid)
            answers = _flooded(trial.chance(), int(port), token)
            grown, lives = _resident(process.pid) - before, process.poll() is None
        finally:
            process.kill()
        believed = process.stdout.read().count(b"believed")
    slowest = max(answers)
    return outcome(
        f"{_MESSAGES} messages, {_CLIENTS} stalled; a hub is answered in {slowest:.2f} s at most, {grown >> 20} MB more",
        "it ended" if not lives else "",
        f"{believed} messages believed" if believed else "",
        "too slow" if slowest > _MAX_ANSWER_SECONDS else "",
        "too much memory" if grown > _MAX_GROWTH_BYTES else "",
    )


def _flooded(chance: Random, port: int, token: str) -> list[float]:
    answers = []
    with contextlib.ExitStack() as stack:
        for _ in range(_CLIENTS):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            client.sendall(
                chance.choice((b"", b"POST /", b"POST / HTTP/1.1\r\nContent-Length: 999\r\n\r\n", b"\x16\x03"))
            )
        for number in range(_MESSAGES):
            _send(port, _message(chance, token))
            if number % 30 == 0:
                began = time.monotonic()
                query = "hub.mode=subscribe&hub.topic=http://a.example/feed&hub.challenge=c7"
                with urlopen(f"http://127.0.0.1:{port}/{token}?{query}", timeout=20) as answer:
                    answers.append(time.monotonic() - began if answer.read() == b"c7" else float("inf"))
    return answers


def _message(chance: Random, token: str) -> bytes:
    path = chance.choice((token, "x" * 20_000, "../" * 90, "%00", ""))
    body = chance.randbytes(chance.choice((0, 10, 100_000, 3_000_000)))
    length = chance.choice((str(len(body)), "-1", "9" * 30, "x", "5"))
    framing = chance.choice(
        (
            f"Content-Length: {length}",
            "Transfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nContent-Length: 5",
            "A: b",
        )
    )
    signed = chance.choice(("sha256=" + "0" * 64, "sha1=x", "md5=" + "0" * 32, "=" * 5_000, "\x00"))
    method = chance.choice(("POST", "GET", "PUT", "\x00", "POST" * 3_000))
    return f"{method} /{path} HTTP/1.1\r\nHost: x\r\nX-Hub-Signature: {signed}\r\n{framing}\r\n\r\n".encode() + body


def _send(port: int, message: bytes) -> None:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=0.5) as client:
        client.sendall(message)
        client.shutdown(socket.SHUT_WR)
        client.recv(1_000)


def _resident(process: int) -> int:
    with open(f"/proc/{process}/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

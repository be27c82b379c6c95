"""Fifty clients that say nothing or little and twenty exports that nobody reads: people log in, a disabled account is out at once."""

import random
import socket
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from benchmarks.attacks import Trial, outcome
from benchmarks.console import fill
from console.access.people import People, Role
from console.access.sessions import Sessions
from console.frame.app_context import utc_now
from console.frame.authentication import SESSION
from pipelines.stores.opening import open_store
from testbed.console_server import console_process

_STALLED, _EXPORTS, _PAGES = 50, 20, 4_000
_LOGIN_SECONDS, _OUT_SECONDS = 1.0, 5.0
_PASSWORD = "correct horse battery"


def attack(folder: Path, trial: Trial) -> str:
    """Answers of /login, and the time until a disabled account gets 401."""
    address = f"sqlite:///{folder}/made.db"
    with closing(open_store(address)) as store:
        fill(store, _PAGES)
        people = People(store, utc_now)
        for name, role in (("anna", Role.ADMIN), ("ben", Role.ANALYST)):
            people.add(name, role, _PASSWORD)
        cookie = f"{SESSION}={Sessions(store, people, utc_now, 1).open('ben')}"
        with console_process(address, folder) as (port, _), ExitStack() as stack:
            for request in _requests(trial.chance(), port, cookie):
                stack.enter_context(closing(_hanging(port, request)))
            logins = [_asked(port, "/login", "")[0] for _ in range(10)]
            before = _asked(port, "/api/events", cookie)[1]
            people.set_active("ben", False)
            out = _until_refused(port, cookie)
    figures = f"/login {max(logins):.2f} s at most, disabled out after {out:.2f} s"
    return outcome(
        figures,
        "slow log-in" if max(logins) > _LOGIN_SECONDS else "",
        f"status {before} before" if before != 200 else "",
        "stays in" if out > _OUT_SECONDS else "",
    )


def _requests(chance: random.Random, port: int, cookie: str) -> list[str]:
    head = f"HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n"
    kinds = [
        "",
        "GET /",
        f"GET /articles {head}",
        f"POST /login {head}Content-Length: 9000\r\n\r\na",
        f"GET /live {head}\r\n",
    ]
    exports = [
        f"GET {path}.{kind}?copies=1 {head}\r\n" for path in ("/articles", "/urls") for kind in ("jsonl", "csv", "xlsx")
    ]
    found = [chance.choice(exports) for _ in range(_EXPORTS)] + [chance.choice(kinds) for _ in range(_STALLED)]
    chance.shuffle(found)
    return found


def _hanging(port: int, request: str) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    client.settimeout(30)
    client.connect(("127.0.0.1", port))
    client.sendall(request.encode())
    return client


def _asked(port: int, path: str, cookie: str) -> tuple[float, int]:
    """Seconds, and the status; 0 without an answer."""
    began, status = time.monotonic(), 0
    try:
        with urlopen(Request(f"http://127.0.0.1:{port}{path}", headers={"Cookie": cookie}), timeout=20) as answer:
            status = answer.status
    except HTTPError as error:
        status = error.code
    except OSError:
        pass
    return time.monotonic() - began, status


def _until_refused(port: int, cookie: str) -> float:
    began = time.monotonic()
    while time.monotonic() - began < 4 * _OUT_SECONDS:
        with suppress(OSError):
            if _asked(port, "/api/events", cookie)[1] == 401:
                break
        time.sleep(0.1)
    return time.monotonic() - began

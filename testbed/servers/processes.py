"""Server processes that tests start on a free loopback port, in a folder of their own, and surely stop."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

HANGING_SECONDS = 120.0
"""Only against hanging: far above what anything takes on a busy machine."""


def free_port() -> int:
    """A loopback port that nobody listens on just now; so low that the bus of a Redis Cluster, 10,000 above it,
    is none that connections of other programs get."""
    while True:
        port = random.SystemRandom().randrange(12_000, 22_000)
        with contextlib.suppress(OSError), socket.socket() as probe, socket.socket() as bus:
            probe.bind(("127.0.0.1", port))
            bus.bind(("127.0.0.1", port + 10_000))
            return port


def listens(port: int, host: str = "127.0.0.1") -> bool:
    """Whether somebody answers on this port."""
    with contextlib.suppress(OSError), socket.create_connection((host, port), timeout=1.0):
        return True
    return False


def wait_until(reached: Callable[[], bool], what: str, seconds: float = HANGING_SECONDS) -> None:
    """Return as soon as `reached`; TimeoutError naming `what` if that takes longer."""
    deadline = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} took longer than {seconds:.0f} s")
        time.sleep(0.02)


@dataclass
class ServerProcess:
    """A server that can be stopped, killed and started again on the same port with the same data.

    Attributes:
        origin: which program it is, for the test report.
        address: the URL under which clients reach it.
        host: where it listens.
        stopping: the signal on which it ends in order.
    """

    command: Sequence[str]
    port: int
    folder: Path
    origin: str
    address: str
    environment: Mapping[str, str] = field(default_factory=dict)
    host: str = "127.0.0.1"
    stopping: signal.Signals = signal.SIGTERM
    _process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Of the running process; RuntimeError if it is not running."""
        if self._process is None:
            raise RuntimeError(f"{self.origin} is not running")
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return not self._ended()

    def start(self) -> "ServerProcess":
        """Start and return when it listens; RuntimeError with its output if it ends instead."""
        self.folder.mkdir(parents=True, exist_ok=True)
        log = self.folder / "server.log"
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                self.command,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**os.environ, **self.environment},
            )
        wait_until(lambda: self._ended() or self._is_ready(), f"starting {self.origin}")
        if self._ended():
            raise RuntimeError(f"{self.origin} ended at once: {log.read_text(errors='replace')[-2000:]}")
        return self

    def _is_ready(self) -> bool:
        """Whether it listens; a Redis must also have read its data again, else it refuses commands for a moment."""
        if not listens(self.port, self.host):
            return False
        if not self.address.startswith("redis://"):
            return True
        with contextlib.suppress(OSError), socket.create_connection((self.host, self.port), timeout=1.0) as probe:
            probe.sendall(b"PING\r\n")
            return not probe.recv(100).startswith(b"-LOADING")
        return False

    def _ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def stop(self) -> None:
        """End it in order, by force if it does not."""
        self._end(self.stopping)

    def kill(self) -> None:
        """End it at once, as a crash does."""
        self._end(signal.SIGKILL)

    def pause(self) -> None:
        """Let it hang: its connections stay open and nobody answers."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Go on after `pause`."""
        os.kill(self.pid, signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(how)
        process.send_signal(signal.SIGCONT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)

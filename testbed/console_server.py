"""The console on a port of its own, for browsers and measurements: in a thread, or in a process as users start it."""

import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import uvicorn

from console.app import make_app
from console.frame.app_context import AppContext
from console.frame.connections import server_config
from testbed.served_web import REPOSITORY, free_port

_START_SECONDS = 60.0


@contextlib.contextmanager
def served(app_context: AppContext) -> Iterator[str]:
    """Its address; the server has ended afterwards."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(server_config(make_app(app_context), log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@contextlib.contextmanager
def console_process(store: str, folder: Path) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Its port and its process, as `scrapy console` starts it on the store with this address; the log is `console.log` in the folder."""
    port = free_port()
    chosen = {"STORE": store, "DATA_DIR": folder, "CONSOLE_PORT": port}
    command = [sys.executable, "-m", "scrapy", "console"]
    command += [part for name, value in chosen.items() for part in ("-s", f"{name}={value}")]
    with (folder / "console.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=REPOSITORY, stdout=log, stderr=log)
    try:
        _wait_for(port)
        yield port, process
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int) -> None:
    ends = time.monotonic() + _START_SECONDS
    while time.monotonic() < ends:
        with contextlib.suppress(OSError), urlopen(f"http://127.0.0.1:{port}/login"):
            return
        time.sleep(0.2)
    raise RuntimeError("the console did not start; see its log")

"""The console in a thread, on a port of its own, for browsers and measurements."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import uvicorn

from console.app import make_app
from console.frame.app_context import AppContext
from console.frame.connections import server_config


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

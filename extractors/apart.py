"""Runs a module of ours on hostile bytes in a process of its own, which is killed at its limits: a hostile file costs only itself."""

import os
import subprocess
import sys
from collections.abc import Sequence


class ApartError(Exception):
    """The process could not do its work; the message says why."""


def run_apart(module: str, arguments: Sequence[str], body: bytes, *, seconds: float, memory: int) -> bytes:
    """The standard output of `python -m module MEMORY SECONDS *arguments` with `body` as its input.

    Blocks: call it in a thread. `memory` in bytes. Raises ApartError for a process that fails or takes too long.
    """
    command = [sys.executable, "-S", "-m", module, str(memory), str(int(seconds) + 1), *arguments]
    try:
        done = subprocess.run(command, input=body, capture_output=True, timeout=seconds, env=_environment())
    except subprocess.TimeoutExpired:
        raise ApartError(f"reading takes longer than {seconds:g} s") from None
    except OSError as error:
        raise ApartError(f"no process can be started: {error.strerror or error}") from None
    if done.returncode:
        raise ApartError(f"the reader ended with code {done.returncode}")
    return done.stdout


def begin_apart() -> tuple[list[str], bytes]:
    """In that process: set its limits; returns its arguments and its input."""
    memory, seconds, *arguments = sys.argv[1:]
    _limit(int(memory), int(seconds))
    return arguments, sys.stdin.buffer.read()


def _limit(memory: int, seconds: int) -> None:
    try:
        import resource
    except ImportError:  # no such limits on this system; the caller limits the time
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _environment() -> dict[str, str]:
    """The variables for finding modules, without secrets."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ}
    return kept | {
        "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }

"""Which process a number means: numbers are used again, so a process is known by its number and its start."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path

_PS_SECONDS = 5.0
_ENDED = "Z"
"""The state of a process that has ended and whose parent has not asked how."""


def begun_at(pid: int) -> str:
    """When this process began, in a form that only another process lacks; "" if there is none."""
    try:
        # the name of the program, in brackets, may hold spaces
        state, *fields = (
            Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        )
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return "" if state == _ENDED else f"{boot} {fields[18]}"
    except FileNotFoundError:
        return "" if Path("/proc/self/stat").exists() else _asked_of_ps(pid)
    except (OSError, IndexError, ValueError):
        return ""


def _asked_of_ps(pid: int) -> str:
    """For systems without /proc."""
    command = ["ps", "-o", "stat=,lstart=", "-p", str(pid)]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=_PS_SECONDS, check=False).stdout.split()
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if not said or said[0].startswith(_ENDED) else " ".join(said[1:])


def ask_to_end(pid: int, begun: str) -> bool:
    """Send SIGTERM, upon which a crawl ends in order; False if the process that began then has ended."""
    if not hasattr(os, "pidfd_open"):
        is_there = begun_at(pid) == begun != ""
        if is_there:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        return is_there
    try:
        handle = os.pidfd_open(pid)  # of this very process, even if it ends and its number is used again
    except OSError:
        return False
    try:
        is_there = begun_at(pid) == begun != ""
        if is_there:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGTERM)
        return is_there
    finally:
        os.close(handle)

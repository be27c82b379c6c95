"""Names of lease holders, and detection of dead ones on this machine."""

import os
import socket
import uuid
from functools import cache
from pathlib import Path


def new_owner() -> str:
    """A name for this process: host name, process namespace, process number, and a random part."""
    host = socket.gethostname().replace("/", "_")[:60]
    return f"{host}/{process_namespace()}/{os.getpid()}/{uuid.uuid4().hex[:6]}"


def has_died(owner: str) -> bool:
    """True only if the owner was a process in this machine's process namespace that no longer runs."""
    parts = owner.split("/")
    if len(parts) != 4 or parts[1] != process_namespace() or not parts[2].isdigit():
        return False
    try:
        os.kill(int(parts[2]), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


@cache
def process_namespace() -> str:
    """Identifies machine, boot and container, which each have their own process numbers."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        namespace = os.readlink("/proc/self/ns/pid")
    except OSError:
        return uuid.uuid4().hex[:12]
    return uuid.uuid5(uuid.NAMESPACE_OID, boot + namespace).hex[:12]

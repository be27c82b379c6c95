"""Reads a document in a separate process, which is killed after a time limit: a hostile file costs only itself."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass

from extractors.documents.content import Content
from extractors.documents.kinds import DocumentType


class DocumentError(Exception):
    """The document cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class DocumentLimits:
    """Limits for a document: seconds, bytes of memory, pages and characters."""

    seconds: float = 20.0
    memory: int = 1_000_000_000
    pages: int = 300
    chars: int = 2_000_000


def read_apart(body: bytes, kind: DocumentType, limits: DocumentLimits) -> Content:
    """The document's content; DocumentError if it cannot be read within the limits. Blocks: call it in a thread."""
    numbers = (limits.pages, limits.chars, limits.memory, int(limits.seconds) + 1)
    command = [sys.executable, "-S", "-m", "extractors.documents.worker", kind, *map(str, numbers)]
    try:
        done = subprocess.run(command, input=body, capture_output=True, timeout=limits.seconds, env=_environment())
    except subprocess.TimeoutExpired:
        raise DocumentError(f"reading takes longer than {limits.seconds:g} s") from None
    except OSError as error:
        raise DocumentError(f"no process can be started: {error.strerror or error}") from None
    if done.returncode:
        raise DocumentError(f"the reader ended with code {done.returncode}")
    return _content(done.stdout)


def _content(answer: bytes) -> Content:
    try:
        said = json.loads(answer)
    except ValueError:
        raise DocumentError("the reader gave no answer") from None
    if "error" in said:
        raise DocumentError(said["error"])
    return Content(**{**said, "paragraphs": tuple(map(_text, said["paragraphs"]))})


def _text(said: str) -> str:
    """Storable text: lone surrogates become U+FFFD."""
    return said.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _environment() -> dict[str, str]:
    """The variables for finding modules, without secrets."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ}
    return kept | {
        "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }

"""The process that reads one document: bytes come from standard input, JSON goes to standard output.

    python -m extractors.documents.worker TYPE MAX_PAGES MAX_CHARS MEMORY SECONDS

It limits its memory (bytes) and CPU time (seconds), and imports little, since each document starts a new process.
"""

import json
import sys
from dataclasses import asdict

from extractors.documents.content import Content


def _limit(memory: int, seconds: int) -> None:
    try:
        import resource
    except ImportError:  # no such limits on this system; the caller limits the time
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _read(kind: str, body: bytes, max_pages: int, max_chars: int) -> Content:
    if kind == "pdf":
        from extractors.documents.pdf import read_pdf

        return read_pdf(body, max_pages, max_chars)
    if kind == "pptx":
        from extractors.documents.pptx import read_pptx

        return read_pptx(body, max_pages, max_chars)
    if kind == "xlsx":
        from extractors.documents.xlsx import read_xlsx

        return read_xlsx(body, max_pages, max_chars)
    from extractors.documents.docx import read_docx

    return read_docx(body, max_chars)


def main() -> None:
    """See the docstring of the module."""
    kind, *numbers = sys.argv[1:]
    max_pages, max_chars, memory, seconds = map(int, numbers)
    _limit(memory, seconds)
    body = sys.stdin.buffer.read()
    try:
        answer = asdict(_read(kind, body, max_pages, max_chars))
    except MemoryError:
        answer = {"error": "it needs too much memory"}
    except ModuleNotFoundError as error:
        answer = {"error": f"{error.name} is not installed: pip install 'topicrawl[documents]'"}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:200]}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()

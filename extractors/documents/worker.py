"""The process that reads one document: bytes come from standard input, JSON goes to standard output.

    python -m extractors.documents.worker MEMORY SECONDS TYPE MAX_PAGES MAX_CHARS

It limits its memory (bytes) and CPU time (seconds), and imports little, since each document starts a new process.
"""

import json
import sys
from dataclasses import asdict

from extractors.apart import begin_apart
from extractors.documents.document_content import Content


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
    (kind, max_pages, max_chars), body = begin_apart()
    try:
        answer = asdict(_read(kind, body, int(max_pages), int(max_chars)))
    except MemoryError:
        answer = {"error": "it needs too much memory"}
    except ModuleNotFoundError as error:
        answer = {"error": f"{error.name} is not installed: pip install 'topicrawl[documents]'"}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:200]}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()

"""A worker process that parses pages: `python -m crawler.parse_workers.process`, with a socket as its standard input.

It ends when the crawl closes its end or dies.
"""

import os
import socket
import sys
from datetime import datetime

from crawler.garbage import freeze_startup_objects
from crawler.parse_workers.frames import ParsedPage, ParseTask, dump_parsed, load_task, received
from crawler.parse_workers.host_boilerplate import remove_boilerplate
from crawler.parse_workers.reads import READS
from crawler.parse_workers.values import pack
from extractors.page import Page, site_rules

_MAX_ERROR_CHARS = 500
_ADDED_NICENESS = 3
"""Gives priority to the crawl's own process, which has less to do, so that downloads do not wait."""


def read(task: ParseTask) -> ParsedPage:
    """The values that the task requests. Values that fail or cannot be packed are omitted; the crawl computes them itself."""
    failures: list[tuple[str, str]] = []

    def note(step: str, url: str, error: Exception) -> None:
        failures.append((step, f"{type(error).__name__}: {error}"[:_MAX_ERROR_CHARS]))

    page = Page(
        task.body,
        task.url,
        content_type=task.content_type,
        made_at=datetime.fromisoformat(task.made_at),
        on_failure=note,
        rules=site_rules(*task.rules) if task.rules else None,
    )
    mended = (
        page.attempt("site memory", lambda: remove_boilerplate(page, task.names, task.memory), b"")
        if task.memory
        else b""
    )
    values: dict[str, bytes] = {}
    for name in task.names:
        try:
            values[name] = pack(page.once(READS[name]))
        except Exception:  # the crawl gets the same error when it computes the value itself, and logs it
            continue
    return ParsedPage(values, tuple(failures), mended)


def main() -> None:
    """Report readiness, then answer each task in order."""
    os.nice(_ADDED_NICENESS)
    freeze_startup_objects()
    with socket.socket(fileno=sys.stdin.fileno()) as channel:
        channel.sendall(dump_parsed(ParsedPage({}, ())))
        for data in received(channel):
            channel.sendall(dump_parsed(read(load_task(data))))


if __name__ == "__main__":
    main()

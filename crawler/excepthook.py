"""Reports uncaught errors in one sentence: a full disk, a reader that has ended, Ctrl-C.

Installed before any command is loaded, so that an early Ctrl-C is covered too; this module therefore imports little.
"""

import errno
import os
import sys
from types import TracebackType

_FULL = (errno.ENOSPC, errno.EDQUOT)


def not_written(error: OSError) -> str:
    """A sentence on an output that could not be written."""
    if error.errno in _FULL:
        return "The disk is full: the output is not complete. Make room, and run the command again."
    return f"The output cannot be written: {error.strerror or error}{f' ({error.filename})' if error.filename else ''}"


def _shown(sentence: str) -> str:
    """In the reader's language once the translations are loaded; an import here would change the exit code of Ctrl-C."""
    translate = getattr(sys.modules.get("crawler.config"), "shown", str)
    return str(translate(sentence))


def report_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """`sys.excepthook` that reports Ctrl-C and a full disk in one sentence."""
    if issubclass(kind, KeyboardInterrupt):
        print(_shown("Stopped by Ctrl-C."), file=sys.stderr)
    elif isinstance(error, OSError) and error.errno in (*_FULL, errno.EPIPE):
        close_stdout()
        if error.errno in _FULL:
            print(_shown(not_written(error)), file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


def close_stdout() -> None:
    """Discard all further output, including what Python writes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

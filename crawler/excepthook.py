"""What no command caught is reported in a sentence: a full disk, a reader that has ended, Ctrl-C.

It is set before any command is loaded, which takes longer than some people wait before they press Ctrl-C; so it loads little itself.
"""

import errno
import os
import sys
from types import TracebackType

_FULL = (errno.ENOSPC, errno.EDQUOT)


def not_written(error: OSError) -> str:
    """What became of an output, in a sentence."""
    if error.errno in _FULL:
        return "The disk is full: the output is not complete. Make room, and run the command again."
    return f"The output cannot be written: {error.strerror or error}{f' ({error.filename})' if error.filename else ''}"


def report_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """`sys.excepthook`: Ctrl-C, and output that cannot be written because the disk is full, are said in a sentence."""
    if issubclass(kind, KeyboardInterrupt):
        print("Stopped by Ctrl-C.", file=sys.stderr)
    elif isinstance(error, OSError) and error.errno in (*_FULL, errno.EPIPE):
        close_stdout()
        if error.errno in _FULL:
            print(not_written(error), file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


def close_stdout() -> None:
    """Discard all further output, also what Python writes when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

"""Jobs as nodes report them."""

import re
from dataclasses import dataclass

JOB_NAME = re.compile(r"[\w][\w.-]{0,199}")


class NodeError(Exception):
    """A node does not answer or refuses; the message names it."""


@dataclass(frozen=True, slots=True)
class NodeJob:
    """A job that is running or pending on a node."""

    node: str
    identity: str
    state: str
    spider: str = ""
    project: str = ""


@dataclass(frozen=True, slots=True)
class LogPart:
    """Complete lines of a log, with their byte range and the `size` of the log."""

    text: str
    begin: int
    end: int
    size: int


def whole_lines(data: bytes, begin: int, size: int) -> LogPart:
    """The data without an incomplete first line, unless it is the only line."""
    end = begin + len(data)
    if begin and (cut := data.find(b"\n") + 1) and cut < len(data):
        data, begin = data[cut:], begin + cut
    return LogPart(data.decode("utf-8", "replace"), begin, end, size)

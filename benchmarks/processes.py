"""What a running crawl and the processes it has started need: CPU and memory, as /proc says."""

import os
from dataclasses import dataclass
from pathlib import Path

_CLOCK = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Use:
    """CPU seconds (user and system) since the start, and resident bytes."""

    cpu: float
    resident: int


def use_of(pid: int) -> Use | None:
    """Of one process; None if there is none."""
    try:
        values = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return Use((int(values[11]) + int(values[12])) / _CLOCK, int(values[21]) * _PAGE_BYTES)


def use_of_family(pid: int) -> dict[int, Use]:
    """Of a process and its children, by number; empty if there is none."""
    try:
        children = [
            int(child)
            for thread in Path(f"/proc/{pid}/task").iterdir()
            for child in (thread / "children").read_text().split()
        ]
    except OSError:
        return {}
    return {each: use for each in (pid, *children) if (use := use_of(each))}

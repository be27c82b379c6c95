"""What a crawl has freed goes back to the system, also from between blocks that are still in use."""

import subprocess
import sys

import pytest

_SCRIPT = """
import ctypes, os, sys
from crawler.extensions.heap import MallocTrim

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

heap = MallocTrim(ctypes.CDLL(None))
at_first = resident()
blocks = [bytes(100_000) + b"1" for _ in range(600)]
kept = blocks[::20]
del blocks
if sys.argv[1] == "tidied":
    heap.tidy()
print((resident() - at_first) // 1_000_000)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only glibc can be told to")
@pytest.mark.parametrize(("heap", "least", "most"), [("tidied", 0, 15), ("left", 40, 100)])
def test_freed_memory_goes_back_to_the_system(heap: str, least: int, most: int) -> None:
    done = subprocess.run([sys.executable, "-c", _SCRIPT, heap], capture_output=True, text=True, check=True)
    assert least <= int(done.stdout) <= most

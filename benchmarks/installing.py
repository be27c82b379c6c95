"""CPU of a first start: `python -m benchmarks.installing [--python PYTHON] [--commit COMMIT] [CC=/nonexistent]`.

In a fresh clone with empty caches: `make crawl` of a small site on loopback, then `make console`, then the set-up of
`make test`; and this set-up alone in a second clone. Seconds of user and system time of all processes that a command starts,
also of those that it leaves behind. Packages are downloaded: the wall time is that of the network.
"""

import argparse
import ctypes
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from testbed.local_server import AnsweringHandler, serving

ROOT = Path(__file__).resolve().parent.parent
HERTZ = os.sysconf("SC_CLK_TCK")
BECOME_PARENT_OF_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER
TEXT = "<p>The council has decided on Tuesday that the bridge will be built by next year, said the mayor.</p>" * 6
SETTINGS = "-s ALLOW_PRIVATE_ADDRESSES=True -s FRONTIER_HOST_DELAY=0.1 -a max_pages=3"


class Site(AnsweringHandler):
    """A front page with three articles."""

    def do_GET(self) -> None:  # the library's name
        links = "".join(f"<li><a href=/{page}.html>Council approves new river bridge {page}</a>" for page in "abc")
        title = f"Council approves new river bridge {self.path}"
        body = f"<ul>{links}</ul>" if self.path == "/" else f"<h1>{title}</h1><article>{TEXT}</article>"
        self.answer(f"<html><title>{title}</title>{body}</html>")


def used() -> float:
    """Seconds of CPU of all processes that descend from this one, ended or not."""
    times: dict[int, tuple[int, float]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            times[int(folder.name)] = int(words[1]), sum(map(int, words[11:15])) / HERTZ
    own, found = {os.getpid()}, 1
    while found:
        more = {pid for pid, (parent, _) in times.items() if parent in own} - own
        found, own = len(more), own | more
    ended = getrusage(RUSAGE_CHILDREN)
    return sum(times[pid][1] for pid in own if pid != os.getpid()) + ended.ru_utime + ended.ru_stime


def has_article(database: Path) -> bool:
    if not database.is_file():
        return False
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as opened:
        return bool(opened.execute("SELECT 1 FROM pages LIMIT 1").fetchone())
    return False


def measured(words: list[str], folder: Path, variables: dict[str, str]) -> str:
    """A line of the table: seconds of CPU until the first article, until the end, and with what goes on after it."""
    began, before = time.monotonic(), used()
    known = has_article(folder / "data/topicrawl.db")
    process = subprocess.Popen(words, cwd=folder, env=os.environ | variables, stdout=subprocess.DEVNULL)
    first = "–"
    while process.poll() is None:
        time.sleep(0.1)
        if not known and has_article(folder / "data/topicrawl.db"):
            known, first = True, f"{used() - before:.1f}"
    ending = f"{used() - before:.1f} | {time.monotonic() - began:.0f}"
    with suppress(ChildProcessError):
        while True:
            os.wait()
    return f"{first} | {ending} | {used() - before:.1f} | {process.returncode}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--commit", default="HEAD")
    parser.add_argument("variables", nargs="*", metavar="NAME=VALUE", help="of the environment")
    given = parser.parse_args()
    ctypes.CDLL(None).prctl(BECOME_PARENT_OF_ORPHANS, 1, 0, 0, 0)
    print(
        "| command | CPU s to the first article | CPU s | wall s | CPU s with what goes on | exit |\n|---|---|---|---|---|---|"
    )
    with serving(Site) as server, tempfile.TemporaryDirectory() as temporary:
        crawl = [f"URL=http://127.0.0.1:{server.server_port}/", f"ARGS={SETTINGS}"]
        for number, steps in enumerate((("crawl", "console", "test"), ("test",))):
            folder = Path(temporary, str(number))
            subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
            subprocess.run(["git", "checkout", "--quiet", given.commit], cwd=folder, check=True)
            variables = {"XDG_CACHE_HOME": f"{folder}-cache", **dict(each.split("=", 1) for each in given.variables)}
            compiled = [".venv/.compiled"] if ".compiled" in (folder / "Makefile").read_text() else []
            for step in steps:
                words = {
                    "crawl": ["crawl", *crawl],
                    "console": ["console", "ARGS=--help"],
                    "test": [".venv/.ready-test", *compiled],
                }
                line = measured(["make", f"PYTHON={given.python}", *words[step]], folder, variables)
                print(f"| `make {step}`{' alone' * number} | {line} |", flush=True)


if __name__ == "__main__":
    main()

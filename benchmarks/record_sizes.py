"""Time of finding records by the size of the page: it must grow no faster than the page.

    python -m benchmarks.record_sizes [--megabytes 0.5 1 2 5]

Made pages, each of one kind as large as asked for: a thread, comments nested as deep as they are many, a list of threads in one
table, floods of one tag, of unclosed ones, of attributes, of numbered links, and text that is nearly a time. Prints CPU seconds by
size, and the slope of time over size on logarithmic scales: 1 is linear, 2 quadratic.
"""

import argparse
import time
from collections.abc import Callable
from itertools import count, islice, takewhile
from math import log

from extractors.records import find_records

_SAID = "The kettle on the second floor was changed again and nobody has informed the others, number {0}."
_TEXT = " ".join(_SAID.format(f"{{0}}{part}") for part in "abcde")
_POST = (
    '<div class="post {1}" id="post_{0}"><a class="author" href="/user/{0}">name{0}</a><span class="date">2026-11-{2:02} 10:{3:02}</span>'
    '<div class="content"><p>' + _TEXT + "</p></div></div>"
)
_COMMENT = (
    '<li class="comment" id="c{0}"><b class="fn">name{0}</b> <time>2026-11-02 10:{1:02}</time><p>' + _TEXT + "</p><ul>"
)
_ROW = (
    '<tr class="thread"><td><a class="title" href="/t/{0}">Kettle number {0} on the second floor, who has changed it again?</a></td>'
    '<td><a href="/user/{0}">name{0}</a></td><td>2026-11-{1:02}</td><td>{0}</td></tr>'
)


def _thread(size: int) -> str:
    return _filled(size, lambda n: _POST.format(n, ("odd", "even")[n % 2], n % 28 + 1, n % 60))


def _chains(size: int) -> str:
    """Comments in chains of sixty, each answering the one before."""
    return _filled(size, lambda n: _COMMENT.format(n, n % 60) + ("</ul></li>" * 60 if n % 60 == 59 else ""))


def _nest(size: int) -> str:
    """Every comment inside the one before."""
    return _filled(size, lambda n: _COMMENT.format(n, n % 60))


def _list(size: int) -> str:
    return "<table>" + _filled(size, lambda n: _ROW.format(n, n % 28 + 1)) + "</table>"


def _classes(size: int) -> str:
    """Every element has classes of its own."""
    return _filled(size, lambda n: f'<div class="a{n}b c{n}d e{n}f" id="x{n}y">2026-11-02 10:00 {n}</div>')


PAGES: dict[str, Callable[[int], str]] = {
    "thread": _thread,
    "answers in chains of 60": _chains,
    "one nest": _nest,
    "list in a table": _list,
    "a class each": _classes,
    "<div> unclosed": lambda size: "<div>" * (size // 5),
    "<a> flood": lambda size: _filled(size, lambda n: f'<a href="/t/9-{n}.html">{n}</a> '),
    "<li> of a word": lambda size: _filled(size, lambda n: "<li class=post>2 h ago</li>"),
    "<td> in one row": lambda size: "<table><tr>" + "<td class=x>1</td>" * (size // 18),
    "nearly times": lambda size: _filled(size, lambda n: f"<p>2026-2026-11 {n}:{n}:{n} 3 3 3 vor vor 12/12/12/</p>"),
    "one long line": lambda size: "<div class=post>" + "12:30 " * (size // 6),
}


def _filled(size: int, piece: Callable[[int], str]) -> str:
    """Pieces until there is so much."""
    left = [size]

    def more(text: str) -> bool:
        left[0] -= len(text)
        return left[0] > 0

    return "".join(takewhile(more, islice(map(piece, count()), size)))


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--megabytes", type=float, nargs="+", default=[0.5, 1, 2, 5])
    sizes = ask.parse_args().megabytes
    find_records(PAGES["thread"](20_000).encode(), url="http://b.example/t/9-1.html")
    print(f"{'CPU seconds':26}" + "".join(f"{size:>8} MB" for size in sizes) + f"{'slope':>8}{'records':>9}")
    for name, make in PAGES.items():
        spent, found = [], 0
        for size in sizes:
            body = make(int(size * 1e6)).encode()
            begun = time.process_time()
            found = len(find_records(body, url="http://b.example/t/9-1.html"))
            spent.append(time.process_time() - begun)
        slope = log(max(spent[-1], 1e-4) / max(spent[0], 1e-4)) / log(sizes[-1] / sizes[0]) if len(sizes) > 1 else 0.0
        print(f"{name:26}" + "".join(f"{each:11.2f}" for each in spent) + f"{slope:8.2f}{found:9}", flush=True)


if __name__ == "__main__":
    main()

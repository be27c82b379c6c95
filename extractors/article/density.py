"""Main text by line text density with tolerance (published method `density`).

The unit is a line of the source: density = bytes of its text / all its bytes. Lines above the threshold are body.
Inside the body, a run of at most `TOLERANCE` thin lines still counts. A longer run ends the body and is dropped, unless
the body is still shorter than `MINIMUM` bytes. Very long lines are split before block elements, because a minified page
is one giant line; the lines of other pages are not changed.
"""

import re
from collections.abc import Iterator

from extractors.html.document import Document
from extractors.text.characters import unescape

THRESHOLD = 0.5
TOLERANCE = 20
MINIMUM = 200
_MAX_LINE_CHARS = 2_000
_TAG = re.compile(r"<[^<>]{0,2000}>")
_BLOCK = re.compile(r"(?=<(?:p|div|table|tr|li|ul|h[1-6]|br|section|article|blockquote|dd|dt|pre)[\s>/])", re.I)
_SILENT = ("<script", "</script>"), ("<style", "</style>"), ("<!--", "-->")


def density_text(
    page: Document, threshold: float = THRESHOLD, tolerance: int = TOLERANCE, minimum: int = MINIMUM
) -> str:
    """The body's text by the method; "" for a page without a line dense enough."""
    body: list[str] = []
    pending: list[str] = []
    size = 0
    for line in _lines(_without_silent(page.text)):
        text = " ".join(unescape(_TAG.sub(" ", line)).split())
        weight = _bytes(text)
        if text and weight > threshold * _bytes(line):
            body += [*pending, text]
            size += weight
            pending = []
        elif body:
            pending.append(text)
            if len(pending) > tolerance and size >= minimum:
                break
    return "\n".join(line for line in body if line)


def _without_silent(source: str) -> str:
    """The source without scripts, styles and comments; an unclosed one extends to the end."""
    lowered = source.lower()
    if len(lowered) != len(source):
        lowered = source
    for opening, closing in _SILENT:
        parts, place = [], 0
        while (start := lowered.find(opening, place)) >= 0:
            parts.append(source[place:start])
            end = lowered.find(closing, start)
            place = len(source) if end < 0 else end + len(closing)
        source = "".join([*parts, source[place:]])
        lowered = source.lower() if len(source.lower()) == len(source) else source
    return source


def _lines(source: str) -> Iterator[str]:
    """Source lines; very long ones are split before block elements."""
    for line in source.splitlines():
        stripped = line.strip()
        if len(stripped) > _MAX_LINE_CHARS:
            yield from filter(None, _BLOCK.split(stripped))
        elif stripped:
            yield stripped


def _bytes(text: str) -> int:
    """Length in bytes as in the double-byte charsets for which the parameters were chosen."""
    return 2 * len(text) - len(text.encode("ascii", "ignore"))

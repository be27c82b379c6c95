"""The main text of lists in made blogs: the titles and beginnings of posts, where most of them stand together."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lxml import etree, html
from lxml.html import HtmlElement

_MIN_TITLES = 3
_MIN_EXCERPT_CHARS = 15
_SHARE = 0.6
"""Of the known text: what holds so much of it is the list, the rest are boxes beside it."""
_PAGES_OF_A_FOLDER = 4
_COMPARED, _MAX_SHARE_OF_PAGES = 60, 0.34
_MIN_TEXT_CHARS = 60
_WAY_LENGTH = 3
_DROPPED = ("script", "style", "noscript", "template", "head")


def list_pages(folder: Path) -> Iterator[tuple[dict[str, Any], bytes]]:
    """(line of gold, page) of some lists of each blog that `benchmarks.kind_sites` has written to the folder."""
    for file in sorted(folder.glob("*.json")):
        rows = [
            row for row in json.loads(file.read_text()) if row["kind"] == "list" and Path(row["file"]).stat().st_size
        ]
        random.Random(1).shuffle(rows)
        titles, text = _posts(file.with_suffix("") / "source" / "_posts")
        repeated = _repeated([Path(row["file"]).read_bytes() for row in rows[:_COMPARED]])
        seen: Counter[str] = Counter()
        for number, row in enumerate(rows):
            part = urlsplit(row["url"]).path.split("/")[1]
            if seen[part] < _PAGES_OF_A_FOLDER:
                page = Path(row["file"]).read_bytes()
                gold = main_text(page, titles, text, repeated)
                if len(gold) >= _MIN_TEXT_CHARS:
                    seen[part] += 1
                    known = {"id": f"blog{file.stem}-{number}", "site": f"blog{file.stem}", "url": row["url"]}
                    yield known | {"page_type": "listing", "text": gold}, page


def main_text(page: bytes, titles: set[str], text: str, repeated: set[tuple[str, str]]) -> str:
    """Lines; "" if the page has too few titles. Titles and the text of all posts are given without spaces; what is repeated on
    the site's pages is no main text."""
    root = _parsed(page)
    known = ((element, line) for element, line in _lines(root) if _is_known(line, titles, text))
    found = [(element, line) for element, line in known if (_way(element), line) not in repeated]
    if sum(squeezed(line) in titles for _, line in found) < _MIN_TITLES:
        return ""
    chars: Counter[HtmlElement] = Counter()
    for element, line in found:
        for each in (element, *element.iterancestors()):
            chars[each] += len(line)
    enough = [each for each, count in chars.items() if count >= _SHARE * chars[root]]
    within = max(enough, key=lambda each: sum(1 for _ in each.iterancestors()))
    return "\n".join(line for element, line in found if element is within or within in element.iterancestors())


def _parsed(page: bytes) -> HtmlElement:
    root = html.document_fromstring(page.decode("utf-8", "replace"))
    etree.strip_elements(root, *_DROPPED, with_tail=False)
    return root


def _repeated(pages: list[bytes]) -> set[tuple[str, str]]:
    """Ways to an element and its text that a third of the pages have: boxes beside the lists."""
    counted = Counter(
        each for page in pages for each in {(_way(element), line) for element, line in _lines(_parsed(page))}
    )
    return {each for each, count in counted.items() if count > _MAX_SHARE_OF_PAGES * len(pages)}


def _way(element: HtmlElement) -> str:
    around = (element, *islice(element.iterancestors(), _WAY_LENGTH))
    return " ".join(f"{each.tag}.{each.get('class', '')}" for each in around)


def squeezed(text: str) -> str:
    """Without what themes and Markdown change: spaces and signs."""
    return re.sub(r"[\W_]+", "", text)


def _lines(element: HtmlElement) -> Iterator[tuple[HtmlElement, str]]:
    """Pieces of text in their order, with the element around them."""
    if (element.text or "").strip():
        yield element, element.text.strip()
    for child in element:
        if isinstance(child.tag, str):
            yield from _lines(child)
        if (child.tail or "").strip():
            yield element, child.tail.strip()


def _is_known(line: str, titles: set[str], text: str) -> bool:
    short = squeezed(line)
    return short in titles or (len(short) >= _MIN_EXCERPT_CHARS and short.removesuffix("more") in text)


def _posts(folder: Path) -> tuple[set[str], str]:
    titles: set[str] = set()
    texts = []
    for file in sorted(folder.glob("*.md")):
        _, head, body = file.read_text().split("---\n", 2)
        titles |= {squeezed(title) for title in re.findall(r'^title: "(.*)"$', head, re.MULTILINE)}
        texts.append(squeezed(body.replace("&lt;", "<")))
    return titles - {""}, "\n".join(texts)

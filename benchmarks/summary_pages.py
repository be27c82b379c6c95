"""Pages with a title, a text and the editor's description, as the summariser learns from them; only sets that may be trained on."""

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.trainable import ARTICLE_SETS
from extractors.page import Page

FOLDS = 5
_LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class SummaryPage:
    """`description` is empty where it is a copy of the text's beginning or of the title, or hardly there; `fold` is the site's."""

    key: str
    group: str
    fold: int
    title: str
    text: str
    description: str


def summary_pages(shared: Path) -> Iterator[SummaryPage]:
    """Every page with a title and some text, of all sets that may be trained on."""
    for name in ARTICLE_SETS:
        folder = shared / "data" / "articles" / name
        with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                if (page := _page(name, folder, row)) is not None:
                    yield page


def _page(name: str, folder: Path, row: dict[str, Any]) -> SummaryPage | None:
    body = gzip.decompress((folder / "pages" / f"{row['id']}.html.gz").read_bytes())
    article = Page(body, url=row.get("url") or "").article
    text = row.get("text") or article.text
    title = row.get("title") or article.title
    if not title or len(text) < 60:
        return None
    site = urlsplit(row.get("url") or "").hostname or str(row["id"]).rpartition("-")[0]
    fold = zlib.crc32(site.encode()) % FOLDS
    return SummaryPage(str(row["id"]), name, fold, title, text, _own_words(article.summary, title, text))


def _own_words(description: str, title: str, text: str) -> str:
    """The description, if it is neither cut off the text's beginning nor the title again."""
    short = _letters(description)[:40]
    if len(short) < 20 or short in _letters(text)[:400] or short in _letters(title) or _letters(title) == short:
        return ""
    return description.strip()


def _letters(text: str) -> str:
    return "".join(_LETTER.findall(text.lower()))

"""Make list, shop and service pages whose main text is known, from texts that may be trained on.

    npm pack startbootstrap-shop-homepage startbootstrap-shop-item …        # each unpacked into a folder of its own
    python -m benchmarks.kind_sites BLOGS --modules node_modules            # blogs; see there
    python -m benchmarks.made_pages OUTPUT --templates FOLDER --blogs BLOGS [--shared ../shared]

Lists are those of the blogs; pages of templates are filled with other texts (`benchmarks/page_filling.py`); shops and lists
also come in shapes that are drawn (`benchmarks/page_shapes.py`). OUTPUT becomes a set like those of data/articles. The
template's package or the blog is the `site`, which folds never divide.
"""

import argparse
import gzip
import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.kind_sites import SETS, texts_of
from benchmarks.made_lists import list_pages
from benchmarks.page_filling import filled
from benchmarks.page_shapes import SHAPED, drawn_page
from benchmarks.page_words import Words, words_of

_KINDS = (
    ("product", re.compile(r"shop-item|portfolio-item|product-page")),
    ("collection", re.compile(r"shop-homepage|store|products|portfolio")),
    ("listing", re.compile(r"blog-home|clean-blog.*index|posts")),
    ("article", re.compile(r"blog-post|/post\.html|full-width")),
    ("service", re.compile(r"")),
)
_UNUSED = re.compile(
    r"404|sign-?(in|up)|login|register|contact|admin/|docs/|sections/|node_modules|/vendor/|/plugins/|/demo/|profile|maps"
)
_FAMILY_ENDS = re.compile(r"-\d+(\.\d+)*$")
_MIN_BYTES = 4000
_MIN_TEXT_CHARS = 80
_CHINESE = 0.3
"""Share of the pages from templates."""


def files_of(templates: Path) -> Iterator[tuple[str, str, Path]]:
    """Family, kind and file of each page of the templates that can be filled."""
    for file in sorted(templates.rglob("*.html")):
        name = file.relative_to(templates).as_posix()
        if not _UNUSED.search(name) and file.stat().st_size >= _MIN_BYTES:
            family = _FAMILY_ENDS.sub("", name.split("/")[0])
            yield family, next(kind for kind, sign in _KINDS if sign.search(name)), file


def template_pages(templates: Path, pages: int, words: dict[str, Words]) -> Iterator[tuple[dict[str, Any], bytes]]:
    """(line of gold, page): several copies of each page of each template, with different texts."""
    for family, kind, file in files_of(templates):
        for number in range(pages):
            name = f"{file.relative_to(templates)} {number}"
            draw = random.Random(name)
            language = "zh" if draw.random() < _CHINESE else "en"
            page, text = filled(file.read_bytes(), kind, replace(words[language], draw=draw))
            if len(text) >= _MIN_TEXT_CHARS:
                known = {"site": family, "url": f"https://{family}.example/{file.stem}/{number}", "lang": language}
                identity = f"{family}-{blake2b(name.encode(), digest_size=5).hexdigest()}"
                yield known | {"id": identity, "page_type": kind, "text": text}, page


def shape_pages(count: int, words: dict[str, Words]) -> Iterator[tuple[dict[str, Any], bytes]]:
    """(line of gold, page) in several shapes."""
    for number in range(count):
        draw = random.Random(f"shape {number}")
        language = "zh" if draw.random() < _CHINESE else "en"
        kind = draw.choice(SHAPED)
        page, text = drawn_page(kind, replace(words[language], draw=draw))
        site = f"shape{number}"
        known = {"id": site, "site": site, "url": f"https://{site}.example/{kind}", "lang": language}
        yield known | {"page_type": kind, "text": text}, page


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("output", type=Path)
    ask.add_argument("--templates", type=Path, required=True, help="a folder with a folder for each template")
    ask.add_argument("--blogs", type=Path, required=True, help="the folder that benchmarks.kind_sites has written")
    ask.add_argument("--pages", type=int, default=6, help="from each page of a template")
    ask.add_argument("--shapes", type=int, default=240, help="pages in drawn shapes")
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    args = ask.parse_args()
    (args.output / "pages").mkdir(parents=True, exist_ok=True)
    words = {language: words_of(texts_of(args.shared, language), language) for language in SETS}
    templates = template_pages(args.templates, args.pages, words)
    rows = []
    for row, page in chain(list_pages(args.blogs), templates, shape_pages(args.shapes, words)):
        rows.append(row)
        (args.output / "pages" / f"{row['id']}.html.gz").write_bytes(gzip.compress(page, mtime=0))
    with gzip.open(args.output / "gold.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    print(f"{len(rows)} pages in {args.output}")


if __name__ == "__main__":
    main()

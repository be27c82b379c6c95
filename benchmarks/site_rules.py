"""Rules for single sites on the worst pages of the article sets: F1 before and after.

    python -m benchmarks.site_rules [--shared ../shared] [--worst]

The pages are the ten with the least F1 whose gold text is in the page (95 % of its words): of others no rule can make it. Each rule is
that of a site's file, at most five lines. `--worst` finds the worst pages, which takes minutes, and names those without a rule here.
"""

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from extractors.article import main_text
from extractors.page import Page, declared_rules, site_rules

RULES = {
    "magic-article/mh-71bfee3a89353841": """
article:
  body: div.prism-atom-one-dark
""",
    "fundus-history/fundus2-my-MalayMail-2024_04_30-2d41c2": """
article:
  body: p
  remove: a
""",
    "daniel-ru/daniel-ru-8d1ef5bb": """
article:
  body: ['.aside .news-list a', '.item-preview:nth-of-type(8) .suggest']
""",
    "wcxb/4271": """
article:
  body: ['#portfolio-cats', .resultHeading, .contact_description, .descriptionwrap p, .bottompara]
""",
    "daniel-ru/daniel-ru-6a22315b": """
article:
  body: .article-comments-rules
""",
    "zh-cleaneval/zh-handcraft-a6e8b739-734a": """
article:
  body: td.line_h24
""",
    "magic-article/mh-eba2fde503ef846e": """
article:
  body: [.entry--text strong, .entry--question h2]
""",
    "zh-daniel/zh-daniel-813e94b1": """
article:
  body: p.feed-main
""",
    "daniel-ru/daniel-ru-1c3b5d42": """
article:
  body: .article-comments-rules
  remove: ['.article-comments-rules p:nth-of-type(-n+2)']
""",
    "daniel-ru/daniel-ru-d53764ec": """
article:
  body: ['.comment-text blockquote', '.article-comments-rules p:nth-of-type(-n+2)']
""",
}
MAX_LINES, MIN_IN_PAGE = 5, 0.95
_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3400-\u9fff\uf900-\ufaff]+")


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    ask.add_argument("--worst", action="store_true")
    given = ask.parse_args()
    folder = given.shared / "data" / "articles"
    if given.worst:
        worst(folder)
        return
    print(f"{'page':58}{'lines':>6}{'before':>8}{'after':>8}")
    for name, rule in RULES.items():
        row, body = page_of(folder, name)
        lines = rule.strip().splitlines()
        assert len(lines) <= MAX_LINES, name
        gold, url = tokens(row["text"]), row.get("url", "")
        article = yaml.safe_load(rule)["article"]
        rules = site_rules("rule", declared_rules(article, None))
        before, after = main_text(body, url=url), Page(body, url, rules=rules).article.text
        print(f"{name:58}{len(lines):6}{f1(tokens(before), gold):8.3f}{f1(tokens(after), gold):8.3f}")


def page_of(folder: Path, name: str) -> tuple[dict[str, Any], bytes]:
    """The gold row of a page, and its bytes."""
    of_set, _, identity = name.partition("/")
    row = next(row for row in rows(folder / of_set) if row["id"] == identity)
    return row, body_of(folder / of_set, identity)


def body_of(of_set: Path, identity: str) -> bytes:
    return gzip.decompress((of_set / "pages" / f"{identity}.html.gz").read_bytes())


def rows(folder: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def worst(folder: Path, most: int = len(RULES)) -> None:
    """The pages with the least F1 whose gold text is in the page."""
    found: list[tuple[float, str]] = []
    for of_set in sorted(each for each in folder.iterdir() if each.is_dir()):
        for row in rows(of_set):
            body = body_of(of_set, row["id"])
            gold = tokens(row.get("text") or "")
            score = f1(tokens(main_text(body, url=row.get("url", ""))), gold) if gold else 1.0
            if score < 0.3 and (tokens(_whole(body)) & gold).total() >= MIN_IN_PAGE * gold.total():
                found.append((score, f"{of_set.name}/{row['id']}"))
    for score, name in sorted(found)[:most]:
        print(f"{score:.3f}  {name}{'' if name in RULES else '  (without a rule)'}")


def _whole(body: bytes) -> str:
    page = Page(body)
    return page.columns.text(0) if len(page.columns) else ""


def tokens(text: str) -> Counter[str]:
    """Chinese characters, and runs of other letters and digits."""
    return Counter(_TOKEN.findall(text.lower()))


def f1(found: Counter[str], gold: Counter[str]) -> float:
    common = (found & gold).total()
    return 2 * common / (found.total() + gold.total()) if common else 0.0


if __name__ == "__main__":
    main()

"""Whose words are whose: texts of one person that are found under another person's name.

    python -m benchmarks.record_attribution              by set how many records hold another person's words, and which pages do
    python -m benchmarks.record_attribution --every 5    on a fifth of the pages

A found record is wrong where its own text, without what it quotes, holds all of a gold record's text of at least 12 letters by
another author, and the gold record that it was matched with does not hold it.
"""

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.record_scores import known_pages, load_scorer
from extractors.records import Record, find_records

_LETTERS = re.compile(r"[^\W_]")
_MIN_LETTERS = 12


def letters(text: str) -> str:
    """The letters and digits of a text, in lower case."""
    return "".join(_LETTERS.findall(text.lower()))


def wrongly_attributed(
    gold: Sequence[dict[str, Any]], found: Sequence[Record], kind: str, scorer: ModuleType
) -> list[tuple[Record, dict[str, Any]]]:
    """The found records with another person's words, each with the gold record of that person."""
    matched = {here: there for there, here in scorer.match(gold, [scorer.as_dict(record) for record in found], kind)}
    theirs = [(record, letters(record.get("text") or "")) for record in gold if record.get("author")]
    wrong = []
    for number, record in enumerate(found):
        own = letters(record.own_text)
        right = letters(gold[matched[number]].get("text") or "") if number in matched else ""
        name = letters(record.author)
        for other, text in theirs:
            if len(text) >= _MIN_LETTERS and text in own and text not in right and name and not _same(name, other):
                wrong.append((record, other))
                break
    return wrong


def _same(name: str, record: dict[str, Any]) -> bool:
    other = letters(record["author"])
    return name in other or other in name


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--set", action="append", dest="sets", default=[], help="mixed, sites, webforum52; all by itself")
    ask.add_argument("--every", type=int, default=1, metavar="N", help="read each Nth page only")
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    options = ask.parse_args()
    scorer = load_scorer(options.shared)
    records, wrong = Counter[str](), Counter[str]()
    for page in known_pages(options.shared, options.sets, options.every):
        found = find_records(page.body, url=page.url)
        there = wrongly_attributed(page.gold, found, page.kind, scorer)
        records[page.part] += len(found)
        wrong[page.part] += len(there)
        if there:
            record, other = there[0]
            print(
                f"  {page.part}/{page.name}: {len(there)} of {len(found)}; under {record.author!r} words of {other['author']!r}"
            )
    for part, count in records.items():
        print(f"{part}: {wrong[part]} of {count} records hold another person's words")
    print(f"all: {wrong.total()} of {records.total()}")


if __name__ == "__main__":
    main()

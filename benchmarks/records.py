"""Threads, thread lists, comments, reviews, answers: ours beside the rivals, and the two papers' own comparisons.

    python -m benchmarks.records                          everything below
    python -m benchmarks.records --part table             every method by set, by kind of page, by language
    python -m benchmarks.records --part layout            SoL against MDR, depths of comparison 1 … 6
    python -m benchmarks.records --part leafpaths         POL against ED, LCS, STM, MCT, thresholds .5 … 1.0
    python -m benchmarks.records --part articles          false regions on pages of articles
    python -m benchmarks.records --part table --every 5   a fifth of the pages

A record is found where the tokens of its text (its title, in lists of threads) are alike by F1 .7; a region is right where
precision and recall are .8. CPU is each method's own, from the page's bytes, all in one run: quote the ratios. The forest of
our own method was trained on these pages: `python -m benchmarks.train_records --check` shows sites that it has not seen.
Peers: pip install 'topicrawl[bench]'.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from benchmarks.record_articles import false_regions
from benchmarks.record_methods import methods
from benchmarks.record_papers import layout_against_mdr, leafpaths_against_rivals
from benchmarks.record_scores import KnownPage, Score, known_pages, load_scorer, measure

PARTS = ("table", "layout", "leafpaths", "articles")
_KINDS = ("forum_thread", "forum_list", "comments", "reviews", "qa")


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--part", action="append", choices=PARTS, default=[], help="what to print; all if not given")
    ask.add_argument("--set", action="append", dest="sets", default=[], help="mixed, sites-b …; all by itself")
    ask.add_argument("--method", action="append", default=[], help=f"of {', '.join(methods())}")
    ask.add_argument("--every", type=int, default=1, metavar="N", help="read each Nth page only")
    ask.add_argument("--articles", type=int, default=300, metavar="N", help="pages of articles that are looked through")
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    options = ask.parse_args()
    parts = options.part or PARTS
    scorer = load_scorer(options.shared)
    pages = list(known_pages(options.shared, options.sets, options.every))
    if "table" in parts:
        print_table(pages, scorer, options.method)
    if "layout" in parts:
        layout_against_mdr(pages, scorer)
    if "leafpaths" in parts:
        leafpaths_against_rivals(pages, scorer)
    if "articles" in parts:
        false_regions(options.shared, options.articles)


def print_table(pages: Sequence[KnownPage], scorer: ModuleType, wanted: Sequence[str]) -> None:
    """One line a method and set, then macro F1 by kind of page and language, then the fields."""
    results: dict[str, dict[str, Score]] = {}
    for name, method in methods().items():
        if not wanted or name in wanted:
            print(f"measuring {name} on {len(pages)} pages …", file=sys.stderr, flush=True)
            results[name] = measure(method, pages, scorer)
    for part in (*dict.fromkeys(page.part for page in pages), "all"):
        _print_part(part, pages, results)


def _print_part(part: str, pages: Sequence[KnownPage], results: dict[str, dict[str, Score]]) -> None:
    own = [page for page in pages if part in (page.part, "all")]
    groups = [f"{part} {kind}" for kind in _KINDS if any(page.kind == kind for page in own)]
    groups += [
        f"{part} {language}" for language in ("zh", "other") if f"{part} {language}" in next(iter(results.values()))
    ]
    counts = {group: len(next(iter(results.values()))[group].pages) for group in groups}
    heads = "".join(f"{group.split()[1]:>14}" for group in groups)
    print(f"\n{part}: {len(own)} pages")
    print(
        f"{'':22}{'F1':>7}{'P':>7}{'R':>7}{'macro':>7}{'region':>8}{'CPU ms':>8}{'failed':>8}   macro F1 by kind and language"
    )
    print(f"{'':75}{heads}\n{'pages':75}" + "".join(f"{counts[group]:>14}" for group in groups))
    for name, scores in results.items():
        score = scores[part]
        line = f"{name:22}{score.f1:7.3f}{score.precision:7.3f}{score.recall:7.3f}{score.macro:7.3f}{score.region:8.2f}"
        print(f"{line}{score.cpu:8.1f}{score.failed:8}" + "".join(f"{scores[group].macro:14.3f}" for group in groups))
    print("fields on matched records (pairs with the field)")
    for name, scores in results.items():
        judged = {each: verdicts for each, verdicts in scores[part].fields.items() if verdicts}
        cells = "  ".join(f"{each} {sum(rights) / len(rights):.3f} ({len(rights)})" for each, rights in judged.items())
        print(f"{name:22}{cells}")


if __name__ == "__main__":
    main()

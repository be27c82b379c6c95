"""Endings of titles that name a site: how many are taken off, and how many titles without one lose a part of theirs."""

import random
from collections import Counter
from pathlib import Path

from benchmarks.title_files import lines
from extractors.titles import SuffixLearner

_KNOWN_FROM = 20
_SHOWN = 12


def suffix_table(data: Path) -> None:
    """Titles with and without their true source, of all sites and of those with 20 titles; what was cut beside names."""
    rows = [(line["title"], line["source"].partition(":")[2]) for line in lines(data / "titles_en.jsonl.gz")]
    sizes = Counter(source for _, source in rows)
    learner = SuffixLearner()
    early = 0
    for title, source in rows:
        early += _left(learner, title, source).endswith(f" - {source}")
        learner.learn(title, source)
    named = [(title, source) for title, source in rows if title.endswith(f" - {source}")]
    print(
        f"{len(named):,} of {len(rows):,} English titles end with their source; removed while learning: {1 - early / len(named):.2%}"
    )
    for least in (1, _KNOWN_FROM):
        _learned(learner, [(title, source) for title, source in named if sizes[source] >= least], least)
    chinese = [line["title"] for line in lines(data / "titles_zh.jsonl.gz")][::5]
    for title in chinese:
        learner.learn(title)
    cut = [title for title in chinese if _left(learner, title, "") != title.strip()]
    print(f"{len(chinese):,} Chinese titles, cut: {len(cut) / len(chinese):.2%}")
    _show(learner, [(title, "") for title in cut])


def _learned(learner: SuffixLearner, named: list[tuple[str, str]], least: int) -> None:
    removed = sum(not _left(learner, title, source).endswith(f" - {source}") for title, source in named)
    bare = [(title.removesuffix(f" - {source}"), source) for title, source in named]
    cut = [(title, source) for title, source in bare if _left(learner, title, source) != title]
    print(
        f"{len(named):,} of sites with {least} titles or more: true endings removed {removed / len(named):.2%}, "
        f"the same titles without theirs cut {len(cut) / len(bare):.2%}"
    )
    _show(learner, cut)


def _show(learner: SuffixLearner, cut: list[tuple[str, str]]) -> None:
    for title, source in random.Random(3).sample(cut, min(_SHOWN, len(cut))):
        left = _left(learner, title, source)
        print(f"    {left}  [{title[len(left) :]}]")


def _left(learner: SuffixLearner, title: str, source: str) -> str:
    return learner.without_suffix(title, source)

"""Pairs of titles that a reader has judged twice: ids and labels only, as the titles belong to their publishers.

The pairs are near neighbours of random titles by pairs of letters, the same number from each range of similarity from .3 on,
most of them from one week. A pair tells the same news if one reader would take the second title for a retelling of the first:
with more or less detail, in other words, as a question about it. A reaction, a next step, another instalment or another number
is other news. The second pass saw the pairs in another order and turned around, by the same reader. Then 998 pairs
were read once: near neighbours of three days of lists, two thirds of them such that an earlier forest was unsure of. The last 822, from 71
months and 8 sources, were drawn by the odds of an earlier forest (most between .1 and .9) and by kind (questions, answers, numbers, few
letters), an eighth of them from different years, and read twice as the first were; 97 doubtful ones of 919 are left out.
"""

import itertools
import random
from collections import Counter
from pathlib import Path

from benchmarks.title_accuracy import measures, our_scores
from benchmarks.title_files import Pair, filled, lines
from benchmarks.title_wording import fit_table
from extractors.titles import PUBLISHED, Rules, SuffixLearner

LABELS = Path(__file__).with_name("title_people.tsv")
_STORED = 60_000


def labels() -> list[tuple[str, int, int, int, int | None]]:
    """(language, id, id, first label, second label, None without a second pass) of every pair."""
    rows = [line.split("\t") for line in LABELS.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    return [(row[0], int(row[1]), int(row[2]), int(row[3]), None if row[4] == "-" else int(row[4])) for row in rows]


def people_pairs(data: Path) -> list[Pair]:
    """The pairs on which both passes agree, and those of one pass, as the lines of the other labelled pairs."""
    wanted = labels()
    titles: dict[tuple[str, int], str] = {}
    for language in ("zh", "en"):
        ids = {each for row in wanted if row[0] == language for each in row[1:3]}
        known = lines(data / f"titles_{language}.jsonl.gz")
        titles |= {(language, line["id"]): line["title"] for line in known if line["id"] in ids}
    return [
        {
            "a": titles[language, one],
            "b": titles[language, other],
            "lang": language,
            "label": "dup" if first else "different",
            "origin": "people",
        }
        for language, one, other, first, second in wanted
        if second in (None, first)
    ]


def agreement(language: str) -> tuple[int, int, float]:
    """(pairs, pairs with the same label in both passes, Cohen's kappa)."""
    rows = [row for row in labels() if row[0] == language and row[4] is not None]
    same = sum(row[3] == row[4] for row in rows)
    counts = [Counter(row[place] for row in rows) for place in (3, 4)]
    chance = sum(counts[0][label] * counts[1][label] for label in (0, 1)) / len(rows) ** 2
    return len(rows), same, (same / len(rows) - chance) / (1 - chance)


def people_table(data: Path, fit: bool = False) -> None:
    """Agreement of the passes; precision, recall and F1 of the methods; with `fit` the weights of the wording, fitted again, and
    what they reach on pairs left out."""
    learner, every = SuffixLearner(), people_pairs(data)
    known = list(lines(data / "pairs.jsonl.gz"))
    for line in lines(data / "titles_en.jsonl.gz"):
        learner.learn(line["title"], line["source"])
    for pair in (*every, *known):
        learner.learn(pair["a"])
        learner.learn(pair["b"])
    others = [pair | {"origin": "hand"} for pair in known if pair["origin"].startswith("hand")]
    for language in ("zh", "en"):
        pairs, same, kappa = agreement(language)
        print(f"{language}: {pairs} pairs, {same} with the same label twice, kappa {kappa:.3f}")
        stored = (line["title"] for line in lines(data / f"titles_{language}.jsonl.gz"))
        index = filled(map(learner.without_suffix, itertools.islice(stored, _STORED)))
        if fit:
            ruled = [pair for pair in known if not pair["origin"].startswith(("hand", "paper"))]
            parts = [
                [_without_suffix(pair, learner) for pair in chosen if pair["lang"] == language]
                for chosen in (every, others, random.Random(1).sample(ruled, len(ruled)))
            ]
            fit_table(parts[0], parts[1], parts[2], index)
        for name, chosen in (("these pairs (Chinese: trained on)", every), ("earlier labels, nothing fitted", others)):
            clean = [_without_suffix(pair, learner) for pair in chosen if pair["lang"] == language]
            for method, rules in (("published", PUBLISHED), ("default", Rules())):
                scores = measures(our_scores(clean, index, rules), 0.8)
                print(f"  {name:36} {method:20} P {scores[0]:.3f}  R {scores[1]:.3f}  F1 {scores[2]:.3f}")


def _without_suffix(pair: Pair, learner: SuffixLearner) -> Pair:
    return pair | {"one": learner.without_suffix(pair["a"]), "other": learner.without_suffix(pair["b"])}

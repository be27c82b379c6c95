"""Train the forest that reads two Chinese titles closely, and write it.

    python -m benchmarks.train_titles [--data ../shared/data/titles] [--check]

It learns from the pairs that a reader judged (`benchmarks/title_people.py`) and, with less weight, from their titles with one noun
exchanged and pairs of the same news with one noun exchanged in one title, which are other news, and from their first clauses, which
are the same. It prints precision, recall and F1 on pairs left out,
and of the forest on the files of pairs labelled by hand, from which nothing is learned; `--check` writes nothing. Needs catboost
(extra `bench`).
"""

import argparse
import itertools
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from catboost import CatBoostClassifier, Pool
from numpy.typing import NDArray

from benchmarks.forests import forest_of, mean_of, provenance
from benchmarks.title_files import Pair, filled, lines, similarity
from benchmarks.title_people import LABELS, people_pairs
from benchmarks.title_wording import f1
from extractors.kernels.forest import Forest
from extractors.titles import Rules, TitleIndex, title_text
from extractors.titles.repost_rules import objection
from extractors.titles.retelling import MIN_ODDS, NAMES, plain_signs
from extractors.titles.wording import signs_of
from extractors.topic.words import Segmenter

FOLDS = 5
TREES, DEPTH, SEEDS = 150, 4, 4
STORED = 60_000
EXCHANGED_WEIGHT, CLAUSE_WEIGHT = 0.1, 0.3
NOUNS = ("n", "nr", "ns", "nz", "nt", "nrt", "vn", "t")
NAMED = ("nr", "ns", "nz", "nt", "nrt")
MAX_EXCHANGED_CHARS = 26
Tagged = Mapping[str, Sequence[tuple[str, str]]]
Nouns = Mapping[tuple[str, int], Sequence[str]]
FIRST_CLAUSE = re.compile("((?:(?!如何)[^，,！!？?。 ]){8,20})[，, ！。].{5,}")
OUTPUT = Path(__file__).resolve().parent.parent / "extractors" / "titles" / "data" / "retelling.npz"


@dataclass(frozen=True, slots=True)
class ReadPairs:
    """P pairs: float32[P, F] their signs, whether they are the same news, and whether another rule decides."""

    rows: NDArray[np.float32]
    same: NDArray[np.bool_]
    decided: NDArray[np.bool_]
    titles: list[tuple[str, str]]

    def part(self, own: NDArray[np.bool_]) -> "ReadPairs":
        """Some of the pairs."""
        titles = [pair for pair, chosen in zip(self.titles, own, strict=True) if chosen]
        return ReadPairs(self.rows[own], self.same[own], self.decided[own], titles)


def read(pairs: Sequence[Pair], index: TitleIndex) -> ReadPairs:
    """The Chinese ones of these pairs."""
    rows, decided, rules = [], [], Rules(wording=False)
    chosen = [pair for pair in pairs if pair["lang"] == "zh"]
    for pair in chosen:
        one, other, cosine = title_text(pair["a"]), title_text(pair["b"]), similarity(index, (pair["a"], pair["b"]))
        rows.append((*signs_of(one, other, cosine)[1:], *plain_signs(one, other)))
        decided.append(cosine < rules.lower_threshold or bool(objection(rules, one, other, None, cosine)))
    same = [pair["label"] == "dup" for pair in chosen]
    return ReadPairs(
        np.array(rows, np.float32), np.array(same), np.array(decided), [(pair["a"], pair["b"]) for pair in chosen]
    )


def made(pairs: ReadPairs, seed: int) -> list[Pair]:
    """Titles with a noun of another title in the place of one of the same length, and their first clauses; pairs of the same news
    with a noun of both titles exchanged so in one of them."""
    tagger = Segmenter()
    tagged = {title: tagger.tag(title) for title in dict.fromkeys(itertools.chain(*pairs.titles))}
    nouns = defaultdict[tuple[str, int], list[str]](list)
    for word, part in itertools.chain.from_iterable(tagged.values()):
        if part in NOUNS and len(word) > 1:
            nouns[part, len(word)].append(word)
    alike = [pair for pair, same in zip(pairs.titles, pairs.same, strict=True) if same]
    chance, turned = random.Random(seed), [(other, one) for one, other in alike]
    found = [*_of_one(tagged, nouns, chance), *_of_two(alike + turned, tagged, nouns, chance)]
    return [pair for pair in found if pair["a"] != pair["b"]]


def _of_two(alike: Sequence[tuple[str, str]], tagged: Tagged, nouns: Nouns, chance: random.Random) -> Iterator[Pair]:
    for one, other in alike:
        shared = [(word, part) for word, part in tagged[other] if (part, len(word)) in nouns and word in one]
        named = [(word, part) for word, part in shared if part in NAMED] or shared
        if named:
            word, part = chance.choice(named)
            exchanged = other.replace(word, chance.choice(nouns[part, len(word)]))
            yield {"a": one, "b": exchanged if exchanged != other else one, "label": "different", "lang": "zh"}


def _of_one(tagged: Tagged, nouns: Nouns, chance: random.Random) -> Iterator[Pair]:
    for title, words in tagged.items():
        places = [at for at, (word, part) in enumerate(words) if (part, len(word)) in nouns]
        if places and len(title) <= MAX_EXCHANGED_CHARS:
            at = chance.choice(places)
            other = chance.choice(nouns[words[at][1], len(words[at][0])])
            exchanged = "".join(other if place == at else word for place, (word, _) in enumerate(words))
            yield {"a": title, "b": exchanged, "label": "different", "lang": "zh"}
        clause = FIRST_CLAUSE.match(title)
        if clause:
            yield {"a": clause[1], "b": title, "label": "dup", "lang": "zh"}


def grown(pairs: ReadPairs, index: TitleIndex) -> Forest:
    """A forest of the pairs that no other rule decides, and of pairs made from their titles."""
    return mean_of([_one(pairs.part(~pairs.decided), read(made(pairs, seed), index), seed) for seed in range(SEEDS)])


def _one(known: ReadPairs, every: ReadPairs, seed: int) -> Forest:
    own = every.part(~every.decided)
    weight = np.concatenate([np.ones(len(known.same)), np.where(own.same, CLAUSE_WEIGHT, EXCHANGED_WEIGHT)])
    model = CatBoostClassifier(
        iterations=TREES,
        depth=DEPTH,
        learning_rate=0.06,
        rsm=0.3,
        bootstrap_type="Bernoulli",
        subsample=0.7,
        thread_count=1,
        random_seed=seed,
        verbose=0,
        allow_writing_files=False,
    )
    same = np.concatenate([known.same, own.same]).astype(int)
    model.fit(Pool(np.concatenate([known.rows, own.rows]), same, weight=weight))
    return forest_of(model, NAMES, DEPTH)


def left_out(pairs: ReadPairs, index: TitleIndex) -> NDArray[np.bool_]:
    """The verdicts on all pairs, by forests that have not seen their fold."""
    folds = np.random.default_rng(0).integers(0, FOLDS, len(pairs.same))
    found = np.zeros(len(pairs.same), np.bool_)
    for fold in range(FOLDS):
        own = folds == fold
        found[own] = verdicts(grown(pairs.part(~own), index), pairs.part(own))
    return found


def verdicts(forest: Forest, pairs: ReadPairs) -> NDArray[np.bool_]:
    """Which pairs are the same news."""
    return np.asarray((forest.scores(pairs.rows.T) >= MIN_ODDS) & ~pairs.decided)


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, default=Path("../shared/data/titles"), help="folder of the title files")
    ask.add_argument("--check", action="store_true", help="print figures on pairs left out, write nothing")
    options = ask.parse_args()
    stored = (line["title"] for line in lines(options.data / "titles_zh.jsonl.gz"))
    index = filled(itertools.islice(stored, STORED))
    known = read(people_pairs(options.data), index)
    scores = f1(known.same, left_out(known, index))
    print(f"pairs left out ({len(known.same)}): P {scores[0]:.3f}  R {scores[1]:.3f}  F1 {scores[2]:.3f}", flush=True)
    forest = grown(known, index)
    for name in ("pairs", "pairs-b"):
        hand = [pair for pair in lines(options.data / f"{name}.jsonl.gz") if pair["origin"].startswith("hand")]
        others = read(hand, index)
        print(
            f"{name} ({len(others.same)}):",
            "P {:.3f}  R {:.3f}  F1 {:.3f}".format(*f1(others.same, verdicts(forest, others))),
        )
    if not options.check:
        named = dict(zip(("precision", "recall", "F1"), scores, strict=True))
        origin = replace(provenance({LABELS.name: len(known.same)}, (LABELS,), named), note="pages: pairs of titles")
        OUTPUT.parent.mkdir(exist_ok=True)
        replace(forest, provenance=origin).save(OUTPUT)


if __name__ == "__main__":
    main()

"""Moods on sources that the limits of the decision were not chosen on: python -m benchmarks.mood [--shared ../shared]

The three limits (how far the sum is shifted, which share of opinions is mixed, from which size on) are chosen on three of the four
sources, by the mean of their macro F1, and scored on the fourth. Beside it the shipped limits. The words know none of the sources.
"""

import argparse
import gzip
import itertools
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.mood import classify_mood
from testbed.served_web import SHARED

_SHIFTS, _MIXED, _ENOUGH = (-0.2, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8), (0.0, 0.04, 0.08, 0.15), (3.0, 6.0, 10.0)
Texts = NDArray[np.str_]


def decided(sums: NDArray[np.float64], limits: tuple[float, float, float]) -> Texts:
    """The classes of texts whose opinions have these sums (first column) and sizes (second), as `classify_mood` decides."""
    (total, size), (shift, mixed, enough) = sums.T, limits
    found = np.where(total + shift > 0, "positive", "negative").astype("<U8")
    found[(size >= enough) & (np.abs(total) < mixed * size)] = "unsure"
    found[size == 0] = "neutral"
    return found


def macro_f1(labels: Texts, found: Texts) -> float:
    """The mean over the classes that the labels have; unsure counts as wrong."""
    return float(
        np.mean(
            [
                2 * np.sum((found == label) & (labels == label)) / np.sum((found == label) * 1 + (labels == label))
                for label in np.unique(labels)
            ]
        )
    )


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--shared", type=Path, default=SHARED)
    path = ask.parse_args().shared / "data" / "analysis" / "sentiment.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    moods = [[each.weight for each in classify_mood(row["text"]).opinions] for row in rows]
    sums = np.array([(sum(each), sum(map(abs, each))) for each in moods])
    sources, labels = (np.array([row[name] for row in rows]) for name in ("source", "label"))
    shipped = np.array([classify_mood(row["text"]).label for row in rows])
    grid = {
        limits: {
            name: macro_f1(labels[sources == name], decided(sums[sources == name], limits)) for name in set(sources)
        }
        for limits in itertools.product(_SHIFTS, _MIXED, _ENOUGH)
    }
    unseen = []
    for name in sorted(set(sources)):
        limits = max(grid, key=lambda each: _of_others(grid[each], name))
        unseen.append(grid[limits][name])
        own = macro_f1(labels[sources == name], shipped[sources == name])
        print(f"{name:12} limits of the others {limits}: {unseen[-1]:.3f}; shipped limits {own:.3f}")
    print(f"mean: {np.mean(unseen):.3f}; unsure with the shipped limits: {np.mean(shipped == 'unsure'):.3f}")


def _of_others(scores: Mapping[str, float], name: str) -> float:
    return sum(score for source, score in scores.items() if source != name)


if __name__ == "__main__":
    main()

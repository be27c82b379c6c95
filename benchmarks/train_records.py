"""Fits the weights by which `extractors.records` chooses a page's records, and shows the choice out of fold, by site.

python -m benchmarks.train_records --data ../shared/data/records --scorer ../shared/score/records.py
"""

import argparse
import gzip
import importlib.util
import json
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from scipy.optimize import minimize

from extractors.page import Page
from extractors.records.candidates import Signals, find_groups, measure
from extractors.records.choosing import WEIGHTS
from extractors.records.reading import Reader

Example = tuple[str, np.ndarray[Any, Any], np.ndarray[Any, Any]]


def page_f1(scorer: ModuleType, row: dict[str, Any], found: list[dict[str, Any]]) -> float:
    """F1 over the page's records."""
    hits = len(scorer.match(row["records"], found, row["page_type"]))
    return 2 * hits / (len(row["records"]) + len(found)) if found else 0.0


def examples(data: Path, scorer: ModuleType, most: int) -> list[Example]:
    """(site, measures [groups, measures], F1 [groups]) of each page."""
    out: list[Example] = []
    for folder in sorted(path for path in data.iterdir() if path.is_dir()):
        with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        for row in rows:
            page = Page(
                gzip.decompress((folder / "pages" / (row["id"] + ".html.gz")).read_bytes()),
                row.get("url") or f"http://{row['site']}/",
            )
            signals = Signals(page.columns)
            groups = find_groups(signals)
            if not groups:
                continue
            table = np.array([measure(group, signals) for group in groups])
            order = np.argsort(-(table @ WEIGHTS))[:most]
            scores = [
                page_f1(scorer, row, [asdict(record) for record in Reader(page, signals, groups[place]).records()])
                for place in order
            ]
            out.append((row["site"], table[order], np.array(scores)))
    return out


def fit(rows: list[Example], decay: float) -> np.ndarray[Any, Any]:
    """Weights that make the expected F1 of a softmax choice large."""

    def loss(weights: np.ndarray[Any, Any]) -> tuple[float, np.ndarray[Any, Any]]:
        total, slope = decay * float(((weights - WEIGHTS) ** 2).sum()), 2 * decay * (weights - WEIGHTS)
        for _, table, scores in rows:
            logits = 3 * (table @ weights)
            chance = np.exp(logits - logits.max())
            chance /= chance.sum()
            expected = float(chance @ scores)
            total -= expected
            slope = slope - 3 * ((chance * (scores - expected)) @ table)
        return total, slope

    return np.asarray(minimize(loss, WEIGHTS, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x)


def chosen(rows: list[Example], weights: np.ndarray[Any, Any]) -> list[float]:
    """F1 of the heaviest group of each page."""
    return [float(scores[int(np.argmax(table @ weights))]) for _, table, scores in rows]


def main() -> None:
    """Fits, crosses by site, prints."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, default=Path("../shared/data/records"))
    ask.add_argument("--scorer", type=Path, default=Path("../shared/score/records.py"))
    ask.add_argument("--most", type=int, default=25, help="groups of a page that are read")
    ask.add_argument("--decay", type=float, default=0.5)
    args = ask.parse_args()
    spec = importlib.util.spec_from_file_location("scorer", args.scorer)
    assert spec is not None
    assert spec.loader is not None
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    rows = examples(args.data, scorer, args.most)
    print(
        f"pages {len(rows)}  best group {np.mean([scores.max() for _, _, scores in rows]):.3f}  now {np.mean(chosen(rows, WEIGHTS)):.3f}"
    )
    sites = sorted({site for site, _, _ in rows})
    held: list[float] = []
    for fold in range(5):
        out = set(sites[fold::5])
        weights = fit([row for row in rows if row[0] not in out], args.decay)
        held += chosen([row for row in rows if row[0] in out], weights)
    weights = fit(rows, args.decay)
    print(f"out of fold {np.mean(held):.3f}  in sample {np.mean(chosen(rows, weights)):.3f}")
    print(", ".join(f"{weight:.2f}" for weight in weights))


if __name__ == "__main__":
    main()

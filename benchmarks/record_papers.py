"""The comparisons by which the authors of SoL and of POL showed their methods, on our pages.

What a region's blocks hold is read in one way for all methods, so that only the choice of blocks differs.
"""

import sys
import time
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from benchmarks.record_methods import mdr, mdr_at_its_best
from benchmarks.record_scores import KnownPage, Score, measure
from benchmarks.rivals import combined_tree, common_substring, edit_distance, simple_tree_matching
from benchmarks.rivals.regions import Blocks, regions
from benchmarks.rivals.shapes import shape_of
from extractors.page import Page
from extractors.records.published_methods import (
    LEVEL_WEIGHTS,
    layout_region,
    leaf_paths,
    region_records,
    subtree_similarity,
)
from extractors.records.read.model import Record

DEPTHS = (1, 2, 3, 4, 5, 6)
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_KINDS = ("forum_list", "forum_thread")
_MOST_NODES = 40
"""Of each subtree that is compared; without a bound the distance of trees takes minutes a page."""
_HALVES = "For depths other than 3, whose weights are published, each weight is half of the one before."


def layout_against_mdr(pages: Sequence[KnownPage], scorer: ModuleType) -> None:
    """Precision, recall, F1, right regions and time of SoL with N = 1 … 6 and of MDR, on lists and threads."""
    print(f"\nSoL against MDR by depth of comparison N. {_HALVES}")
    print(f"{'':10}" + "".join(f"{kind:>14}{'P':>7}{'R':>7}{'F1':>7}{'region':>8}{'ms':>8}" for kind in _KINDS))
    for depth in DEPTHS:
        weights = LEVEL_WEIGHTS if depth == len(LEVEL_WEIGHTS) else halving(depth)
        _print_kinds(f"SoL N={depth}", lambda body, url, weights=weights: _by_layout(body, url, weights), pages, scorer)
    _print_kinds("MDR", mdr, pages, scorer)
    _print_kinds("MDR, best", mdr_at_its_best, pages, scorer)


def halving(depth: int) -> tuple[float, ...]:
    """Weights w_1 > w_2 > … that sum to 1."""
    parts = [0.5**level for level in range(depth)]
    return tuple(part / sum(parts) for part in parts)


def _by_layout(body: bytes, url: str, weights: tuple[float, ...]) -> list[Record]:
    page = Page(body, url)
    return region_records(page, layout_region(page.root, weights=weights))


def _print_kinds(name: str, method: Callable[..., Any], pages: Sequence[KnownPage], scorer: ModuleType) -> None:
    cells = []
    for kind in _KINDS:
        known = [page for page in pages if page.kind == kind]
        score = _together(measure(method, known, scorer), known)
        cells.append(
            f"{len(known):>14}{score.precision:7.3f}{score.recall:7.3f}{score.f1:7.3f}{score.region:8.2f}{score.cpu:8.1f}"
        )
    print(f"{name:10}" + "".join(cells), flush=True)


def _together(scores: dict[str, Score], pages: Sequence[KnownPage]) -> Score:
    """All sets as one."""
    parts = [scores[part] for part in dict.fromkeys(page.part for page in pages)]
    return Score(
        sum(part.hits for part in parts),
        sum(part.found for part in parts),
        sum(part.there for part in parts),
        [f1 for part in parts for f1 in part.pages],
        sum(part.regions for part in parts),
        [each for part in parts for each in part.milliseconds],
    )


def leafpaths_against_rivals(pages: Sequence[KnownPage], scorer: ModuleType) -> None:
    """Precision, recall, F1 and time of POL's search with five similarities at thresholds .5 … 1.0."""
    ways: dict[str, tuple[Callable[..., Any], Callable[..., float]]] = {
        "POL": (leaf_paths, subtree_similarity),
        "ED": (_bounded_shape, edit_distance.similarity),
        "LCS": (_bounded_shape, common_substring.similarity),
        "STM": (_bounded_shape, simple_tree_matching.similarity),
        "MCT": (_bounded_shape, combined_tree.similarity),
    }
    known = [page for page in pages if page.kind != "forum_list"]
    print(f"\nPOL against other similarities of trees, {len(known)} pages with posts, comments, reviews, answers")
    print(f"{'':6}{'ms':>8}" + "".join(f"{f'P/R/F1 at {threshold}':>20}" for threshold in THRESHOLDS))
    for name, (shape, similarity) in ways.items():
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        scores = _by_threshold(known, scorer, shape, similarity)
        cells = "".join(f"  {each.precision:6.3f}{each.recall:6.3f}{each.f1:6.3f}" for each in scores.values())
        print(f"{name:6}{next(iter(scores.values())).cpu:8.1f}{cells}", flush=True)


def _bounded_shape(element: Any) -> Any:
    return shape_of(element, _MOST_NODES)


def _by_threshold(
    pages: Sequence[KnownPage], scorer: ModuleType, shape: Callable[..., Any], similarity: Callable[..., float]
) -> dict[float, Score]:
    scores = {threshold: Score() for threshold in THRESHOLDS}
    for known in pages:
        page = Page(known.body, known.url)
        root, begun = page.root, time.process_time()
        found = regions(root, shape, similarity, THRESHOLDS)
        spent = (time.process_time() - begun) * 1000
        read: dict[Blocks, list[Any]] = {}
        for threshold, areas in found.items():
            for blocks in areas:
                if blocks not in read:
                    read[blocks] = [scorer.as_dict(record) for record in region_records(page, blocks)]
            records = [record for blocks in areas for record in read[blocks]]
            hits = len(scorer.match(known.gold, records, known.kind))
            scores[threshold].add(hits, len(records), len(known.gold), spent)
    return scores

"""Where to cut: from which probability on blocks are main text.

The expected F1 takes each block for itself, but who errs about one block of a page errs about those like it. So some cuts are
looked at: what each would take, and what it would add to or leave out of what the best expected F1 takes. A small forest
(`benchmarks/train_article.py`) has learned from pages of sites unseen by the judge of blocks which cut came nearest to the
known text.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import native
from extractors.kernels.forest import Forest

_LOWEST = 0.2
_HIGHEST = 0.5
_CAUTION = 0.02
"""Added to the best expected cut: probabilities of what is not text are a little too high."""
_CUTS = np.array((0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8), np.float32)
_BINS = np.array((0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9), np.float32)
"""Where each bin of probabilities begins."""
_WORTH = 0.012
"""A cut other than the expected one is taken for so much more F1; less is as often none on pages of other sites."""
POSSIBLE = 0.1
"""Probability below which a block is certainly not text."""
_CUT_NAMES = (
    *("cut", "expected cut", "above expected cut", "expected f1", "expected precision", "expected recall"),
    *("text", "text share", "block share", "blocks", "edges", "edges per block"),
    *("moved share", "probability moved", "blocks moved", "text moved", "highest"),
)
_MEANS = (
    *(
        f"inside named {name}"
        for name in (
            *("comment", "related", "side", "form", "post", "content", "caption", "byline", "tags", "share", "foot"),
            *("user", "navigation", "advert"),
        )
    ),
    *(f"home {name}" for name in ("caption", "item", "cell", "heading", "p", "div")),
    *(f"inside {name}" for name in ("article", "main", "aside", "footer", "list", "table")),
    *("link density", "words", "cjk", "since related", "until related", "since comment", "since rights"),
    *("in holder of 0.85", "in holder of 0.55", "in decay body", "in best candidate", "like homes", "repeated around"),
    *("prose in repeated", "prose alike", "place", "since prose", "until prose", "ends with stop", "in title"),
    *("blocks after title", "prose of run"),
)
"""Features of blocks whose means, weighted by length, tell what a cut takes and what it moves."""


@dataclass(frozen=True, slots=True)
class PageCuts:
    """The cuts of one page that take different blocks, float32[C], the best expected one first; what is known of each,
    float32[G, C]; the names of these G features."""

    values: NDArray[np.float32]
    table: NDArray[np.float32]
    names: list[str]

    def learned(self) -> float:
        """The probability from which on blocks are main text. RuntimeError if the forest knows other features."""
        forest = cut_forest()
        if self.names != forest.names:
            raise RuntimeError("the forest was trained on other features: run python -m benchmarks.train_article")
        return float(self.values[0] if len(self.values) == 1 else self.values[best_of(forest.scores(self.table))])


def best_of(scores: NDArray[np.float32]) -> int:
    """Which of the cuts is taken: the first, which is the expected one, unless another is worth it."""
    best = int(np.argmax(scores))
    return best if scores[best] - scores[0] > _WORTH else 0


def expected_cut(probability: NDArray[np.float32], length: NDArray[np.int64], order: NDArray[np.intp]) -> float:
    """The probability at which to cut for the largest expected F1 of characters, within limits.

    With the blocks in falling order of p, as `falling` gives it, taking the first k of lengths n gives tp = Σ p·n over them, and
    F1 = 2·tp / (Σ n over them + Σ p·n over all).
    """
    if compiled := native():
        cut = float(compiled.best_cut(probability, length, order))
    else:
        hits = np.cumsum(probability[order] * length[order])
        f1 = 2 * hits / np.maximum(np.cumsum(length[order]) + hits[-1], 1e-9)
        cut = float(probability[order[int(np.argmax(f1))]])
    return min(max(cut + _CAUTION, _LOWEST), _HIGHEST, float(probability.max()))


def falling(probability: NDArray[np.float32]) -> NDArray[np.intp]:
    """intp[B]: the blocks in falling order of probability."""
    compiled = native()
    return np.asarray(compiled.falling(probability) if compiled else np.argsort(-probability, kind="stable"))


def page_cuts(
    features: NDArray[np.float32], names: list[str], probability: NDArray[np.float32], length: NDArray[np.int64]
) -> PageCuts:
    """The cuts of a page and what is known of each.

    features: float32[F, B] with their names, as `block_features` gives them; probability: float32[B]; length: int64[B],
    visible characters.
    """
    order = falling(probability)
    cuts = np.append(np.float32(expected_cut(probability, length, order)), np.minimum(_CUTS, probability.max()))
    known = _table_names(tuple(names))
    places = _places(tuple(names))
    if not native():
        return PageCuts(*_table(cuts, features, *places, probability, length, order), known)
    table, raw = np.empty((len(known), len(cuts)), np.float32), np.empty((4, len(cuts)))
    chosen = native().cut_table(features, *places, probability, length, order, cuts, _BINS, POSSIBLE, table, raw)
    table, (text, blocks, moved_text, more) = table[:, : len(chosen)], raw[:, : len(chosen)]
    table[6], table[9], table[15] = np.log1p(text), np.log1p(blocks), np.log1p(moved_text) * more
    return PageCuts(cuts[chosen], table, known)


def _table(
    cuts: NDArray[np.float32],
    features: NDArray[np.float32],
    means: NDArray[np.intp],
    of_page: NDArray[np.intp],
    probability: NDArray[np.float32],
    length: NDArray[np.int64],
    order: NDArray[np.intp],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The different ones of the cuts, and what is known of each."""
    cuts, taken = _different(cuts, probability)
    blocks = np.count_nonzero(taken, axis=1)
    held = _held(features[means], probability, length, order[: blocks.max()], blocks)
    more = np.where(blocks > blocks[0], 1, -1)
    moved = (held - held[:, :1]) * more
    page = np.concatenate([_histogram(probability, length), features[of_page, 0]])
    rows = (
        _amounts(cuts, taken, held[-3:], moved[-3:], more, probability, length),
        np.repeat(page[:, None], len(cuts), axis=1),
        held[:-3] / np.maximum(held[-3], 1),
        moved[:-3] / np.maximum(moved[-3], 1) - (moved[-3] == 0),
    )
    return cuts, np.concatenate(rows).astype(np.float32)


def _different(
    cuts: NDArray[np.float32], probability: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The cuts that take what no cut before them takes, float32[C], and which blocks each takes, bool[C, B]."""
    taken = probability >= cuts[:, None]
    different = np.sort(np.unique(np.count_nonzero(taken, axis=1), return_index=True)[1])
    return cuts[different], taken[different]


def _held(
    known: NDArray[np.float32],
    probability: NDArray[np.float32],
    length: NDArray[np.int64],
    falling: NDArray[np.intp],
    blocks: NDArray[np.intp],
) -> NDArray[np.float64]:
    """float64[M + 3, C]: sums over what each cut takes of known[M, B] times length, of length, of the probability times
    length, and of blocks. The laxer of two cuts takes what the stricter does, so all are running sums."""
    size = length[falling].astype(np.float64)
    parts = (known[:, falling] * size, size[None], (probability[falling] * size)[None], np.ones((1, len(size))))
    return np.asarray(np.cumsum(np.concatenate(parts), axis=1)[:, blocks - 1])


def _amounts(
    cuts: NDArray[np.float32],
    taken: NDArray[np.bool_],
    held: NDArray[np.float64],
    moved: NDArray[np.float64],
    more: NDArray[np.int64],
    probability: NDArray[np.float32],
    length: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Rows of `_CUT_NAMES`; of `_held` the last three are given, and what each cut moves of them."""
    (text, hits, blocks), (moved_text, moved_hits, moved_blocks) = held, moved
    all_text, all_hits = max(int(length.sum()), 1), float(np.cumsum(probability * length)[-1])
    edges = np.count_nonzero(taken[:, 1:] != taken[:, :-1], axis=1)
    known = (
        *(cuts, np.full(len(cuts), cuts[0]), cuts - cuts[0]),
        *(2 * hits / np.maximum(text + all_hits, 1), hits / np.maximum(text, 1), hits / max(all_hits, 1.0)),
        *(np.log1p(text), text / all_text, blocks / len(length), np.log1p(blocks), edges, edges / blocks),
        moved_text / max(float(text[0]), 1.0) * more,
        moved_hits / np.maximum(moved_text, 1),
        moved_blocks * more,
        np.log1p(moved_text) * more,
        np.full(len(cuts), probability.max()),
    )
    return np.array(known, np.float64)


def _histogram(probability: NDArray[np.float32], length: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64[bins]: how the page's characters are spread over probabilities, by those that may be text."""
    found = np.bincount(np.searchsorted(_BINS, probability, "right") - 1, weights=length, minlength=len(_BINS))
    return found / max(int(length[probability >= POSSIBLE].sum()), 1)


@lru_cache(maxsize=4)
def _places(names: tuple[str, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where `_MEANS` stand among the names of blocks' features, and where the features of the whole page do."""
    of_page = [place for place, name in enumerate(names) if name.startswith("page ")]
    return np.array([names.index(name) for name in _MEANS], np.intp), np.array(of_page, np.intp)


@lru_cache(maxsize=4)
def _table_names(names: tuple[str, ...]) -> list[str]:
    return [
        *_CUT_NAMES,
        *(f"probability from {begin:.2f}" for begin in _BINS.tolist()),
        *(name for name in names if name.startswith("page ")),
        *(f"taken: {name}" for name in _MEANS),
        *(f"moved: {name}" for name in _MEANS),
    ]


@cache
def cut_forest() -> Forest:
    """The forest that scores cuts."""
    with (files("extractors.article") / "data" / "cut.npz").open("rb") as file:
        return Forest.load(file)

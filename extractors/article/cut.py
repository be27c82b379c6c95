"""The cut of a page: the probability above which blocks are main text.

The cut with the best expected F1 assumes that blocks are independent. They are not: an error in one block of a page
recurs in similar blocks. So several cuts are compared by features: the blocks that each chooses, and those that it adds to
or removes from the choice of the expected cut. A small forest scores them. It was trained (`benchmarks/train_article.py`) on pages
of sites that the forest of blocks had not seen, to find the cut whose text is nearest to the known text.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel
from extractors.kernels.forest import forest_for

_MIN_CUT, _MAX_CUT = 0.2, 0.5
_CUT_MARGIN = 0.02
"""Added to the cut with the best expected F1, because the probabilities of other text are slightly too high."""
_CUTS = np.array((0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8), np.float32)
_BINS = np.array((0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9), np.float32)
"""Lower bounds of the bins of probabilities."""
_MIN_GAIN = 0.012
"""Predicted gain in F1 above which a cut other than the expected one is chosen; smaller gains often vanish on new sites."""
_LOW_CUT, _MIN_LOW_GAIN = 0.14, 0.15
"""Cuts below this select nearly all of a page, as lists and shops need. Their predicted gain must be larger: otherwise articles
in languages outside the training set get worse."""
MIN_PROBABILITY = 0.1
"""Probability below which a block is certainly not main text."""
_CUT_NAMES = (
    *("cut", "expected cut", "above expected cut", "expected f1", "expected precision", "expected recall"),
    *("text", "text share", "block share", "blocks", "edges", "edges per block"),
    *("moved share", "probability moved", "blocks moved", "text moved", "highest"),
)
_AS_LOGARITHMS = [_CUT_NAMES.index(name) for name in ("text", "blocks", "text moved")]
_BLOCK_FEATURES = (
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
"""Features of blocks; their means, weighted by length, describe the blocks that a cut chooses and moves."""


@dataclass(frozen=True, slots=True)
class PageCuts:
    """The cuts of a page that choose different blocks.

    Attributes:
        values: float32[C], the cuts, the expected one first.
        table: float32[G, C], features of each cut. names: those of the G features.
    """

    values: NDArray[np.float32]
    table: NDArray[np.float32]
    names: list[str]

    def best(self) -> float:
        """The cut that the forest chooses."""
        forest = forest_for("article", "cut", self.names)
        return float(
            self.values[0] if len(self.values) == 1 else self.values[best_of(forest.scores(self.table), self.values)]
        )


def best_of(scores: NDArray[np.float32], cuts: NDArray[np.float32]) -> int:
    """The number of the cut to choose: the first, which is the expected cut, unless another gains enough."""
    gain = scores - scores[0] - np.where(cuts < _LOW_CUT, _MIN_LOW_GAIN, _MIN_GAIN)
    gain[0] = 0
    return int(np.argmax(gain))


def page_cuts(
    features: NDArray[np.float32], names: list[str], probability: NDArray[np.float32], length: NDArray[np.int64]
) -> PageCuts:
    """The cuts of a page and their features.

    features: float32[F, B] with their names, as `block_features` gives them; probability: float32[B]; length: int64[B],
    visible characters.
    """
    order = np.argsort(-probability, kind="stable")
    cuts = np.empty(1 + len(_CUTS), np.float32)
    cuts[0] = expected_cut(probability, length, order)
    np.minimum(_CUTS, probability[order[0]], out=cuts[1:])
    places = _places(tuple(names))
    chosen, rows = cut_table(features, *places, probability, length, order, cuts, _BINS, MIN_PROBABILITY)
    amounts = rows[_AS_LOGARITHMS]
    rows[_AS_LOGARITHMS] = np.copysign(np.log1p(np.abs(amounts)), amounts)
    return PageCuts(cuts[chosen], rows.astype(np.float32), _table_names(tuple(names)))


def expected_cut(probability: NDArray[np.float32], length: NDArray[np.int64], order: NDArray[np.int64]) -> float:
    """The cut with the largest expected F1 of characters, within limits.

    Choosing the first k blocks with probabilities p and lengths n in `order`, that of falling probability, gives tp = Σ p·n
    over them, and F1 = 2·tp / (Σ n over them + Σ p·n over all).
    """
    cut = float(probability[order[best_prefix(probability, length, order)]])
    return min(max(cut + _CUT_MARGIN, _MIN_CUT), _MAX_CUT, float(probability[order[0]]))


@kernel
def best_prefix(probability: NDArray[np.float32], length: NDArray[np.int64], order: NDArray[np.int64]) -> int:
    """The position, from 0, in this order of the last block of the prefix with the largest expected F1; see `expected_cut`."""
    hits = np.cumsum(probability[order] * length[order])
    return int(np.argmax(2 * hits / np.maximum(np.cumsum(length[order]) + hits[-1], 1e-9)))


@kernel
def cut_table(
    features: NDArray[np.float32],
    means: NDArray[np.int64],
    of_page: NDArray[np.int64],
    probability: NDArray[np.float32],
    length: NDArray[np.int64],
    order: NDArray[np.int64],
    cuts: NDArray[np.float32],
    bins: NDArray[np.float32],
    min_probability: float,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """int64[C]: the cuts whose choice no earlier cut has; float64[G, C]: their features, without logarithms.

    means, of_page: the rows of `_BLOCK_FEATURES` and of the page's features in features[F, B].
    """
    chosen = probability >= cuts[:, None]
    different = np.sort(np.unique(np.count_nonzero(chosen, axis=1), return_index=True)[1])
    cuts, chosen = cuts[different], chosen[different]
    blocks = np.count_nonzero(chosen, axis=1)
    sums = _sums(features[means], probability, length, order[: blocks.max()], blocks)
    more = np.where(blocks > blocks[0], 1, -1)
    moved = (sums - sums[:, :1]) * more
    page = np.concatenate([_histogram(probability, length, bins, min_probability), features[of_page, 0]])
    rows = (
        _amounts(cuts, chosen, sums[-3:], moved[-3:], more, probability, length),
        np.repeat(page[:, None], len(cuts), axis=1),
        sums[:-3] / np.maximum(sums[-3], 1),
        moved[:-3] / np.maximum(moved[-3], 1) - (moved[-3] == 0),
    )
    return different, np.concatenate(rows, dtype=np.float64)


def _sums(
    known: NDArray[np.float32],
    probability: NDArray[np.float32],
    length: NDArray[np.int64],
    order: NDArray[np.int64],
    blocks: NDArray[np.intp],
) -> NDArray[np.float64]:
    """float64[M + 3, C]: over the first blocks[C] in this order the sums of known[M, B] times length, of length, of
    probability times length, and of 1."""
    size = length[order].astype(np.float64)
    parts = (known[:, order] * size, size[None], (probability[order] * size)[None], np.ones((1, len(size))))
    return np.asarray(np.cumsum(np.concatenate(parts), axis=1)[:, blocks - 1])


def _amounts(
    cuts: NDArray[np.float32],
    chosen: NDArray[np.bool_],
    sums: NDArray[np.float64],
    moved: NDArray[np.float64],
    more: NDArray[np.int64],
    probability: NDArray[np.float32],
    length: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Rows of `_CUT_NAMES`; sums, moved: the last three rows of `_sums`, and the amounts of them that each cut moves."""
    (text, hits, blocks), (moved_text, moved_hits, moved_blocks) = sums, moved
    all_text, all_hits = max(int(length.sum()), 1), float(np.cumsum(probability * length)[-1])
    edges = np.count_nonzero(chosen[:, 1:] != chosen[:, :-1], axis=1)
    rows = (
        *(cuts, np.full(len(cuts), cuts[0]), cuts - cuts[0]),
        *(2 * hits / np.maximum(text + all_hits, 1), hits / np.maximum(text, 1), hits / max(all_hits, 1.0)),
        *(text, text / all_text, blocks / len(length), blocks, edges, edges / blocks),
        moved_text / max(float(text[0]), 1.0) * more,
        moved_hits / np.maximum(moved_text, 1),
        moved_blocks * more,
        moved_text * more,
        np.full(len(cuts), probability.max()),
    )
    return np.array(rows, np.float64)


def _histogram(
    probability: NDArray[np.float32], length: NDArray[np.int64], bins: NDArray[np.float32], min_probability: float
) -> NDArray[np.float64]:
    """float64[bins]: the distribution of characters over probabilities, among blocks that may be main text."""
    found = np.bincount(np.searchsorted(bins, probability, "right") - 1, weights=length, minlength=len(bins))
    return found / max(int(length[probability >= min_probability].sum()), 1)


@lru_cache(maxsize=4)
def _places(names: tuple[str, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The positions of `_BLOCK_FEATURES` and of the page's features among the names of blocks' features."""
    of_page = [place for place, name in enumerate(names) if name.startswith("page ")]
    return np.array([names.index(name) for name in _BLOCK_FEATURES], np.int64), np.array(of_page, np.int64)


@lru_cache(maxsize=4)
def _table_names(names: tuple[str, ...]) -> list[str]:
    return [
        *_CUT_NAMES,
        *(f"probability from {begin:.2f}" for begin in _BINS.tolist()),
        *(name for name in names if name.startswith("page ")),
        *(f"taken: {name}" for name in _BLOCK_FEATURES),
        *(f"moved: {name}" for name in _BLOCK_FEATURES),
    ]

"""A classifier learned from examples: pages of a topic, and other pages.

A page is a vector of the grams in its title, tags, address and main text, each part of length 1 times a weight. A linear
logistic model with an L2 penalty is fitted in its dual form, so that it costs the number of examples, not of grams

    f(x) = w·x + b,   w = Σ α_i x_i,   min Σ c_i ln(1 + exp(−y_i f(x_i))) + λ/2 |w|²

with c_i such that both classes have the same weight. Out-of-fold values of f, each fold with other hosts if there are enough,
show the confidence of the classifier, and calibrate it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from extractors.topic.grams import SLOTS, grams
from extractors.topic.page_text import PageText

FEATURES = 1 << 15
_SHIFT = SLOTS // FEATURES
_WEIGHTS = {"title": 1.0, "tags": 1.0, "address": 0.5, "text": 1.5}
_MAX_TEXT_CHARS = 6_000
"""Characters of a page's main text that are read."""
_PENALTY = 0.1
_NEWTON_STEPS = 12
_MIN_AREA_GAIN = 0.02
_FOLDS = 5
_MIN_HOSTS = 5
_MIN_KEPT_SHARE = 0.6
MIN_EXAMPLES = 5
"""Minimum examples of each class."""
MAX_EXAMPLES = 500

Vectors = NDArray[np.float32]


def vector(text: PageText) -> Vectors:
    """The page as float32[FEATURES]."""
    starts = (0, *text.ends.tolist())
    main = " ".join(
        text.text[start : stop - 1]
        for (start, stop), own in zip(pairwise(starts), text.main.tolist(), strict=True)
        if own
    )
    parts = {"title": text.title, "tags": " ".join(text.tags), "address": text.address, "text": main}
    found = np.zeros(FEATURES, np.float32)
    for salt, (name, weight) in enumerate(_WEIGHTS.items(), 2):
        _, numbers = grams([parts[name]], salt, _MAX_TEXT_CHARS)
        if len(numbers):
            np.add.at(found, numbers // _SHIFT, weight / np.sqrt(len(numbers)))
    return found


@dataclass(frozen=True, slots=True)
class ExampleModel:
    """A fitted classifier.

    Attributes:
        weights: float32[FEATURES]; bias: of the calibrated logit, for equally frequent classes.
        alone: the topic's terms are ignored.
    """

    weights: Vectors
    bias: float
    alone: bool = False

    def logit(self, page: Vectors) -> float:
        """The logit of the probability that the page is wanted, if half of all pages are."""
        return float(page @ self.weights) + self.bias


@dataclass(frozen=True, slots=True)
class Learned:
    """A classifier with its evaluation by the examples.

    Attributes:
        logits: float64[N], of each example by a classifier trained without it.
        precision, recall: of these at a probability of 0.5.
    """

    model: ExampleModel
    logits: NDArray[np.float64]
    precision: float
    recall: float

    def contradicting(self, wanted: Sequence[bool], least: float = 1.5) -> list[int]:
        """The examples that contradict the others, the most doubtful first."""
        against = np.where(np.array(wanted), -self.logits, self.logits)
        order = np.argsort(-against, kind="stable")
        return [int(number) for number in order if against[number] >= least]


def learn(pages: Vectors, wanted: Sequence[bool], hosts: Sequence[str]) -> Learned:
    """Learn from N examples, float32[N, FEATURES]. ValueError if a class has fewer than `MIN_EXAMPLES`."""
    sign = np.where(np.array(wanted), 1.0, -1.0)
    if min(int((sign > 0).sum()), int((sign < 0).sum())) < MIN_EXAMPLES:
        raise ValueError(f"at least {MIN_EXAMPLES} pages that are wanted and {MIN_EXAMPLES} that are not")
    kernel = (pages @ pages.T).astype(np.float64)
    unseen = np.zeros(len(sign))
    for fold in _folds(sign, hosts):
        rest = ~fold
        duals, bias = _fit(kernel[np.ix_(rest, rest)], sign[rest])
        unseen[fold] = kernel[np.ix_(fold, rest)] @ duals + bias
    scale, shift = _calibrated(unseen, sign)
    duals, bias = _fit(kernel, sign)
    model = ExampleModel((scale * (duals @ pages)).astype(np.float32), float(scale * bias + shift))
    logits = scale * unseen + shift
    right = int(((logits >= 0) & (sign > 0)).sum())
    return Learned(model, logits, right / max(1, int((logits >= 0).sum())), right / max(1, int((sign > 0).sum())))


def ranks_better(values: NDArray[np.float64], others: NDArray[np.float64], wanted: Sequence[bool]) -> bool:
    """Whether the first of two scores clearly ranks wanted examples higher, by the area under the ROC curve."""
    sides = np.array(wanted)
    return _roc_area(values, sides) > _roc_area(others, sides) + _MIN_AREA_GAIN


def _roc_area(values: NDArray[np.float64], wanted: NDArray[np.bool_]) -> float:
    """Share of the pairs of a wanted and an unwanted example in which the wanted one has the higher value."""
    pairs = values[wanted][:, None] - values[~wanted]
    return float((pairs > 0).mean() + 0.5 * (pairs == 0).mean())


def _folds(sign: NDArray[np.float64], hosts: Sequence[str]) -> list[NDArray[np.bool_]]:
    """Folds by whole hosts if that leaves most of each class for training, else by every fifth example of each class."""
    number = np.zeros(len(sign), np.int64)
    for side in (1.0, -1.0):
        own = np.flatnonzero(sign == side)
        number[own] = np.arange(len(own)) % _FOLDS
    names, of_host, count = np.unique(np.array(hosts), return_inverse=True, return_counts=True)
    rank = np.argsort(np.argsort(-count, kind="stable"), kind="stable")
    by_host = (rank % _FOLDS)[of_host]
    if len(names) >= _MIN_HOSTS and all(_enough_left(sign, by_host != fold) for fold in range(_FOLDS)):
        number = by_host
    return [number == fold for fold in range(_FOLDS) if (number == fold).any()]


def _enough_left(sign: NDArray[np.float64], kept: NDArray[np.bool_]) -> bool:
    """Whether most of each class remains, so that a classifier without one fold is similar to that of all examples."""
    return all((sign[kept] == side).sum() >= _MIN_KEPT_SHARE * (sign == side).sum() for side in (1.0, -1.0))


def _fit(kernel: NDArray[np.float64], sign: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """α and b by Newton's method."""
    count = len(sign)
    weight = np.where(sign > 0, 0.5 * count / (sign > 0).sum(), 0.5 * count / (sign < 0).sum())
    duals, bias = np.zeros(count), 0.0
    for _ in range(_NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(kernel @ duals + bias, -30, 30)))
        curve = np.maximum(weight * chance * (1 - chance), 1e-6)
        aim = kernel @ duals + bias + weight * ((sign > 0) - chance) / curve
        system = np.empty((count + 1, count + 1))
        system[:count, :count] = kernel + np.diag(_PENALTY / curve)
        system[:count, count] = system[count, :count] = 1.0
        system[count, count] = 0.0
        found = np.linalg.solve(system, np.append(aim, 0.0))
        duals, bias = found[:count], float(found[count])
    return duals, bias


def _calibrated(values: NDArray[np.float64], sign: NDArray[np.float64]) -> tuple[float, float]:
    """Scale and shift to logits (J. Platt, 1999), with targets shrunk from 0 and 1 so that few examples give little confidence."""
    positive, negative = int((sign > 0).sum()), int((sign < 0).sum())
    target = np.where(sign > 0, (positive + 1) / (positive + 2), 1 / (negative + 2))
    weight = np.where(sign > 0, 1 / positive, 1 / negative) * len(sign) / 2
    known, found = np.stack([values, np.ones(len(values))], axis=1), np.array([1.0, 0.0])
    for _ in range(_NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(known @ found, -30, 30)))
        slope = known.T @ (weight * (target - chance)) - np.array([0.1, 0.0]) * (found - [1.0, 0.0])
        curve = (known * (weight * chance * (1 - chance))[:, None]).T @ known + np.diag([0.1, 1e-6])
        found = found + np.linalg.solve(curve, slope)
    return max(0.05, float(found[0])), float(found[1])

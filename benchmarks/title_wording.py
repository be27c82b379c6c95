"""Fits the weights by which the wording of titles is judged, and shows F1 on pairs that the weights were not fitted on.

Pairs that people judged count fully, half of those labelled by rule a fifth each. Pairs to which the rule on numbers objects
are decided by it and not fitted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.title_files import Pair, similarity
from extractors.titles import Rules, TitleIndex, title_text
from extractors.titles.repost_rules import objection
from extractors.titles.retelling import same_wording
from extractors.titles.wording import between_exchanged, signs_of

FOLDS = 5
RULE_WEIGHT = 0.2
_RIDGE = 1.0
_STEPS = 25


@dataclass(frozen=True, slots=True)
class Signed:
    """P pairs: float[P, S] signs, which are the same news by their labels, and which are decided without the signs: 1 the same,
    −1 different, 0 by the signs."""

    signs: NDArray[np.float64]
    same: NDArray[np.bool_]
    decided: NDArray[np.int64]

    def part(self, own: NDArray[np.bool_]) -> "Signed":
        """Some of the pairs."""
        return Signed(self.signs[own], self.same[own], self.decided[own])


def signed(pairs: Sequence[Pair], index: TitleIndex) -> Signed:
    """The signs of pairs with cleaned titles "one" and "other"."""
    rows, decided, rules = [], [], Rules(wording=False)
    for pair in pairs:
        one, other = title_text(pair["one"]), title_text(pair["other"])
        cosine = pair["cosine"] if "cosine" in pair else similarity(index, (pair["one"], pair["other"]))
        rows.append(signs_of(one, other, cosine) if one.terms and other.terms else (0.0,) * 15)
        if objection(rules, one, other, None, cosine) or cosine < Rules().lower_threshold:
            decided.append(-1)
        elif one.letters == other.letters or between_exchanged(one.terms, other.terms):
            decided.append(1 if same_wording(one, other, cosine) else -1)
        else:
            decided.append(0)
    same = np.array([pair["label"] == "dup" for pair in pairs])
    return Signed(np.array(rows), same, np.array(decided))


def fitted(people: Signed, ruled: Signed) -> NDArray[np.float64]:
    """The weights of the signs and the bias: logistic regression with a ridge, by Newton's method."""
    known = [each.part(each.decided == 0) for each in (people, ruled)]
    signs, same = np.concatenate([each.signs for each in known]), np.concatenate([each.same for each in known])
    weight = np.repeat((1.0, RULE_WEIGHT), [len(each.same) for each in known])
    mean, scale = signs.mean(0), signs.std(0) + 1e-9
    table = np.column_stack(((signs - mean) / scale, np.ones(len(signs))))
    ridge, found = np.diag([_RIDGE] * signs.shape[1] + [0.0]), np.zeros(table.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-table @ found))
        slope = table.T @ (weight * (chance - same)) + ridge @ found
        found -= np.linalg.solve(table.T @ (table * (weight * chance * (1 - chance))[:, None]) + ridge, slope)
    weights = found[:-1] / scale
    return np.append(weights, found[-1] - weights @ mean)


def verdicts(pairs: Signed, weights: NDArray[np.float64], least: float) -> NDArray[np.bool_]:
    """Which pairs are the same news."""
    chance = 1 / (1 + np.exp(-(pairs.signs @ weights[:-1] + weights[-1])))
    return np.asarray((pairs.decided > 0) | ((pairs.decided == 0) & (chance >= least)))


def left_out(people: Signed, ruled: Signed, least: float, seed: int = 0) -> NDArray[np.bool_]:
    """The verdicts on pairs that people judged, by weights fitted without their fold."""
    folds = np.random.default_rng(seed).integers(0, FOLDS, len(people.same))
    found = np.zeros(len(people.same), np.bool_)
    for fold in range(FOLDS):
        own = folds == fold
        found[own] = verdicts(people.part(own), fitted(people.part(~own), ruled), least)
    return found


def f1(same: NDArray[np.bool_], found: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Precision, recall, F1."""
    right = np.count_nonzero(same & found)
    precision, recall = right / max(1, np.count_nonzero(found)), right / max(1, np.count_nonzero(same))
    return precision, recall, 2 * right / max(1, np.count_nonzero(found) + np.count_nonzero(same))


def fit_table(people: Sequence[Pair], earlier: Sequence[Pair], ruled: Sequence[Pair], index: TitleIndex) -> None:
    """Prints the weights of one language, and by least probability the figures on people's pairs left out, on earlier labels
    and on the half of the pairs labelled by rule that is not fitted."""
    judged, others = signed(people, index), signed(earlier, index)
    learned, unseen = signed(ruled[::2], index), signed(ruled[1::2], index)
    weights = fitted(judged, learned)
    print("weights and bias", ", ".join(f"{weight:.3f}" for weight in weights))
    for least in (0.25, 0.3, 0.35, 0.4, 0.45, 0.5):
        folds = [f1(judged.same, left_out(judged, learned, least, seed))[2] for seed in range(3)]
        rest = [f1(each.same, verdicts(each, weights, least))[2] for each in (others, unseen)]
        print(
            f"{least:.2f}: people, left out {np.mean(folds):.3f}  earlier {rest[0]:.3f}  by rule, unseen {rest[1]:.3f}"
        )

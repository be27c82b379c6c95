"""How well computed groups agree with labelled ones."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """Three F1: B³ over all reports, over those of labelled groups of two and more, and of pairs (Bagga and Baldwin 1998)."""

    all: float
    groups: float
    pairs: float

    @property
    def mean(self) -> float:
        """The mean of the three."""
        return (self.all + self.groups + self.pairs) / 3


def agreement(labels: Sequence[str], found: Sequence[str]) -> Agreement:
    """Agreement of two groupings of the same reports, each given as one group label per report."""
    labelled, made, common = Counter(labels), Counter(found), Counter(zip(labels, found, strict=True))
    several = [entry for entry in zip(labels, found, strict=True) if labelled[entry[0]] > 1]

    def b_cubed(entries: Sequence[tuple[str, str]]) -> float:
        if not entries:
            return 1.0
        precision = sum(common[each] / made[each[1]] for each in entries) / len(entries)
        recall = sum(common[each] / labelled[each[0]] for each in entries) / len(entries)
        return 2 * precision * recall / (precision + recall)

    right, wanted, given = _pairs(common), _pairs(labelled), _pairs(made)
    return Agreement(
        b_cubed(list(zip(labels, found, strict=True))), b_cubed(several), 2 * right / (wanted + given or 1)
    )


def _pairs(counts: Counter[str] | Counter[tuple[str, str]]) -> int:
    return sum(count * (count - 1) // 2 for count in counts.values())

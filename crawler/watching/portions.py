"""What one node has of a watch that several divide among them: sites, and a portion of the budget."""

from dataclasses import dataclass


class NodesAwayError(Exception):
    """Redis does not answer now."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one node has of a watch.

    Attributes:
        slots: those that it holds; excess: how many of them it should give back.
        weights, margins: sums over all nodes: weights, and weights times margins, see `Portion`.
        nodes: how many there are.
    """

    slots: frozenset[int]
    excess: int
    weights: float
    margins: float
    nodes: int


_CALM = 3_600.0
"""Seconds in which a node's weight follows what its visits are worth."""
_LIMITS = 0.25, 4.0


@dataclass(slots=True)
class Portion:
    """Which part of the budget a node gets: what its last visits have saved should be the same on every node.

    Where a visit saves more than elsewhere, the node's weight grows; the best visit's worth falls with the square of the budget.

    Attributes:
        factor: of its weight, which else is the number of its slots.
    """

    factor: float = 1.0
    at: float = 0.0

    def weight(self, slots: int) -> float:
        """What the node reports."""
        return slots * self.factor

    def update(self, part: Part, margin: float, now: float) -> float:
        """The part of the budget, 0 … 1, after a beat."""
        elapsed, self.at = min(600.0, now - self.at) if self.at else 0.0, now
        mean = part.margins / part.weights if part.weights > 0 else 0.0
        if mean > 0 and margin > 0:
            low, high = _LIMITS
            self.factor = min(high, max(low, self.factor * (margin / mean) ** (elapsed / _CALM / 2)))
        return min(1.0, self.weight(len(part.slots)) / part.weights) if part.weights > 0 else 0.0

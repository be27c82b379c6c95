"""How much two reports are about one happening, 0 to 1: cosine of their weighted terms, less where facts conflict."""

import math
from dataclasses import dataclass

from analysis.events.frequencies import Frequencies
from analysis.events.report import Report

OTHER_DAYS = 0.7
OTHER_MAGNITUDE = 0.6
OTHER_REGIONS = 0.85
TWO_CONFLICTS = 0.3


@dataclass(frozen=True, slots=True)
class Vector:
    """Weighted terms of length 1; of a short report also its pairs of characters."""

    terms: dict[str, float]
    pairs: dict[str, float]


def vector(report: Report, frequencies: Frequencies) -> Vector:
    """The report's terms by how often they are in it and how rare they are."""
    return Vector(_unit(report.terms, frequencies), _unit(report.pairs, frequencies))


def _unit(counts: dict[str, float], frequencies: Frequencies) -> dict[str, float]:
    weighted = {term: count * frequencies.weight(term) for term, count in counts.items()}
    length = math.sqrt(sum(value * value for value in weighted.values()))
    return {term: value / length for term, value in weighted.items() if value} if length else {}


def cosine(first: dict[str, float], second: dict[str, float]) -> float:
    """Of two vectors of length 1."""
    if len(first) > len(second):
        first, second = second, first
    return sum(value * second[term] for term, value in first.items() if term in second)


def both(first: Vector, second: Vector) -> float:
    """The cosine of the terms; of two short reports the mean with that of the pairs."""
    terms = cosine(first.terms, second.terms)
    return (terms + cosine(first.pairs, second.pairs)) / 2 if first.pairs and second.pairs else terms


def conflict(first: Report, second: Report) -> float:
    """A factor, 1 without a conflict: other days, another magnitude; far less where two facts conflict."""
    days = first.days and second.days and min(abs(one - other) for one in first.days for other in second.days) >= 2
    magnitudes = first.magnitudes and second.magnitudes and first.magnitudes.isdisjoint(second.magnitudes)
    regions = first.regions and second.regions and first.regions.isdisjoint(second.regions)
    factor = (OTHER_DAYS if days else 1.0) * (OTHER_MAGNITUDE if magnitudes else 1.0)
    return factor * (TWO_CONFLICTS if bool(days) + bool(magnitudes) + bool(regions) >= 2 else 1.0)


def region_conflict(first: frozenset[str], second: frozenset[str]) -> float:
    """A factor, 1 where a region is common or none is known."""
    return OTHER_REGIONS if first and second and first.isdisjoint(second) else 1.0


def likeness_of(first: Report, second: Report, one: Vector, other: Vector) -> float:
    """How much two reports are about one happening, regions left out."""
    return both(one, other) * conflict(first, second)


def alike(first: Report, second: Report) -> float:
    """The likeness of two reports outside any stream, rare terms weighed by general language."""
    general = Frequencies()
    one, other = vector(first, general), vector(second, general)
    return likeness_of(first, second, one, other) * region_conflict(first.regions, second.regions)

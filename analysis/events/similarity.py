"""Likeness of two short texts, 0 to 1, outside a stream of reports."""

import math
import re
from dataclasses import dataclass
from datetime import datetime

from analysis.events.entities import Entities, find
from analysis.events.frequencies import rarity
from analysis.events.report import EventReport, read_report

_OTHER_REGIONS = 0.85
_OTHER_NUMBER = 0.95
_MAX_NUMBERS = 3
_NAMES = 0.3
"""The weight of names that both texts have, beside common terms."""
_RAREST_TERMS = 3
_MAX_RARITY = 30.0
"""Cap of the summed rarity of the three rarest terms."""
_ANY_DAY = datetime(2000, 1, 1)
_NUMBER = re.compile(r"\d{1,12}")


@dataclass(frozen=True, slots=True)
class _Text:
    """A text with the weights of its terms: how often each is in it, by how rare it is."""

    text: str
    report: EventReport
    weights: dict[str, float]
    names: frozenset[str]
    numbers: frozenset[str]


def alike(first: str, second: str) -> float:
    """How much two short texts are about one happening: by the terms and names that both have and how rare the rarest of these are,
    less where regions or numbers differ."""
    one, other = _read(first), _read(second)
    common = one.weights.keys() & other.weights.keys()
    rarest = sum(sorted((rarity(term) for term in common), reverse=True)[:_RAREST_TERMS])
    value = (_common_terms(one, other) + _NAMES * _common_names(one, other)) / (1 + _NAMES)
    numbers = min(_MAX_NUMBERS, len(one.numbers ^ other.numbers))
    regions = one.report.regions, other.report.regions
    apart = all(regions) and regions[0].isdisjoint(regions[1])
    evidence = math.sqrt(min(1.0, rarest / _MAX_RARITY))
    return value * evidence * _OTHER_NUMBER**numbers * (_OTHER_REGIONS if apart else 1.0)


def _read(text: str) -> _Text:
    found = find(text, "", _ANY_DAY)
    report = read_report("", _ANY_DAY, text, "", Entities(found.names, found.times))
    weights = {term: count * rarity(term) for term, count in report.terms.items()}
    return _Text(text, report, weights, frozenset(name.text for name in found.names), frozenset(_NUMBER.findall(text)))


def _common_terms(one: _Text, other: _Text) -> float:
    """Twice the cosine and once the share of the smaller text, by three."""
    product = sum(one.weights[term] * other.weights[term] for term in one.weights.keys() & other.weights.keys())
    sizes = [sum(weight * weight for weight in text.weights.values()) for text in (one, other)]
    if not all(sizes):
        return 0.0
    return (2 * product / math.sqrt(sizes[0] * sizes[1]) + min(1.0, product / min(sizes))) / 3


def _common_names(one: _Text, other: _Text) -> float:
    """The share of the names of both that the other text has."""
    found = [name in other.text for name in one.names] + [name in one.text for name in other.names]
    return sum(found) / max(1, len(found))

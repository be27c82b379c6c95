"""Which queries a topic asks, and in which order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

_COMBINED = 0.8
_ON_SITE = 0.5


@dataclass(frozen=True, slots=True)
class Terms:
    """A topic's words: subjects are asked alone and with each aspect (what one wants to know of them)."""

    subjects: tuple[str, ...]
    aspects: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Planned:
    """A query before it is asked of an engine."""

    words: str
    site: str = ""


Yields = Mapping[tuple[str, str], float]
"""What queries have brought, by words and site, 1 being what one brings on the average; ("", site) for a site's."""


def plan(terms: Terms, sites: Sequence[str], most: int, yields: Yields | None = None) -> list[Planned]:
    """Queries without repeats, at most `most`, those first of which most is expected.

    That is what the same query has brought; else what its subject has, or the subject's weight, a little less for a
    combination; and on a site what the site has brought, or half of that without it.
    """
    candidates = dict(reversed([*_candidates(terms, sites)]))  # a query that comes twice has its first subject
    order = {query: place for place, query in enumerate(dict.fromkeys(query for query, _ in _candidates(terms, sites)))}
    expected = {query: _expected(query, subject, terms, yields or {}) for query, subject in candidates.items()}
    return sorted(order, key=lambda query: (-expected[query], order[query]))[:most]


def _candidates(terms: Terms, sites: Sequence[str]) -> Iterable[tuple[Planned, str]]:
    """Each query with its subject."""
    yield from ((Planned(subject), subject) for subject in terms.subjects)
    yield from ((Planned(f"{subject} {aspect}"), subject) for subject in terms.subjects for aspect in terms.aspects)
    yield from ((Planned(subject, site), subject) for site in sites for subject in terms.subjects)


def _expected(query: Planned, subject: str, terms: Terms, yields: Yields) -> float:
    if (seen := yields.get((query.words, query.site))) is not None:
        return seen
    value = yields.get((subject, ""), terms.weights.get(subject, 1.0))
    if query.words != subject:
        value *= _COMBINED
    return value * yields.get(("", query.site), _ON_SITE) if query.site else value

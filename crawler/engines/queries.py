"""Which queries a topic asks, and in which order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


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


def plan(terms: Terms, sites: Sequence[str], most: int, yields: Mapping[str, float] | None = None) -> list[Planned]:
    """Queries without repeats, at most `most`, those first of which most is expected.

    What earlier runs brought (new relevant results a page, by words) counts before weights; a subject alone comes before
    its combinations, and these before those with a site.
    """
    candidates = list(dict.fromkeys(_candidates(terms, sites)))
    order = {query: place for place, query in enumerate(candidates)}
    expected = {query: _expected(query, terms, yields or {}) for query in candidates}
    return sorted(candidates, key=lambda query: (-expected[query], order[query]))[:most]


def _candidates(terms: Terms, sites: Sequence[str]) -> Iterable[Planned]:
    words = list(terms.subjects)
    words += [f"{subject} {aspect}" for subject in terms.subjects for aspect in terms.aspects]
    yield from (Planned(each) for each in words)
    yield from (Planned(each, site) for site in sites for each in terms.subjects)


def _expected(query: Planned, terms: Terms, yields: Mapping[str, float]) -> float:
    """The yield seen of these words, else half that of their subject, else the subject's weight."""
    subject = query.words if query.words in terms.weights else query.words.split(" ", 1)[0]
    prior = terms.weights.get(subject, 1.0)
    seen = yields.get(query.words)
    value = prior if seen is None else seen
    return value * (0.5 if query.site else 1.0) * (0.8 if query.words not in terms.subjects else 1.0)

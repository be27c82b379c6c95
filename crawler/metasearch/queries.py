"""The queries of a meta-search: its terms and engines, and the order of its queries."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml
from scrapy.settings import BaseSettings

from crawler.config.arguments import ArgumentError, SearchArguments
from crawler.config.topics import read_topic, topic_path
from crawler.config.yaml_file import settings_folder
from crawler.engines.catalog import read_catalog
from crawler.engines.protocol.engine import About, Engine, KeyMissingError, Query
from crawler.proxies.sources import ProxyError, read_list
from extractors.topic.model import TermClass, Topic

_COMBINATION_FACTOR = 0.8
_SITE_FACTOR = 0.5
_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """A topic's words: each subject is a query alone and with each aspect (what one wants to know about it)."""

    subjects: tuple[str, ...]
    aspects: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlannedQuery:
    """A query, not yet bound to an engine."""

    words: str
    site: str = ""


Yields = Mapping[tuple[str, str], float]
"""Yield of earlier queries by words and site, relative to the average query (1); ("", site) for a whole site."""


def prepare_search(arguments: SearchArguments, settings: BaseSettings) -> tuple[SearchTerms, dict[str, Engine]]:
    """The terms, and the engines by name in the order of their requests.

    Raises ValueError with a sentence for the user: an invalid file, an unknown engine, a missing key, an unreadable list of
    proxies.
    """
    folder = settings_folder(settings)
    terms = read_search_terms(Path(arguments.terms) if arguments.terms else topic_path(folder, arguments.topic))
    engines = read_catalog(folder / "engines").chosen(arguments.engines, settings.getlist("METASEARCH_ENGINES"))
    for name, engine in engines.items():
        try:
            engine.request(Query("x"), os.environ)
        except KeyMissingError as error:
            raise ArgumentError(f"{name}: {error}") from None
        if proxies := engine.about.proxies:
            try:
                read_list(settings, proxies)
            except ProxyError as error:
                raise ArgumentError(f"{name}: {error}") from None
    return terms, engines


def query_of(row: Mapping[str, Any], about: About, arguments: SearchArguments, default_language: str = "zh") -> Query:
    """The query of a row, with the language and first day of the run, else of the engine, else the default language."""
    since = arguments.since
    if since is None and about.time_range:
        since = date.today() - timedelta(days=_DAYS[about.time_range])
    return Query(
        row["words"],
        row["page"],
        row["site"],
        since,
        arguments.language or about.language or default_language,
        row.get("carried") or {},
    )


def read_search_terms(path: Traversable) -> SearchTerms:
    """The terms of a topic's file, of a YAML file with the lists `subjects` and optionally `aspects`, or of a text file
    with one term on each line.

    Raises ArgumentError with a sentence for the user.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"The terms in {path} cannot be read: {error}.") from error
    if not path.name.endswith((".yaml", ".yml")):
        lines = (line.strip() for line in text.splitlines())
        return _checked(path, [line for line in lines if line and not line.startswith("#")], [])
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ArgumentError(f"{path} is not YAML: {error}") from error
    if not isinstance(values, dict):
        raise ArgumentError(f"{path} needs a key subjects with a list of words.")
    if "terms" in values:
        return search_terms_of(read_topic(path))
    return _checked(path, values.get("subjects"), values.get("aspects") or [])


def search_terms_of(topic: Topic) -> SearchTerms:
    """A topic's terms; its intelligence terms are the aspects of the others."""
    aspects = tuple(term.word for term in topic.terms if term.term_class is TermClass.INTELLIGENCE)
    subjects = tuple(term.word for term in topic.terms if term.term_class is not TermClass.INTELLIGENCE)
    weights = {term.word: term.weight for term in topic.terms}
    return SearchTerms(subjects or aspects, aspects if subjects else (), weights)


def _checked(path: Traversable, subjects: Any, aspects: Any) -> SearchTerms:
    for key, words in (("subjects", subjects), ("aspects", aspects)):
        if not isinstance(words, list) or not all(isinstance(word, str) and word.strip() for word in words):
            raise ArgumentError(f"{path}: {key} must be a list of words.")
    if not subjects:
        raise ArgumentError(f"{path} contains no terms.")
    return SearchTerms(tuple(word.strip() for word in subjects), tuple(word.strip() for word in aspects))


def plan_queries(
    terms: SearchTerms, sites: Sequence[str], limit: int, yields: Yields | None = None
) -> list[PlannedQuery]:
    """At most `limit` distinct queries, those with the highest expected yield first.

    A query's expected yield is its own earlier yield; else that of its subject, or the subject's weight, a little less for
    a combination; on a site times the yield of the site, or a half if that is unknown.
    """
    candidates = dict(reversed([*_candidates(terms, sites)]))  # a repeated query counts for its first subject
    order = {query: place for place, query in enumerate(dict.fromkeys(query for query, _ in _candidates(terms, sites)))}
    expected = {query: _expected(query, subject, terms, yields or {}) for query, subject in candidates.items()}
    return sorted(order, key=lambda query: (-expected[query], order[query]))[:limit]


def _candidates(terms: SearchTerms, sites: Sequence[str]) -> Iterable[tuple[PlannedQuery, str]]:
    yield from ((PlannedQuery(subject), subject) for subject in terms.subjects)
    yield from (
        (PlannedQuery(f"{subject} {aspect}"), subject) for subject in terms.subjects for aspect in terms.aspects
    )
    yield from ((PlannedQuery(subject, site), subject) for site in sites for subject in terms.subjects)


def _expected(query: PlannedQuery, subject: str, terms: SearchTerms, yields: Yields) -> float:
    if (known := yields.get((query.words, query.site))) is not None:
        return known
    value = yields.get((subject, ""), terms.weights.get(subject, 1.0))
    if query.words != subject:
        value *= _COMBINATION_FACTOR
    return value * yields.get(("", query.site), _SITE_FACTOR) if query.site else value

"""The queries of a meta-search: its terms and engines, the order of its queries, and the query pages (query × engine × page)
in the store with their states and yields."""

import os
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from hashlib import blake2b
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml
from scrapy.settings import BaseSettings

from crawler.config.arguments import ArgumentError, SearchArguments
from crawler.config.topics import read_topic, topic_path
from crawler.config.yaml_file import settings_folder
from crawler.engines.catalog import read_catalog
from crawler.engines.protocol.engine import About, Engine, EngineQuery
from crawler.proxies.proxy_lists import ProxyError, read_list
from crawler.sources.templates import KeyMissingError
from extractors.topic.model import TermClass, Topic
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import QUERIES

_COMBINATION_FACTOR = 0.8
_SITE_FACTOR = 0.5
_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """A topic's words: each subject is a query alone and with each aspect (a side of the subject)."""

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

    Raises ValueError with a message for the user: an invalid file, an unknown engine, a missing key, an unreadable list of
    proxies.
    """
    folder = settings_folder(settings)
    terms = read_search_terms(Path(arguments.terms) if arguments.terms else topic_path(folder, arguments.topic))
    engines = read_catalog(folder / "engines").chosen(arguments.engines, settings.getlist("METASEARCH_ENGINES"))
    for name, engine in engines.items():
        try:
            engine.request(EngineQuery("x"), os.environ)
        except KeyMissingError as error:
            raise ArgumentError(f"{name}: {error}") from None
        if proxies := engine.about.proxies:
            try:
                read_list(settings, proxies)
            except ProxyError as error:
                raise ArgumentError(f"{name}: {error}") from None
    return terms, engines


def query_of(
    row: Mapping[str, Any], about: About, arguments: SearchArguments, default_language: str = "zh"
) -> EngineQuery:
    """The query of a row, with the language and first day of the run, else of the engine, else the default language."""
    since = arguments.since
    if since is None and about.time_range:
        since = date.today() - timedelta(days=_DAYS[about.time_range])
    return EngineQuery(
        row["words"],
        row["page"],
        row["site"],
        since,
        arguments.language or about.language or default_language,
        row.get("carried") or {},
    )


def read_search_terms(path: Traversable) -> SearchTerms:
    """The terms of a topic's file, of a YAML file with the lists `subjects` and optionally `aspects`, or of a text file
    with one term per line.

    Raises ArgumentError with a message for the user.
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


Row = dict[str, Any]
_OPEN_STATES = ("waiting", "blocked", "failed")
_REWRITTEN = ("key", "crawl", "topic", "engine", "words", "site", "page", "place", "state", "tries", "carried")
_YIELD_COLUMNS = ("words", "site", "state", "new", "relevant")
_ANSWERED = ("results", "none", "layout_changed")


class QueryStore:
    """The waiting query pages of a crawl, for each engine in the order of the plan.

    Args:
        repeat_days: age in days after which a query is repeated; 0 for never.
    """

    def __init__(self, store: Store, crawl: str, topic: str = "", repeat_days: float = 0.0) -> None:
        self._store = store
        self._crawl = crawl
        self._topic = topic
        self._repeat_days = repeat_days
        self._waiting: dict[str, deque[Row]] = {}
        self._started: set[tuple[str, int]] = set()

    def open(self, engines: Iterable[str], plan: Sequence[PlannedQuery]) -> None:
        """Load the query pages left by earlier runs, and add new or due queries of the plan; durable on return."""
        stored = {row["key"]: row for row in self._store.select(QUERIES, [Condition("crawl", "=", self._crawl)])}
        places = {(query.words, query.site): place for place, query in enumerate(plan)}
        changed = []
        for engine in engines:
            planned = [self.new_row(engine, query.words, query.site, 1, place) for place, query in enumerate(plan)]
            changed += [row for row in planned if row["key"] not in stored]
            left = [row for row in planned if row["key"] not in stored]
            for row in (row for row in stored.values() if row["engine"] == engine and self._is_due(row)):
                place = places.get((row["words"], row["site"] or ""), row["place"] or 0)
                left.append(_rewritten(row) | {"place": place, "state": "waiting"})
            self._waiting[engine] = deque(sorted(left, key=_in_order))
        if changed:
            self._store.upsert(QUERIES, changed).result()

    def _is_due(self, row: Row) -> bool:
        if row["state"] in _OPEN_STATES:
            return True
        if not self._repeat_days or row["page"] != 1 or not row["asked_at"]:
            return False
        age = datetime.now(UTC) - datetime.fromisoformat(row["asked_at"])
        return age >= timedelta(days=self._repeat_days)

    def new_row(self, engine: str, words: str, site: str, page: int, place: int) -> Row:
        name = "\n".join((self._crawl, engine, words, site, str(page)))
        key = blake2b(name.encode(), digest_size=10).hexdigest()
        named = {"key": key, "crawl": self._crawl, "topic": self._topic, "engine": engine, "words": words}
        return named | {"site": site, "page": page, "place": place, "state": "waiting", "tries": 0}

    def next(self, engine: str) -> Row | None:
        """Remove and return the engine's next query page that no other node has done; None if there is none."""
        waiting = self._waiting.get(engine)
        while waiting:
            row = waiting.popleft()
            if not self.is_done(row):
                self._started.add((row["key"], row["tries"]))
                return row
        return None

    def is_done(self, row: Mapping[str, Any]) -> bool:
        """Whether another node has done this query page since the row was read."""
        stored = self._store.get(QUERIES, row["key"])
        return stored is not None and (stored["tries"] or 0) > row["tries"]

    def put_back(self, row: Row) -> None:
        """Put an unanswered query page back at the front."""
        self._waiting[row["engine"]].appendleft(row)

    def add_next_page(self, row: Mapping[str, Any], carried: Mapping[str, str]) -> Row:
        """Queue the next page of a query, with the values from this answer that its request needs; returns its row."""
        following = self.new_row(row["engine"], row["words"], row["site"] or "", row["page"] + 1, row["place"])
        following["carried"] = dict(carried)
        if row["tries"] > 1 and (known := self._store.get(QUERIES, following["key"])):
            following["tries"] = known["tries"] or 0
        self._waiting.setdefault(row["engine"], deque()).append(following)
        return following

    def refill(self, engine: str) -> None:
        """Load waiting query pages from the store that were not started here: next pages added by other nodes."""
        conditions = [Condition("crawl", "=", self._crawl), Condition("engine", "=", engine)]
        rows = self._store.select(QUERIES, [*conditions, Condition("state", "=", "waiting")])
        left = [_rewritten(row) for row in rows]
        self._waiting[engine].extend(
            sorted((row for row in left if (row["key"], row["tries"]) not in self._started), key=_in_order)
        )

    def waiting(self) -> dict[str, int]:
        return {engine: len(rows) for engine, rows in self._waiting.items()}


def _rewritten(row: Row) -> Row:
    """The columns that this class writes; other columns belong to other writers."""
    return {name: row[name] for name in _REWRITTEN} | {"tries": row["tries"] or 0, "site": row["site"] or ""}


def _in_order(row: Row) -> tuple[int, int]:
    return row["page"], row["place"] or 0


def query_yields(store: Store, topic: str) -> dict[tuple[str, str], float]:
    """Relevant pages per page of results, relative to the average query page, by words and site, and by ("", site).

    While no page has a relevance, new results are counted instead. Each mean is smoothed with one average page.
    """
    rows = [
        row
        for row in store.select(QUERIES, [Condition("topic", "=", topic)], columns=_YIELD_COLUMNS)
        if row["state"] in _ANSWERED
    ]
    gain = "relevant" if any(row["relevant"] for row in rows) else "new"
    gains: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        site = row["site"] or ""
        for key in {(row["words"], site), ("", site)} - {("", "")}:
            gains[key][0] += row[gain] or 0
            gains[key][1] += 1
    mean = sum(row[gain] or 0 for row in rows) / max(1, len(rows))
    if not mean:
        return {}
    return {key: (got + mean) / (pages + 1) / mean for key, (got, pages) in gains.items()}

"""From what the meta-search is asked for to its terms, its engines and their queries."""

import os
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from crawler.config.arguments import ArgumentError, SearchArguments
from crawler.config.topics import topic_path
from crawler.config.yaml_file import settings_folder
from crawler.engines.base import About, Engine, KeyMissingError, Query
from crawler.engines.catalog import read_catalog
from crawler.metasearch.queries import Terms
from crawler.metasearch.terms import read_terms
from crawler.proxies.sources import ProxyError, read_list

_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}


def wanted(asked: SearchArguments, settings: BaseSettings) -> tuple[Terms, dict[str, Engine]]:
    """Terms, and engines by their names in the order in which they are asked.

    Raises ValueError with a sentence for a person: a file that cannot be used, an engine that is not there, a missing
    key, a list of proxies that cannot be read.
    """
    folder = settings_folder(settings)
    terms = read_terms(Path(asked.terms) if asked.terms else topic_path(folder, asked.topic))
    engines = read_catalog(folder / "engines").chosen(asked.engines, settings.getlist("METASEARCH_ENGINES"))
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


def query_of(row: Mapping[str, Any], about: About, asked: SearchArguments, usual: str = "zh") -> Query:
    """The query of a row: the run's language and day, else the engine's own, else the usual language."""
    since = asked.since
    if since is None and about.time_range:
        since = date.today() - timedelta(days=_DAYS[about.time_range])
    return Query(
        row["words"],
        row["page"],
        row["site"],
        since,
        asked.language or about.language or usual,
        row.get("carried") or {},
    )

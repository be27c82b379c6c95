"""The terms, engines and queries of a meta-search, from its arguments and settings."""

import os
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from crawler.config.arguments import ArgumentError, SearchArguments
from crawler.config.topics import topic_path
from crawler.config.yaml_file import settings_folder
from crawler.engines.catalog import read_catalog
from crawler.engines.protocol.engine import About, Engine, KeyMissingError, Query
from crawler.metasearch.queries import SearchTerms, read_search_terms
from crawler.proxies.sources import ProxyError, read_list

_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}


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

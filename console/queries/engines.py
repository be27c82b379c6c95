"""The query pages of a meta-search by term and engine: state and results."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from scrapy.settings import BaseSettings

from console.frame.paging import Cursor, Part, in_order, part
from crawler.config.yaml_file import DeclarationError, settings_folder
from crawler.engines.catalog import EngineCatalog, read_catalog
from pipelines.stores.base import Condition, MutableRow, Order, Store, each_value
from pipelines.stores.tables import ENGINE_BACKOFFS, QUERIES, RESULTS, RUNS

STATES = ("layout_changed", "blocked", "failed", "waiting", "results", "none")
"""Of several query pages in one cell, the first of these is shown."""
SORTS = ("relevant", "new", "words")
BY_ENGINE = [Order("engine"), Order("words"), Order("key")]
_EARNED = ("results", "new", "relevant")
_COLUMNS = ("engine", "words", "state", *_EARNED)
_QUERY_COLUMNS = ("key", "engine", "words", "site", "page", "state", "reason", "asked_at", "tries", *_EARNED)
MAX_READ = 6_000
_MAX_CRAWLS = 200
_MAX_ENGINES = 200
_RUNS_LOOKED_AT = 50
_ROWS_SHOWN = 25
_SAMPLES = 3


def crawls(store: Store) -> list[str]:
    """Names of crawls that have queries."""
    return list(islice(each_value(store, QUERIES, "crawl"), _MAX_CRAWLS))


def newest(store: Store, known: Sequence[str]) -> str:
    """The crawl with the latest run; "" if there is none."""
    runs = store.select(RUNS, (), [Order("started", True)], _RUNS_LOOKED_AT, ["arguments"])
    names = (str((row["arguments"] or {}).get("crawl", "")) for row in runs)
    return next((name for name in names if name in known), known[0] if known else "")


def tally(store: Store, crawl: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]], int]:
    """Engines and terms of a crawl with what they earned, and how many query pages were read for it; 6,000 at most.

    Both have `states` (query pages by state), results, new and relevant; terms have `cells`: the same by engine.
    """
    engines: dict[str, dict[str, Any]] = {}
    terms: dict[str, dict[str, Any]] = {}
    looked = 0
    for row in store.select(QUERIES, [Condition("crawl", "=", crawl)], limit=MAX_READ, columns=_COLUMNS):
        looked += 1
        term = terms.setdefault(row["words"], {"words": row["words"], "cells": {}} | _nothing())
        cell = term["cells"].setdefault(row["engine"], _nothing())
        for each in (engines.setdefault(row["engine"], {"engine": row["engine"]} | _nothing()), term, cell):
            each["states"][row["state"]] += 1
            for name in _EARNED:
                each[name] += row[name] or 0
    for term in terms.values():
        for cell in term["cells"].values():
            cell["state"] = next((state for state in STATES if cell["states"][state]), "waiting")
    return sorted(engines.values(), key=lambda each: each["engine"] or ""), list(terms.values()), looked


def _nothing() -> dict[str, Any]:
    return {"states": Counter[str](), "results": 0, "new": 0, "relevant": 0}


def shown_terms(
    terms: Iterable[Mapping[str, Any]], params: Mapping[str, Any], after: Cursor = ()
) -> tuple[list[Mapping[str, Any]], Cursor]:
    """Those that the filters let through, the best first, behind a place; and the place of the last one if there are more."""
    text, state = params.get("q", "").casefold(), params.get("state")
    kept = [
        (_place(each, params.get("sort", "relevant")), each)
        for each in terms
        if text in each["words"].casefold() and (not state or each["states"][state])
    ]
    left = sorted((pair for pair in kept if not after or pair[0] > after), key=lambda pair: pair[0])
    shown = left[:_ROWS_SHOWN]
    return [each for _, each in shown], shown[-1][0] if len(left) > len(shown) else ()


def _place(term: Mapping[str, Any], sort: str) -> tuple[int, int, str]:
    first = {"relevant": (-term["relevant"], -term["new"]), "new": (-term["new"], -term["relevant"]), "words": (0, 0)}
    return (*first[sort], term["words"])


def described(settings: BaseSettings, found: Iterable[dict[str, Any]], store: Store) -> tuple[list[MutableRow], str]:
    """Engines with queries and those that a search would ask, each with `use` (asked, off or not), the names of keys that it
    misses, and its backoff; and what is wrong with a file of engines."""
    rows = {row["engine"]: row for row in found}
    try:
        catalog = read_catalog(settings_folder(settings) / "engines")
    except DeclarationError as error:
        catalog, fault = EngineCatalog({}), str(error)
    else:
        fault = ""
    usual = {name for name in (*settings.getlist("METASEARCH_ENGINES"), *catalog.on) if name not in catalog.off}
    for name in sorted(usual & catalog.engines.keys()):
        rows.setdefault(name, {"engine": name} | _nothing())
    backoffs = {row["engine"]: row for row in store.select(ENGINE_BACKOFFS, limit=_MAX_ENGINES)}
    for name, row in rows.items():
        engine, backoff = catalog.engines.get(name), backoffs.get(name, {})
        row["use"] = "asked" if name in usual else "off" if name in catalog.off else "not"
        row["missing"] = [key for key in engine.about.needs if not os.environ.get(key)] if engine else []
        row["blocks"], row["until"] = backoff.get("blocks") or 0, backoff.get("until") or 0.0
    return list(rows.values()), fault


def in_backoff(store: Store, now: float, most: int) -> int:
    """The number of engines in backoff after a block."""
    return store.count(ENGINE_BACKOFFS, [Condition("until", ">", now)], most)


def queries(store: Store, params: Mapping[str, Any], after: Cursor = ()) -> Part:
    """Query pages of a crawl, an engine, a term or a state, each with its first results in `samples`."""
    where = [Condition(name, "=", params[name]) for name in ("crawl", "engine", "words", "state") if name in params]
    found = part(in_order(store, QUERIES, where, BY_ENGINE, after, _QUERY_COLUMNS), BY_ENGINE, size=_ROWS_SHOWN)
    for row in found.rows:
        columns = ("url", "title", "state", "rank")
        row["samples"] = list(store.select(RESULTS, [Condition("query", "=", row["key"])], (), _SAMPLES, columns))
    return found


def ask_again(store: Store, crawl: str, engine: str) -> int:
    """Queue query pages with unreadable responses again; returns their number."""
    unread = [
        Condition("crawl", "=", crawl),
        Condition("engine", "=", engine),
        Condition("state", "=", "layout_changed"),
    ]
    count = store.count(QUERIES, unread)
    store.change(QUERIES, unread, {"state": "waiting"}).result()
    return count

"""Opens the frontier that the setting FRONTIER names, for a crawl or an operator."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from crawler.frontier.base import Frontier, ManagedFrontier

_KINDS = ("local", "shared")


def opener(settings: BaseSettings) -> Callable[[Crawler], Frontier]:
    """The function that creates the frontier from the crawler.

    FRONTIER is "local", "shared", or such a function or its import path.
    """
    kind = settings["FRONTIER"]
    make: Callable[[Crawler], Frontier] = _backend(kind).open_frontier if kind in _KINDS else load_object(kind)
    return make


def is_shared(settings: BaseSettings) -> bool:
    """Whether crawls with these settings use the shared frontier."""
    return bool(settings["FRONTIER"] == "shared")


def known_crawls(settings: BaseSettings) -> list[str]:
    """Names of the crawls that have a frontier, sorted."""
    found: list[str] = _backend(settings["FRONTIER"]).known_crawls(settings)
    return found


def open_for_operator(settings: BaseSettings, name: str, *, to_change: bool) -> ManagedFrontier:
    """The frontier of a possibly running crawl. Raises FrontierError if it must not be changed at present."""
    frontier: ManagedFrontier = _backend(settings["FRONTIER"]).open_for_operator(settings, name, to_change=to_change)
    return frontier


def check_frontier(settings: BaseSettings) -> None:
    """Raises FrontierError if crawls with these settings cannot start, ValueError for an invalid FRONTIER."""
    try:
        opener(settings)
    except (ImportError, NameError, TypeError, ValueError) as error:
        sentence = f"FRONTIER must be local, shared or the path of a function, not {settings['FRONTIER']!r}: {error}"
        raise ValueError(sentence) from None
    _backend(settings["FRONTIER"]).check(settings)


def _backend(kind: object) -> Any:
    """The module `opening` of that kind, imported on use, so that a crawl on one machine does not load a Redis client."""
    name = kind if kind in _KINDS else "local"
    return import_module(f"crawler.frontier.{name}.opening")

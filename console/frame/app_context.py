"""Shared state of the console: store, settings, accounts, clock."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from scrapy.settings import BaseSettings

from analysis.search import Finder, Searcher
from console.access.names import NameMask
from console.access.people import People
from console.access.sessions import Sessions
from console.access.throttle import Throttle
from console.config import ConsoleConfig
from pipelines.stores.base import Store
from pipelines.stores.checked import CheckedStore


@dataclass(frozen=True, slots=True)
class AppContext:
    """State shared by all requests.

    Attributes:
        now: returns the current time in UTC.
        search: searches the full-text index.
        names: masks names of people.
        weeks: the words of the week by topic, zone and day, each with when it was made on the monotonic clock.
    """

    store: Store
    settings: BaseSettings
    config: ConsoleConfig
    people: People
    sessions: Sessions
    throttle: Throttle
    now: Callable[[], datetime]
    search: Finder
    names: NameMask
    weeks: dict[tuple[str, ...], tuple[float, Mapping[str, Any]]] = field(default_factory=dict)


def utc_now() -> datetime:
    return datetime.now(UTC)


def make_app_context(
    store: Store, settings: BaseSettings, config: ConsoleConfig, now: Callable[[], datetime] = utc_now
) -> AppContext:
    store = CheckedStore(store)
    people = People(store, now)
    sessions = Sessions(store, people, now, config.session_hours)
    throttle, search = Throttle(time.monotonic), Searcher(store)
    return AppContext(store, settings, config, people, sessions, throttle, now, search, NameMask(store))

"""The MongoDB that nodes share: whether it keeps pages safe."""

from collections.abc import Iterator

from scrapy.settings import BaseSettings

from crawler.checks.finding import Finding
from pipelines.stores.base import StoreError

_OLDEST = (6, 0)
_CLOCK_SECONDS = 5.0


def mongo(settings: BaseSettings) -> list[Finding]:
    """Version, write concern, replica set, the clock; nothing where the store is a file."""
    if not str(settings["STORE"]).startswith("mongodb"):
        return []
    from pipelines.stores.mongo.store import MongoStore, ServerFacts
    from pipelines.stores.tables import TABLES

    try:
        store = MongoStore(settings["STORE"], TABLES.values())
    except StoreError:
        return []  # the check of the database says why
    try:
        facts: ServerFacts = store.server_facts()
    finally:
        store.close()
    return [*_version(facts.version), *_durability(facts.write_concern, facts.replica_set), *_clock(facts.clock_ahead)]


def _version(version: tuple[int, ...]) -> Iterator[Finding]:
    message = ".".join(map(str, version))
    if not version:
        advice = "Fine for tests; for crawls use MongoDB, or FerretDB with PostgreSQL."
        yield Finding("warning", "MongoDB version", "the server does not say its version", advice)
    elif version < _OLDEST:
        yield Finding("warning", "MongoDB version", message, "Update it to 6.0 or newer; older ones are not tried.")
    else:
        yield Finding("ok", "MongoDB version", message)


def _durability(concern: int | str, replica_set: str) -> Iterator[Finding]:
    if replica_set and concern != "majority":
        advice = "Remove w= from the store's address: when the primary is lost, so are pages that only it had."
        yield Finding("warning", "MongoDB write concern", f"w={concern}", advice)
    else:
        yield Finding("ok", "MongoDB write concern", f"w={concern}")
    if not replica_set:
        advice = "Fine if you keep copies of it; three servers in a replica set survive the loss of one."
        yield Finding("warning", "MongoDB replica set", "a single server", advice)


def _clock(seconds: float) -> Iterator[Finding]:
    if abs(seconds) > _CLOCK_SECONDS:
        advice = "Let both machines keep time by NTP: times of fetching and runs are this machine's."
        yield Finding("warning", "Clock", f"the database server's is {seconds:+.0f} s off ours", advice)

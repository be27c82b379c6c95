"""Opens the title index from the settings, the store and the snapshot."""

import uuid
from collections.abc import Callable
from pathlib import Path

from scrapy.settings import BaseSettings

from extractors.titles import Rules
from extractors.topic.words import Segmenter
from pipelines.lease import Lease
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import PROPAGATION
from pipelines.titles.body_judge import BodyJudge
from pipelines.titles.comparer import TitleComparer
from pipelines.titles.decider import TitleDecider
from pipelines.titles.snapshot_file import read_snapshot
from pipelines.titles.title_requests import entry_of

JOB = "titles"
_COLUMNS = ("page", "title", "url", "site", "published", "published_at", "by_title", "place")
_RENEW_TITLES = 1_000
"""Titles between two renewals of the lease."""


def new_comparer(settings: BaseSettings) -> TitleComparer:
    """An empty index with the threshold, rules and segmenter of the settings; ValueError for invalid settings."""
    rules = Rules(
        numbers=settings.getbool("TITLES_COMPARE_NUMBERS", True),
        window_days=int(_number(settings, "TITLES_WINDOW_DAYS", 0)),
        wording=settings.getbool("TITLES_COMPARE_LETTERS", True),
        lower_threshold=_number(settings, "TITLES_LOWER_THRESHOLD", 0.5),
    )
    return TitleComparer(
        _number(settings, "TITLES_THRESHOLD", 0.8), rules, Segmenter(settings.get("SEGMENTER", "auto"))
    )


def load(
    settings: BaseSettings, store: Store, generation: str, renew: Callable[[], None] = lambda: None
) -> tuple[TitleComparer, int]:
    """The index of the store's titles, from the snapshot and the titles after it, and the place of the latest one.

    Args:
        generation: of the order of titles, see `generation_of`. renew: called every 1,000 titles.
    """
    comparer = new_comparer(settings)
    place = read_snapshot(snapshot_path(settings), comparer, generation)
    rows = store.select(PROPAGATION, [Condition("place", ">", place)], [Order("place"), Order("page")], 0, _COLUMNS)
    for number, row in enumerate(rows):
        comparer.restore(entry_of(row), is_repost=row["by_title"] == "repost")
        place = row["place"]
        if number % _RENEW_TITLES == 0:
            renew()
    return comparer, place


def generation_of(lease: Lease) -> str:
    """The id of the order of the store's titles; "" if no title was ever decided. `scrapy titles rebuild` begins a new order."""
    return str(lease.state().get("generation") or "")


def begin_generation(lease: Lease) -> str:
    """Begin a new order of titles, so that older snapshots are not used; LeaseLostError if another process has the lease."""
    generation = uuid.uuid4().hex
    lease.state()
    lease.save({"generation": generation})
    return generation


def new_decider(
    settings: BaseSettings, store: Store, comparer: TitleComparer, place: int, confirm: Callable[[], None]
) -> TitleDecider:
    """See `TitleDecider`."""
    bodies = BodyJudge(store, compares=settings.getbool("TITLES_COMPARE_BODIES", True))
    return TitleDecider(store, comparer, bodies, place, confirm, analysing=settings.getbool("ANALYSIS_ENABLED", True))


def snapshot_path(settings: BaseSettings) -> Path:
    return Path(settings["DATA_DIR"]) / "titles.snapshot"


def check_titles(settings: BaseSettings) -> None:
    """ValueError with a remedy if the settings cannot be used to compare titles."""
    if settings.getbool("TITLES_ENABLED", True):
        new_comparer(settings)


def _number(settings: BaseSettings, name: str, default: float) -> float:
    try:
        return float(settings.getfloat(name, default))
    except (TypeError, ValueError):
        raise ValueError(f"{name} is a number, not {settings[name]!r}") from None

"""Pages dated 1990 and of random old dates in a growing store: the CPU of an analysis."""

import random
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from analysis import running
from analysis.events.store import JOB
from benchmarks.attacks import Trial, outcome
from benchmarks.insight import made_page
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from pipelines.waiting import waiting_rows

_SIZES = (3_000, 6_000)
_MAX_SECONDS = 1.0
"""CPU of one page dated 1990."""
_MAX_GROWTH = 1.5
"""Of that CPU for a store of twice the size."""
_RANDOM_DATES = 200
_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
_STORE_DAYS = 300


def attack(folder: Path, trial: Trial) -> str:
    """One page of 1990 in stores of two sizes, then many of random dates, which may cost what a store of that size costs."""
    rng, spent = trial.chance(), list[float]()
    with patch.object(running, "STEPS", {JOB: running.STEPS[JOB]}):
        for size in _SIZES:
            with closing(open_store(f"sqlite:///{folder}/{size}.db")) as store:
                whole = _analyse(
                    store, [_page(n, _BEGIN + timedelta(days=_STORE_DAYS * n / size), rng) for n in range(size)]
                )
                spent.append(_analyse(store, [_page(size, datetime(1990, 5, 1, tzinfo=UTC), rng)]))
                dates = [_BEGIN - timedelta(days=rng.uniform(-_STORE_DAYS, 15_000)) for _ in range(_RANDOM_DATES)]
                many = _analyse(store, [_page(size + 1 + n, at, rng) for n, at in enumerate(dates)])
    return outcome(
        f"CPU of the page of 1990: {spent[0]:.2f} s in a store of {_SIZES[0]:,} pages, {spent[1]:.2f} s in one of {_SIZES[1]:,}; of "
        f"{_RANDOM_DATES} pages of random dates {many:.1f} s, of all {_SIZES[1]:,} {whole:.1f} s",
        "too slow" if spent[0] > _MAX_SECONDS else "",
        "grows with the store" if spent[1] > _MAX_GROWTH * spent[0] + 0.1 else "",
        "random dates cost more than the store" if many > whole else "",
    )


def _page(number: int, at: datetime, rng: random.Random) -> dict[str, Any]:
    row = dict(made_page(number, rng, in_order=True).row or {})
    seen = max(at, _BEGIN).isoformat(timespec="seconds")
    published = at.isoformat(timespec="seconds")
    return row | {"url": f"http://{row['host']}/{number}", "language": "zh", "published": published,
                  "published_at": published, "first_seen": seen, "fetched_at": seen}  # fmt: skip


def _analyse(store: Store, pages: list[dict[str, Any]]) -> float:
    """Seconds of CPU until these pages are analysed."""
    store.write([*((PAGES, page) for page in pages), *waiting_rows([page["key"] for page in pages])]).result()
    begun = time.process_time()
    running.run(store)
    return time.process_time() - begun

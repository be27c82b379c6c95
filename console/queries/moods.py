"""The mood of what people wrote under the pages of an event."""

from collections.abc import Iterator
from itertools import islice
from math import sqrt
from typing import Any

from analysis.mood import classify_mood, spread_of
from analysis.mood.classify import Label
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import RECORDS

LABELS: tuple[Label, ...] = ("negative", "neutral", "positive", "unsure")
_PAGES = 60
_POSTS_A_PAGE = 30
MOST_POSTS = 300
_LETTERS = 600
_Z = 1.96


def mood(store: Store, event: str) -> dict[str, Any]:
    """How many of the comments are of which mood, with the half of the 95 % interval of each share.

    Comments of the pages that have most of them are read, thirty of a page and 300 in all.
    """
    counts = spread_of(classify_mood(text).label for text in islice(_texts(store, event), MOST_POSTS)).texts
    total = sum(counts.values())
    rows = [{"label": label, "count": counts[label], **_share(counts[label], total)} for label in LABELS]
    return {"total": total, "rows": rows}


def _share(count: int, total: int) -> dict[str, float]:
    share = count / total if total else 0.0
    return {"share": round(share, 4), "half": round(_Z * sqrt(share * (1 - share) / total), 4) if total else 0.0}


def _texts(store: Store, event: str) -> Iterator[str]:
    where = [Condition("event", "=", event), Condition("comments", ">", 0)]
    for row in store.select(MEMBERS, where, [Order("comments", True)], _PAGES, ("page",)):
        wanted = [Condition("page", "=", row["page"])]
        for post in store.select(RECORDS, wanted, limit=_POSTS_A_PAGE, columns=("text", "is_first")):
            if post["text"] and not post["is_first"]:
                yield post["text"][:_LETTERS]

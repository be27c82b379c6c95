"""Mood of the comments on an event's pages."""

from math import sqrt
from typing import Any

from analysis.events.store.moods import event_mood
from analysis.mood import Label
from pipelines.stores.base import Store

LABELS: tuple[Label, ...] = ("negative", "neutral", "positive", "unsure")
_Z = 1.96


def mood(store: Store, event: str) -> dict[str, Any]:
    """Comments by mood, with half the 95 % interval of each share."""
    counts = event_mood(store, event).texts
    total = sum(counts.values())
    rows = [{"label": label, "count": counts[label], **_share(counts[label], total)} for label in LABELS]
    return {"total": total, "rows": rows}


def _share(count: int, total: int) -> dict[str, float]:
    share = count / total if total else 0.0
    return {"share": round(share, 4), "half": round(_Z * sqrt(share * (1 - share) / total), 4) if total else 0.0}

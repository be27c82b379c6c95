"""What earlier queries have brought, from the store."""

from collections import defaultdict

from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import QUERIES

_COLUMNS = ("words", "site", "state", "new", "relevant")
_ANSWERED = ("results", "none", "layout_changed")


def yields_of(store: Store, topic: str) -> dict[tuple[str, str], float]:
    """Relevant pages (new results as long as no page was judged) for each page of results, against the average of all.

    By words and site, and by ("", site). Few pages say little: each mean counts one more page that brought the average.
    """
    rows = [
        row
        for row in store.select(QUERIES, [Condition("topic", "=", topic)], columns=_COLUMNS)
        if row["state"] in _ANSWERED
    ]
    gain = "relevant" if any(row["relevant"] for row in rows) else "new"
    brought: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        site = row["site"] or ""
        for key in {(row["words"], site), ("", site)} - {("", "")}:
            brought[key][0] += row[gain] or 0
            brought[key][1] += 1
    mean = sum(row[gain] or 0 for row in rows) / max(1, len(rows))
    if not mean:
        return {}
    return {key: (got + mean) / (pages + 1) / mean for key, (got, pages) in brought.items()}

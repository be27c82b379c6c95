"""What pages show live: numbers of runs, and whether there is news."""

from collections.abc import Mapping
from typing import Any

from console.frame.desk import Desk
from console.queries.runs import recent_numbers
from console.queries.today import news


def look(desk: Desk) -> Mapping[str, Any]:
    """One small look at the store for everybody who watches."""
    now = desk.now()
    return {"runs": recent_numbers(desk.store, now), "today": news(desk.store, now)}

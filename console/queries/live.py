"""Live data of pages: run counters and change markers."""

from collections.abc import Mapping
from typing import Any

from console.frame.app_context import AppContext
from console.queries.runs import recent_numbers
from console.queries.today import news


def look(app_context: AppContext) -> Mapping[str, Any]:
    """One cheap poll of the store, shared by all clients."""
    now = app_context.now()
    return {"runs": recent_numbers(app_context.store, now), "today": news(app_context.store, now)}

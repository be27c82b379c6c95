"""Positions in the stream of pages whose decisions may be stale, and how far each reaches."""

from collections.abc import Iterable
from datetime import datetime, timedelta

Position = tuple[str, str]
"""Instant and key of a page, the sort key; without a key: everything from this instant on."""
START: Position = ("", "")
"""Before every page."""
END = "9999"
"""After every instant."""


def apart(doubts: Iterable[Position], days: int) -> list[Position]:
    """The doubts in order, without those that follow another one within this time: a repair from that one reaches them."""
    kept: list[Position] = []
    for doubt in sorted(doubts):
        if not kept or doubt[0] > later(kept[-1], days):
            kept.append(doubt)
    return kept


def later(position: Position, days: int) -> str:
    """The instant so much after a position; the end of time after one without a page, from which everything is doubted."""
    if not position[1]:
        return END
    try:
        return (datetime.fromisoformat(position[0]) + timedelta(days=days)).isoformat()
    except OverflowError:
        return END


def earlier(at: str, days: float) -> str:
    """The instant so much before another one; "" before the first year."""
    try:
        return (datetime.fromisoformat(at) - timedelta(days=days)).isoformat()
    except OverflowError:
        return ""

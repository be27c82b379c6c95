"""Short queues that have tails all the same."""

from functools import reduce

import pytest

from crawler.frontier.shared import server, tails

LIMITS = "IN_HEADS, SHORTEST_HEAD, LONGEST_HEAD = 4000000, 64, 1024"
ROOM = "FULL, MOST_BLOCKS = 448, 32"


@pytest.fixture
def short_heads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heads of at most eight requests, blocks of at most six."""
    text = server.script_text
    assert LIMITS in text("tails")
    assert ROOM in text("tails")
    fewer = [(LIMITS, LIMITS.replace("4000000, 64, 1024", "1, 8, 8")), (ROOM, ROOM.replace("448, 32", "4, 2"))]
    monkeypatch.setattr(
        server, "script_text", lambda name: reduce(lambda lua, pair: lua.replace(*pair), fewer, text(name))
    )
    monkeypatch.setattr(tails, "MAX_REQUESTS", 6)
    monkeypatch.setattr(tails, "_MIN_REQUESTS", 2)

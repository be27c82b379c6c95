"""Short queues that are packed all the same."""

from functools import reduce

import pytest

from crawler.frontier.shared import server
from crawler.frontier.shared.overflow import changes

LIMITS = "IN_HEADS, SHORTEST_HEAD, LONGEST_HEAD = 2400000, 24, 1024"
ROOM = "FULL, MOST_BLOCKS = 448, 32"


def change_scripts(monkeypatch: pytest.MonkeyPatch, *edits: tuple[str, str, str]) -> None:
    """Some numbers of the scripts' constants: the line, the numbers in it, others."""
    text = server.script_text
    assert all(line in text("overflow") for line, _, _ in edits)
    pairs = [(line, line.replace(numbers, others)) for line, numbers, others in edits]
    monkeypatch.setattr(
        server, "script_text", lambda name: reduce(lambda lua, pair: lua.replace(*pair), pairs, text(name))
    )


@pytest.fixture
def short_heads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heads of at most eight requests, blocks of at most twelve, which are divided when they are unpacked."""
    change_scripts(monkeypatch, (LIMITS, "2400000, 24, 1024", "1, 8, 8"), (ROOM, "448, 32", "10, 2"))
    monkeypatch.setattr(changes, "MAX_REQUESTS", 12)
    monkeypatch.setattr(changes, "_MIN_REQUESTS", 2)
    monkeypatch.setattr(changes, "_UNPACKS", 1)


@pytest.fixture
def shortest_heads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heads as short as where a crawl has very many hosts."""
    change_scripts(monkeypatch, (LIMITS, "2400000", "1"))

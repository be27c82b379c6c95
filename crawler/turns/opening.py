"""Opens the turns that crawls with these settings share: a file in DATA_DIR, or Redis beside a shared frontier."""

from pathlib import Path
from typing import Protocol

from scrapy.settings import BaseSettings

from crawler.turns.host_turn import HostTurn
from crawler.turns.local_turns import LocalTurns


class HostTurns(Protocol):
    """The order of turns at a host. Nothing is reserved for waiting processes, so a killed one costs others one delay and its places."""

    async def take(self, turn: HostTurn) -> float:
        """Returns 0 if the turn is taken, else the seconds after which to try once more. Without a usable store it is always taken."""

    async def end(self, turn: HostTurn) -> None:
        """Its request was answered or has failed."""

    def close(self) -> None:
        """Nothing is taken any more."""


def open_turns(settings: BaseSettings) -> HostTurns:
    """Never raises: what cannot be opened is logged by the first turn."""
    if settings["FRONTIER"] != "shared":
        return LocalTurns(Path(settings["DATA_DIR"]) / "turns.db")
    from crawler.turns.shared_turns import SharedTurns  # a crawl on one machine loads no Redis client
    from pipelines.redis_client import connect

    return SharedTurns(lambda: connect(settings), f"{settings.get('REDIS_PREFIX', '')}turn:")

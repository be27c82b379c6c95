"""Backoff of engines that blocked: it doubles with each block in a row, and the first answer ends it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from crawler.engines.protocol.engine import About


@dataclass(slots=True)
class _State:
    blocks: int = 0
    until: float = 0.0
    last_request: float = 0.0


class EngineBackoff:
    """Which engine may get a request when; times are seconds since 1970 by `clock`, so that nodes agree."""

    def __init__(self, abouts: Iterable[About], clock: Callable[[], float]) -> None:
        self._abouts = {about.name: about for about in abouts}
        self._states = {name: _State() for name in self._abouts}
        self._clock = clock

    def wait(self, name: str) -> float:
        """Seconds until the engine may get a request; 0 if now."""
        state = self._states[name]
        return max(0.0, state.until - self._clock(), state.last_request + self._abouts[name].delay - self._clock())

    def left(self, name: str) -> float:
        """Remaining seconds of its backoff; 0 without one."""
        return max(0.0, self._states[name].until - self._clock())

    def on_request(self, name: str) -> None:
        """Note that a request was sent."""
        self._states[name].last_request = self._clock()

    def on_block(self, name: str, retry_after: float = 0.0) -> dict[str, Any]:
        """Double the backoff up to the engine's limit, or wait for Retry-After if that is longer; a row to store."""
        about, state = self._abouts[name], self._states[name]
        doubled = min(about.backoff * 2.0 ** min(state.blocks, 30), about.max_backoff)
        state.blocks += 1
        state.until = self._clock() + max(doubled, min(retry_after, about.max_backoff))
        return self.row(name)

    def on_answer(self, name: str) -> dict[str, Any] | None:
        """End the backoff; a row to store if there was one."""
        state = self._states[name]
        if not state.blocks:
            return None
        state.blocks, state.until = 0, 0.0
        return self.row(name)

    def row(self, name: str) -> dict[str, Any]:
        """What other nodes and later runs must know."""
        state = self._states[name]
        return {"engine": name, "blocks": state.blocks, "until": state.until}

    def merge(self, row: Mapping[str, Any]) -> None:
        """Take over the row of another node or an earlier run if its backoff ends later; ignores engines not in use."""
        state = self._states.get(row["engine"])
        if state is not None and (row["until"] or 0.0) > state.until:
            state.blocks, state.until = int(row["blocks"] or 0), float(row["until"])

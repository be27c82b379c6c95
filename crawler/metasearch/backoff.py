"""Engines that have blocked rest, each as long as its bans last; the first answer ends the back-off."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from crawler.engines.base import About


@dataclass(slots=True)
class _Rest:
    blocks: int = 0
    until: float = 0.0
    asked: float = 0.0


class Resting:
    """Who may be asked when; times are seconds since 1970 by `clock`, so that nodes agree."""

    def __init__(self, abouts: Iterable[About], clock: Callable[[], float]) -> None:
        self._abouts = {about.name: about for about in abouts}
        self._rests = {name: _Rest() for name in self._abouts}
        self._clock = clock

    def wait(self, name: str) -> float:
        """Seconds until the engine may be asked again; 0 if now."""
        rest = self._rests[name]
        return max(0.0, rest.until - self._clock(), rest.asked + self._abouts[name].delay - self._clock())

    def rest_left(self, name: str) -> float:
        """Seconds that are left of its rest; 0 if it has none."""
        return max(0.0, self._rests[name].until - self._clock())

    def asked(self, name: str) -> None:
        """A request has gone out."""
        self._rests[name].asked = self._clock()

    def blocked(self, name: str, retry_after: float = 0.0) -> dict[str, Any]:
        """A row to store. The rest doubles with each block in a row, up to the engine's longest; Retry-After may be longer."""
        about, rest = self._abouts[name], self._rests[name]
        seconds = max(min(about.rest * 2.0 ** min(rest.blocks, 30), about.max_rest), min(retry_after, about.max_rest))
        rest.blocks += 1
        rest.until = self._clock() + seconds
        return self.row(name)

    def answered(self, name: str) -> dict[str, Any] | None:
        """A row to store if the engine had been blocking; None else."""
        rest = self._rests[name]
        if not rest.blocks:
            return None
        rest.blocks, rest.until = 0, 0.0
        return self.row(name)

    def row(self, name: str) -> dict[str, Any]:
        """What other nodes and later runs must know."""
        rest = self._rests[name]
        return {"engine": name, "blocks": rest.blocks, "until": rest.until}

    def load(self, row: Mapping[str, Any]) -> None:
        """What another node or an earlier run has seen later than this one; engines that are not in use are passed over."""
        rest = self._rests.get(row["engine"])
        if rest is not None and (row["until"] or 0.0) > rest.until:
            rest.blocks, rest.until = int(row["blocks"] or 0), float(row["until"])

"""What stored titles that are not new were found to be, so that a page that enters again is told the same."""

from bisect import bisect_left
from typing import Any, get_args

import numpy as np

from extractors.titles import Match, Rule
from extractors.titles.columns import Column

_RULES: tuple[Rule, ...] = get_args(Rule)
_KINDS = {"positions": np.uint32, "matched": np.uint32, "cosines": np.float64, "rules": np.uint8}


class Links:
    """By position, ascending: the position that was matched, the cosine, and the rule that objected ("" for a repost)."""

    def __init__(self) -> None:
        self._columns = {name: Column(kind) for name, kind in _KINDS.items()}

    def add(self, position: int, found: Match) -> None:
        """Note what the title that is stored next was found to be; nothing for a new one."""
        if found.position >= 0:
            values = (position, found.position, found.cosine, _RULES.index(found.rule))
            for column, value in zip(self._columns.values(), values, strict=True):
                column.append(value)

    def found(self, position: int) -> Match:
        """What the title at this position was found to be when it was stored."""
        positions, matched, cosines, rules = (column.view for column in self._columns.values())
        size = len(self._columns["positions"])
        at = bisect_left(positions, position, 0, size)
        if at == size or positions[at] != position:
            return Match("new")
        rule = _RULES[rules[at]]
        return Match("suspected" if rule else "repost", matched[at], cosines[at], rule)

    def state(self) -> dict[str, bytes]:
        """All of them as bytes."""
        return {name: column.filled().tobytes() for name, column in self._columns.items()}

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> "Links":
        """Those that gave this state; KeyError or ValueError for another."""
        links = cls()
        for name, kind in _KINDS.items():
            links._columns[name].extend(np.frombuffer(state[name], kind))
        if len({len(column) for column in links._columns.values()}) > 1:
            raise ValueError("links of titles do not fit")
        return links

"""Attacks on a crawl, its console and its analysis, one a module. `python -m benchmarks.attacks` runs all and prints which hold.

A module's docstring says what is attacked; its `attack(folder, trial)` uses an empty folder and returns what `outcome` makes of it, or ""
if it holds, or `SKIPPED` and why it cannot be tried here.
"""

import random
from dataclasses import dataclass

SKIPPED = "skipped"
HOLDS = "holds"


@dataclass(frozen=True, slots=True)
class Trial:
    """What varies: variations come from the seed. `pages` of large stores, `seconds` of long pressure."""

    seed: int = 1
    pages: int = 100_000
    seconds: float = 60.0

    def chance(self) -> random.Random:
        """The same numbers for the same seed."""
        return random.Random(self.seed)


def outcome(figures: str, *faults: str) -> str:
    """The figures, and the faults found; empty faults count as none."""
    found = "; ".join(filter(None, faults))
    return f"{found}; {figures}" if found else f"{HOLDS} {figures}"

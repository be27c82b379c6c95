"""Attacks on a crawl, its console and its analysis, one a module. `python -m benchmarks.attacks` runs all and prints which hold.

A module's docstring says what is attacked; its `attack(folder, trial)` uses an empty folder and returns what `outcome` makes of it, or ""
if it holds, or `SKIPPED` and why it cannot be tried here.
"""

import random
import resource
import tempfile
import traceback
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

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


def attacked(name: str, trial: Trial) -> tuple[str, str, int]:
    """What is attacked, the result, and the megabytes of the largest process; an error of the attack itself is a fault too."""
    module = import_module(f"benchmarks.attacks.{name}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            result = str(module.attack(Path(folder), trial))
        except Exception as error:
            traceback.print_exc()
            result = f"not finished: {type(error).__name__}: {error}"
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    return (module.__doc__ or name).splitlines()[0], result, memory

"""A page as fetched, of random markup shapes up to 5 MB: its CPU grows at most 2.5 times with each doubling, and is bounded."""

import resource
from itertools import pairwise
from pathlib import Path

from benchmarks.attacks import Trial, outcome
from console.queries.inert_page import inert_apart
from extractors.apart import ApartError
from testbed.hostile.markup import grown, piece

_SHAPES, _SIZES = 15, (1_250_000, 2_500_000, 5_000_000)
_MAX_RATIO, _MAX_CPU_SECONDS = 2.5, 12.0
_NOISE_SECONDS = 0.05
"""Smaller differences say nothing on a busy machine."""


def attack(folder: Path, trial: Trial) -> str:
    """Each shape at three sizes; a page that is refused at its limits counts by what that cost."""
    chance, worst, most, refused = trial.chance(), 0.0, 0.0, 0
    steepest = ""
    for _ in range(_SHAPES):
        start, repeated = piece(chance), piece(chance)
        costs = [_cost(grown(start, repeated, size)) for size in _SIZES]
        refused += sum(is_refused for _, is_refused in costs)
        seconds = [spent for spent, _ in costs]
        ratio = max(larger / (smaller + _NOISE_SECONDS) for smaller, larger in pairwise(seconds))
        worst, steepest = max((worst, steepest), (ratio, repeated))
        most = max(most, *seconds)
    figures = f"{_SHAPES} shapes, at most {worst:.2f} times a doubling, {most:.1f} s CPU for 5 MB, {refused} refused"
    return outcome(
        figures,
        f"steep: {steepest!r}" if worst > _MAX_RATIO else "",
        "without a limit" if most > _MAX_CPU_SECONDS else "",
    )


def _cost(markup: str) -> tuple[float, bool]:
    """Seconds of CPU of the process that reads it, and whether it was refused."""
    before, is_refused = _spent(), False
    try:
        inert_apart(markup.encode("utf-8", "replace"), "utf-8")
    except ApartError:
        is_refused = True
    return _spent() - before, is_refused


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime

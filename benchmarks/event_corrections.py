"""What merges and splits of people teach: python -m benchmarks.event_corrections [--shared ../shared]

On the first half of each labelled stream, everything that is wrong is corrected: an event of a happening that has one already is merged
into it, the first report of each other happening in an event is split off. The second half is then placed with the limits in use and
with the limits that these corrections have moved, from limits of .7, 1 and 1.4 times the package's. B³ over groups of two and more / F1
of pairs, of the second half.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from analysis.events import Clusters, Settings
from analysis.events.agreement import Agreement, agreement
from analysis.events.reading import ReportReading, reading_of
from analysis.events.store import EventDecision
from analysis.events.store.moved_limits import moved_by
from analysis.events.weights import KINDS
from analysis.events.window import Vector
from benchmarks.event_streams import Stream, streams

_STARTS = (0.7, 1.0, 1.4)
_COMPARED = 50
Placed = list[tuple[str, ReportReading, Vector]]


def _settings(factor: float) -> Settings:
    shipped = Settings()
    limits = {kind: getattr(shipped, kind) for kind in KINDS}
    moved: dict[str, object] = {kind: replace(each, event=each.event * factor) for kind, each in limits.items()}
    return replace(shipped, **moved)


def _placed(readings: Sequence[ReportReading], settings: Settings, half: int, factor: float) -> Placed:
    clusters, found = Clusters(settings), Placed()
    for n, reading in enumerate(readings):
        placing, vector = clusters.place(str(n), reading, factor if n >= half else 1.0)
        found.append((placing.event, reading, vector))
    return found


def _corrections(placed: Placed, labels: Sequence[str], settings: Settings) -> Iterator[EventDecision]:
    members, homes = defaultdict[str, list[int]](list), dict[str, list[int]]()
    for n, (event, _, _) in enumerate(placed):
        members[event].append(n)

    def made(action: str, first: int, earlier: Sequence[int]) -> EventDecision:
        clusters = Clusters(settings)
        for n in earlier[-_COMPARED:]:
            clusters.restore(*placed[n][1:], "", "")
        return EventDecision("", "merge" if action == "merge" else "split", "", "", "", "", f"{first:06}",
                             clusters.nearness(*placed[first][1:]))  # fmt: skip

    for numbers in members.values():
        label = Counter(labels[n] for n in numbers).most_common(1)[0][0]
        if earlier := [n for n in homes.setdefault(label, numbers) if n < numbers[0]]:
            yield made("merge", numbers[0], earlier)
        for other in {labels[n] for n in numbers} - {label}:
            first = next(n for n in numbers if labels[n] == other)
            if earlier := [n for n in numbers if n < first and labels[n] != other]:
                yield made("split", first, earlier)


def corrected(stream: Stream, start: float) -> tuple[Agreement, Agreement, float]:
    """The second half with these limits, and with the moved ones; and the factor of these."""
    readings, half, settings = [reading_of(each) for each in stream.reports], len(stream.reports) // 2, _settings(start)
    before = _placed(readings, settings, half, 1.0)
    moved = moved_by(list(_corrections(before[:half], stream.events[:half], settings)))
    factor = moved[-1][2] if moved else 1.0
    after = _placed(readings, settings, half, factor)
    one, other = (agreement(stream.events[half:], [event for event, _, _ in each[half:]]) for each in (before, after))
    return one, other, factor


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--shared", type=Path, default=Path("../shared"))
    data = options.parse_args().shared / "data"
    if not data.is_dir():
        raise SystemExit(f"{data} is missing: the labelled streams are made of it")
    every = list(streams(data))
    print(f"| stream | {' | '.join(f'limits × {start}' for start in _STARTS)} |\n|{'---|' * (len(_STARTS) + 1)}")
    sums = np.zeros((len(_STARTS), 4))
    for stream in every:
        cells = list[str]()
        for n, start in enumerate(_STARTS):
            one, other, factor = corrected(stream, start)
            sums[n] += (one.groups, one.pairs, other.groups, other.pairs)
            cells.append(f"{one.groups:.3f}/{one.pairs:.3f} → {other.groups:.3f}/{other.pairs:.3f} (× {factor:.2f})")
        print(f"| {stream.name} | {' | '.join(cells)} |", flush=True)
    means = ("{:.3f}/{:.3f} → {:.3f}/{:.3f}".format(*row / len(every)) for row in sums)
    print(f"| mean | {' | '.join(means)} |")


if __name__ == "__main__":
    main()

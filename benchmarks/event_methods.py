"""Events beside simple methods: python -m benchmarks.event_methods [--shared ../shared]

Single pass, DBSCAN and average link get cosines of TF-IDF whose rarity is counted over the whole stream, and of each stream that limit
and span (reports further apart are not alike) which are best on the other streams. B³ over groups of two and more / F1 of pairs; in
brackets the middle 90 % of the difference to average link, by drawing the labelled events again. Limits of ours are those that are
shipped.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.events import Clusters
from analysis.events.agreement import Agreement, agreement
from benchmarks.event_rivals import average_link, dbscan, single_pass
from benchmarks.event_streams import Stream, likeness, streams

_METHODS: dict[str, Callable[[NDArray[np.float64], float], list[int]]] = {
    "single pass": single_pass, "DBSCAN": dbscan, "average link": average_link,
}  # fmt: skip
_LIMITS = (0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.18, 0.22, 0.26, 0.3, 0.35, 0.4, 0.5, 0.6)
_SPANS = (5, 60)
_DRAWN = 200


def ours(stream: Stream) -> list[str]:
    """The events of the shipped method, online."""
    clusters = Clusters()
    return [clusters.add(report).event for report in stream.reports]


def grouped(stream: Stream, method: str) -> dict[tuple[int, float], list[str]]:
    """The groups of a method with each span and limit."""
    alike, days = likeness(stream), stream.days()
    near = {span: np.where(np.abs(days[:, None] - days[None, :]) > span, 0.0, alike) for span in _SPANS}
    return {
        (span, least): [str(each) for each in _METHODS[method](near[span], least)]
        for span in _SPANS
        for least in _LIMITS
    }


def _value(found: Agreement) -> float:
    return (found.groups + found.pairs) / 2


def transferred(every: Sequence[Stream], method: str) -> list[list[str]]:
    """The groups of each stream with what is best on the others."""
    found = [grouped(stream, method) for stream in every]
    values = [
        {key: _value(agreement(stream.events, groups)) for key, groups in each.items()}
        for stream, each in zip(every, found, strict=True)
    ]
    kept = []
    for place, each in enumerate(found):
        others = [value for at, value in enumerate(values) if at != place]
        kept.append(each[max(each, key=lambda key: sum(value[key] for value in others))])
    return kept


def difference(labels: Sequence[str], one: Sequence[str], other: Sequence[str]) -> tuple[float, float]:
    """5th and 95th percentile of how much better the first grouping is, over draws of the labelled events."""
    draw, places = np.random.default_rng(1), dict[str, list[int]]()
    for place, label in enumerate(labels):
        places.setdefault(label, []).append(place)
    events, found = list(places.values()), list[float]()
    for _ in range(_DRAWN):
        drawn = [
            (n, place) for n, at in enumerate(draw.integers(len(events), size=len(events))) for place in events[at]
        ]
        truth = [str(n) for n, _ in drawn]
        found.append(
            float(np.subtract(*(_value(agreement(truth, [groups[at] for _, at in drawn])) for groups in (one, other))))
        )
    return float(np.percentile(found, 5)), float(np.percentile(found, 95))


def table(every: Sequence[Stream]) -> str:
    """Rows of Markdown."""
    rivals = {method: transferred(every, method) for method in _METHODS}
    rows = [f"| stream | ours | {' | '.join(rivals)} |", f"|{'---|' * (len(rivals) + 2)}"]
    for place, stream in enumerate(every):
        mine, average = ours(stream), rivals["average link"][place]
        low, high = difference(stream.events, mine, average)
        cells = [agreement(stream.events, groups) for groups in (mine, *(each[place] for each in rivals.values()))]
        figures = [f"{cell.groups:.3f}/{cell.pairs:.3f}" for cell in cells]
        rows.append(f"| {stream.name} | {figures[0]} ({low:+.2f} to {high:+.2f}) | {' | '.join(figures[1:])} |")
    return "\n".join(rows)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--shared", type=Path, default=Path("../shared"))
    data = options.parse_args().shared / "data"
    if not data.is_dir():
        raise SystemExit(f"{data} is missing: the labelled streams are made of it")
    print(table(list(streams(data))))


if __name__ == "__main__":
    main()

"""Changes of hot lists: ranks now and before, items that are new or gone, one story over lists."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from math import isnan
from typing import Any

import numpy as np

from extractors.titles import TitleIndex, title_text
from pipelines.rankings import ListSeries
from pipelines.stores.base import MutableRow

_MAX_GONE, _MAX_POINTS, _MAX_STORIES, _MAX_COMPARED = 20, 60, 30, 2_000
_COMPARED_RANKS = 30
"""Items of each list that are compared with those of others."""
_text = lru_cache(maxsize=8_192)(title_text)


def list_now(series: ListSeries, hours: int) -> MutableRow:
    """A list at its last visit, against the visit `hours` hours before it, or the first one known."""
    last = len(series.at) - 1
    before = max(0, int(np.searchsorted(series.at, series.at[last] - hours * 3_600, side="right")) - 1)
    now, then = series.at_visit(last), series.at_visit(before)
    first_of, last_of = (np.zeros(len(series.items), np.int64) for _ in range(2))
    places = np.arange(len(series.item))
    first_of[series.item[::-1]], last_of[series.item] = (
        places[::-1],
        places,
    )  # of repeated indices the last value counts
    rows = [_row(series, number, rank, heat, then, first_of[number]) for number, (rank, heat) in now.items()]
    between = np.unique(series.item[series.visit >= before])
    ends = last_of[between[~np.isin(between, list(now))]]
    latest = ends[np.lexsort((series.rank[ends], -series.visit[ends]))][:_MAX_GONE]
    seen = {
        "source": series.source,
        "list": series.url,
        "at": _time(series.at[last]),
        "before": _time(series.at[before]),
    }
    return seen | {"rows": rows, "gone": [_gone(series, place) for place in latest.tolist()]}


def _row(
    series: ListSeries, number: int, rank: int, heat: float, then: dict[int, tuple[int, float]], first: int
) -> MutableRow:
    key, title, url = series.items[number]
    before = then[number][0] if number in then else None
    return {
        "item": key,
        "title": title,
        "url": url,
        "rank": rank,
        "heat": None if isnan(heat) else heat,
        "before": before,
        "risen": None if before is None else before - rank,
        "since": _time(series.at[series.visit[first]]),
    }


def _gone(series: ListSeries, place: int) -> MutableRow:
    key, title, url = series.items[int(series.item[place])]
    until = _time(series.at[series.visit[place]])
    return {"item": key, "title": title, "url": url, "rank": int(series.rank[place]), "until": until}


def stories(lists: Sequence[MutableRow]) -> list[MutableRow]:
    """Items whose titles tell the same story on several lists now, those on most lists first."""
    index, groups = TitleIndex(), list[list[tuple[str, MutableRow]]]()
    of_position: dict[int, int] = {}
    rows = [(each["source"], row) for each in lists for row in each["rows"][:_COMPARED_RANKS] if row["title"]][
        :_MAX_COMPARED
    ]
    for source, row in rows:
        text = _text(row["title"])
        match = index.search(text)
        position = index.add(text)
        group = of_position[match.position] if match.verdict == "repost" else len(groups)
        of_position[position] = group
        if group == len(groups):
            groups.append([])
        groups[group].append((source, row))
    found = [_story(group) for group in groups if len({source for source, _ in group}) > 1]
    return sorted(found, key=lambda story: (-len(story["places"]), story["places"][0]["rank"]))[:_MAX_STORIES]


def _story(group: Sequence[tuple[str, MutableRow]]) -> MutableRow:
    best = sorted(group, key=lambda each: each[1]["rank"])
    places = {source: row["rank"] for source, row in reversed(best)}
    ordered = sorted(places.items(), key=lambda each: each[1])
    first = best[0][1]
    return {
        "item": first["item"],
        "title": first["title"],
        "places": [{"source": source, "rank": rank} for source, rank in ordered],
    }


def curves(lists: Sequence[ListSeries], key: str) -> MutableRow | None:
    """The ranks over time of an item and of the same story on other lists; None if no list has the item."""
    named = next((item for series in lists for item in series.items if item[0] == key), None)
    if named is None:
        return None
    index = TitleIndex()
    index.add(_text(named[1]))
    lines = [line for series in lists for line in _lines(series, key, index)]
    return {"item": key, "title": named[1], "url": named[2], "lines": lines}


def _lines(series: ListSeries, key: str, index: TitleIndex) -> Iterator[MutableRow]:
    compared = series.items[-_MAX_COMPARED:]
    alike = [each[0] for each in compared if each[0] == key or index.search(_text(each[1])).verdict == "repost"]
    wanted = np.isin(series.item, [number for number, each in enumerate(series.items) if each[0] in alike])
    if not wanted.any():
        return
    places = np.flatnonzero(wanted)
    kept = places[np.unique(np.linspace(0, len(places) - 1, min(len(places), _MAX_POINTS)).astype(np.int64))]
    points = [{"at": _time(series.at[series.visit[place]]), "rank": int(series.rank[place])} for place in kept.tolist()]
    span = max(1, int(series.at[-1] - series.at[0]))
    for point, place in zip(points, kept.tolist(), strict=True):
        point["x"] = round(float(100 * (series.at[series.visit[place]] - series.at[0]) / span), 2)
    yield {"source": series.source, "best": int(series.rank[places].min()), "points": points}


def _time(seconds: Any) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).isoformat(timespec="seconds")

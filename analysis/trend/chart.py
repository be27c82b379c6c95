"""A trend as an SVG chart without scripts or embedded fonts."""

from collections.abc import Iterable
from datetime import timedelta, tzinfo
from html import escape

import numpy as np
from numpy.typing import NDArray

from analysis.counts import Series
from analysis.spans import LOCAL
from analysis.trend.baseline import Floats
from analysis.trend.event_spread import EventSpread
from analysis.trend.trend import Trend

WIDTH, HEIGHT = 720, 220
_LEFT, _TOP, _BOTTOM = 44, 24, 26
_MAX_BARS = 240
_LABELS = 8
_COMMA = {"en": ", ", "zh": "，"}
_PAGES = {"en": ", pages ", "zh": "，网页"}
_SITES = {"en": "; line: sites reached", "zh": "；折线：已报道的站点"}
_NONE = np.zeros(0)
_STEPS = (1, 2, 3, 4, 6, 8, 12, 24)
"""Hours of a bar; above a day, whole days."""


def trend_svg(trend: Trend, title: str, zone: tzinfo = LOCAL, language: str = "en") -> str:
    """Bars for counts, shades for bursts, and with history enough a line for what was usual and a dashed one for the forecast."""
    step = _step(len(trend.series.counts))
    counts = _summed(trend.series.counts.astype(np.float64), step)
    known = (trend.usual, trend.forecast.hours) if trend.knows_usual else (_NONE, _NONE)
    usual, ahead = (_summed(each, step) for each in known)
    plot = _plot(counts, usual, ahead)
    shades = [_shade(plot, burst.start, burst.end, len(counts), step) for burst in trend.bursts]
    lines = [*_days(plot, trend.series, step, zone), *_drawn(plot, counts, usual, ahead)]
    return _picture(title, f"{title}{_COMMA[language]}{_bar_name(step, language)}", [*shades, *_axis(plot), *lines])


def spread_svg(spread: EventSpread, title: str, zone: tzinfo = LOCAL, language: str = "en") -> str:
    """Bars for pages, a line for the sites reached until then, and a dashed line for the forecast of pages."""
    step = _step(len(spread.pages.counts))
    counts, ahead = _summed(spread.pages.counts.astype(np.float64), step), _summed(spread.forecast.hours, step)
    ends = np.minimum(np.arange(1, len(counts) + 1) * step, len(spread.sites)) - 1
    sites = spread.sites[ends].astype(np.float64)
    plot = _plot(counts, sites, ahead)
    lines = [*_axis(plot), *_days(plot, spread.pages, step, zone), *_drawn(plot, counts, sites, ahead)]
    return _picture(title, f"{title}{_PAGES[language]}{_bar_name(step, language)}{_SITES[language]}", lines)


def _picture(title: str, caption: str, parts: Iterable[str]) -> str:
    name = escape(title)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{name}" '
        f'font-family="sans-serif" font-size="11">\n<title>{name}</title>'
    )
    return "\n".join([head, *parts, f'<text x="{_LEFT}" y="14" fill="#374151">{escape(caption)}</text>', "</svg>"])


class _Plot:
    """From places and counts to points of the picture."""

    def __init__(self, places: int, highest: float) -> None:
        self.wide = (WIDTH - _LEFT - 8) / max(1, places)
        self.highest = highest
        self._tall = (HEIGHT - _TOP - _BOTTOM) / highest

    def x(self, place: float) -> float:
        return round(_LEFT + place * self.wide, 1)

    def y(self, count: float) -> float:
        return round(HEIGHT - _BOTTOM - count * self._tall, 1)


def _drawn(plot: _Plot, counts: Floats, line: Floats, ahead: Floats) -> list[str]:
    bars = [_bar(plot, place, count) for place, count in enumerate(counts.tolist()) if count]
    dashed = _line(plot, ahead, len(counts), "#1d4ed8", ' stroke-dasharray="4 3"')
    return [*bars, _line(plot, line, 0, "#b45309", ""), dashed]


def _plot(counts: Floats, line: Floats, ahead: Floats) -> _Plot:
    return _Plot(len(counts) + len(ahead), max([1.0, *counts.tolist(), *line.tolist(), *ahead.tolist()]))


def _step(hours: int) -> int:
    for step in _STEPS:
        if hours <= step * _MAX_BARS:
            return step
    return 24 * -(-hours // (24 * _MAX_BARS))


def _bar_name(step: int, language: str = "en") -> str:
    if language == "zh":
        return (
            "按小时"
            if step == 1
            else f"每 {step} 小时"
            if step < 24
            else "按天"
            if step == 24
            else f"每 {step // 24} 天"
        )
    if step == 1:
        return "by hour"
    return f"by {step} hours" if step < 24 else "by day" if step == 24 else f"by {step // 24} days"


def _summed(values: Floats, step: int) -> Floats:
    padded = np.concatenate([values, np.zeros(-len(values) % step)])
    return np.asarray(padded.reshape(-1, step).sum(axis=1))


def _shade(plot: _Plot, start: int, end: int | None, places: int, step: int) -> str:
    left, right = max(0.0, start / step), places if end is None else min(places, end / step)
    return (
        f'<rect x="{plot.x(left)}" y="{_TOP}" width="{max(1.0, round((right - left) * plot.wide, 1))}" '
        f'height="{HEIGHT - _TOP - _BOTTOM}" fill="#fde68a"/>'
    )


def _bar(plot: _Plot, place: int, count: float) -> str:
    top = plot.y(count)
    return (
        f'<rect x="{plot.x(place)}" y="{top}" width="{max(0.5, round(plot.wide * 0.85, 1))}" '
        f'height="{round(HEIGHT - _BOTTOM - top, 1)}" fill="#6b7280"/>'
    )


def _line(plot: _Plot, values: NDArray[np.float64], first: int, colour: str, style: str) -> str:
    points = " ".join(f"{plot.x(first + place + 0.5)},{plot.y(value)}" for place, value in enumerate(values.tolist()))
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"{style}/>'


def _axis(plot: _Plot) -> list[str]:
    return [
        f'<line x1="{_LEFT}" x2="{WIDTH - 8}" y1="{plot.y(value)}" y2="{plot.y(value)}" stroke="#d1d5db"/>'
        f'<text x="{_LEFT - 6}" y="{plot.y(value) + 4}" text-anchor="end" fill="#6b7280">{value:.0f}</text>'
        for value in dict.fromkeys((0, round(plot.highest / 2), round(plot.highest)))
    ]


def _days(plot: _Plot, series: Series, step: int, zone: tzinfo) -> list[str]:
    """Names of days below the picture, at most eight."""
    start, hours = series.start.astimezone(zone), len(series.counts)
    first = (-start.hour) % 24
    days = list(range(first, hours + 1, 24)) or [0]
    shown = days[:: -(-len(days) // _LABELS)]
    return [
        f'<text x="{plot.x(hour / step)}" y="{HEIGHT - 8}" fill="#6b7280">{start + timedelta(hours=hour):%m-%d}</text>'
        for hour in shown
    ]

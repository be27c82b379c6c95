"""The likelihood that the best group of a page holds records at all."""

import math

import numpy as np

from extractors.records.read import RecordReading

MIN_LIKELIHOOD = 0.25
"""Likelihood below which a page has no records."""
_LONG_CHARS = 60
"""Minimum visible characters of a text outside menus and lists."""
_ARTICLE_CHARS = 600
_NO_ARTICLE_CHARS = 200
_WEIGHTS = (1.21, -2.29, 0.81, -0.65)
_BIAS = 0.35
"""Fitted on sites that the forests have not seen by `python -m benchmarks.record_likelihood`."""


def likelihood(odds: float, reading: RecordReading) -> float:
    """The likelihood, 0 … 1, of a group that was read, with its log odds by the forest."""
    signs = signs_of(odds, reading)
    score = sum(weight * sign for weight, sign in zip(_WEIGHTS, signs, strict=True)) + _BIAS
    return 1 / (1 + math.exp(-score))


def signs_of(odds: float, reading: RecordReading) -> tuple[float, float, float, float]:
    """The log odds; the amount of long text beside a list (an article beside links to others); whether the page is only a list;
    whether there are only two records (such as an article and a box beside it)."""
    is_list = reading.layout.is_list
    outside = _text_outside(reading) if is_list else 0
    alone = is_list and outside < _NO_ARTICLE_CHARS
    return odds, math.log1p(outside / _ARTICLE_CHARS), float(alone), float(len(reading.drafts) == 2)


def _text_outside(reading: RecordReading) -> int:
    """Characters of long texts outside all records and links."""
    layout, columns = reading.layout, reading.layout.columns
    visible = layout.signals.visible
    chunks = np.flatnonzero((visible >= _LONG_CHARS) & (layout.records.outer_owner < 0))
    linked = columns.within(columns.tagged("a"))[columns.owner[chunks]]
    return int(visible[chunks[~linked]].sum())

"""Parts of times in texts: which texts have any, and how the page writes a time."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.records.signals.vocabulary import OTHER_TIME
from extractors.text.dates import find_time
from extractors.text.multi_search import contains_match

_MAX_UNREAD_CHARS = 24
"""A longer text that looks like a time but has no known form is no time."""
_MAX_WRITTEN_CHARS = 60
TIME = re.compile(
    r"(?<!\d)(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}|\d{1,2}月\d{1,2}|(?<![\d.])\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)?\d\d(?!\d)"
    r"|(?<!\d)[0-2]?\d:[0-5]\d(?!\d)|(?<![\d-])[01]?\d-[0-3]?\d(?![\d-])"
    r"|(?<![\d/])[01]?\d/[0-3]?\d(?![\d/])|\b\d{1,3}[dhm] ago\b|\b(?:19|20)\d\d-\d{1,2}\b"
    r"|[\d半几]\s?个?(?:秒|分|小时|小時|天|周|月|年)[钟鐘]?之?前|昨天|前天|今天|刚刚"
    r"|(?i:\b(?:ago|yesterday|today|just now|gestern|heute|hier|ayer)\b)"
    r"|(?i:\b(?:vor|il y a|hace) \w{1,5} \w)"
    r"|(?i:\b(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]{0,6}\.? \d{1,4}\b)"
    r"|(?i:\b\d{1,2}(?:st|nd|rd|th|\.)?[ -](?:de )?(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec"
    r"|dez|ene|abr|ago|fév|avr|gen|mag|giu|lug|set|ott|dic)[a-z]{0,7}\b)"
)
"""Parts of times, for finding where they begin and end; `has_time_mask` is faster at finding the texts that have any."""
_CLOCK_ONLY = re.compile(r"^\D*\d{1,2}:\d\d(?::\d\d)?\D*$")
_AM_PM = re.compile(r"\s?[ap]\.?m\b\.?", re.I)
# Every branch below begins with a digit or a letter, so that a search skips most places at once; lookbehinds check what
# comes before it.
_UNIT = r"\s?个?(?:秒|分|小时|小時|天|周|月|年)[钟鐘]?之?前"
_MONTH = (
    "jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|ene|abr|ago|fév|avr|gen|mag|giu|lug|set|ott|dic"
)
_NUMBERS = re.compile(
    rf"\d(?:\d?月\d|{_UNIT}"
    r"|(?<!\d\d)(?:(?:(?<=1)9|(?<=2)0)\d\d\s?[-/.年]\s?\d"
    r"|(?<!\.\d)\d?[-/.]\d{1,2}[-/.](?:19|20)?\d\d(?!\d)"
    r"|(?:(?<=[012])\d)?:[0-5]\d(?!\d)"
    r"|(?<!-\d)(?:(?<=[01])\d)?-[0-3]?\d(?![\d-])"
    r"|(?<!/\d)(?:(?<=[01])\d)?/[0-3]?\d(?![\d/])"
    rf"|(?<!\w\d)\d?(?:st|nd|rd|th|\.)?[ -](?:de )?(?:{_MONTH})[a-zı]{{0,7}}\b))"
)
_MONTHS = re.compile(
    "|".join(
        rf"{month[0]}(?<!\w{month[0]}){month[1:]}[a-zı]{{0,6}}\.? \d{{1,4}}\b"
        for month in "jan jun jul feb ma[ryi] mär apr aug sep oct okt nov de[cz]".split()
    )
)
_WORDS = re.compile(
    rf"半{_UNIT}|几{_UNIT}|昨天|前天|今天|刚刚"
    r"|a(?<!\wa)(?:go|yer)\b|y(?<!\wy)esterday\b|t(?<!\wt)oday\b|j(?<!\wj)ust now\b|g(?<!\wg)estern\b|h(?<!\wh)(?:eute|ier)\b"
    r"|v(?<!\wv)or \w{1,5} \w|i(?<!\wi)l y a \w{1,5} \w|h(?<!\wh)ace \w{1,5} \w"
)


def has_time_mask(texts: Sequence[str], numbered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[texts]: the text, in lower case, has a part of a time. numbered: bool[texts], it has a digit."""
    found = contains_match(_WORDS, texts)
    with_digits = [texts[place] for place in np.flatnonzero(numbered).tolist()]
    found[numbered] |= contains_match(_NUMBERS, with_digits) | contains_match(_MONTHS, with_digits)
    return found


def is_clock(text: str) -> bool:
    """Whether a text has a time of day and no other digit."""
    return _CLOCK_ONLY.match(text) is not None


@lru_cache(maxsize=2_000)
def written_time(text: str) -> str:
    """The time in a text as written, with all its parts; all of a short text that looks like a time of unknown form."""
    found = find_time(text)
    spans = [match.span() for match in TIME.finditer(text)]
    if spans and len(text) <= _MAX_WRITTEN_CHARS:
        start, end = min(spans[0][0], text.find(found) if found else len(text)), spans[-1][1]
        after = _AM_PM.match(text, end)
        parts = text[start : after.end() if after else end]
        if OTHER_TIME.search(parts):
            return found or parts
        if not found or (len(parts) > len(found) + 2 and found in parts):
            found = parts if not found or len(parts) - len(found) <= _MAX_UNREAD_CHARS else found
    return found or (" ".join(text.split()) if len(text.strip()) <= _MAX_UNREAD_CHARS else "")

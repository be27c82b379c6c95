"""Which of many texts hold a part of a time: the patterns of `extractors.records.hints.TIME`, ordered to be searched fast.

Every branch begins with a digit or a letter, by which a search passes over most places at once; what must not stand before that is
asked behind it.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from extractors.text.multi_search import holding

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


def timed(texts: Sequence[str], numbered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[texts]: the text, in lower case, has a part of a time; `numbered` tells which have a digit."""
    found = holding(_WORDS, texts)
    with_digits = [texts[place] for place in np.flatnonzero(numbered).tolist()]
    found[numbered] |= holding(_NUMBERS, with_digits) | holding(_MONTHS, with_digits)
    return found

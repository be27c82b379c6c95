"""Whether a page writes days before months: a page has one order, which few of its dates show."""

import itertools
import re
from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, timedelta

_MAX_CHARS = 400
_TWO_NUMBERS = re.compile(r"(?<![\d/.-])(\d{1,2})[/-](\d{1,2})[/-]((?:19|20)?\d\d)(?![\d/-])")


def day_first(texts: Iterable[str], now: datetime) -> bool | None:
    """Whether a page with these times writes 4/3/2020 for the 4th of March; None if they do not tell.

    A number above 12 is a day; and most written times are in the past.
    """
    today, votes, ahead = now.date() + timedelta(days=1), Counter[bool](), Counter[bool]()
    for match in itertools.chain.from_iterable(_TWO_NUMBERS.finditer(text[:_MAX_CHARS]) for text in texts):
        first, second, year = map(int, match.groups())
        if (first > 12) != (second > 12):
            votes[first > 12] += 1
        elif first <= 12 and first != second:
            full = year if year > 99 else 2000 + year
            ahead.update(order for order in (True, False) if _is_ahead(full, first, second, today, day_first=order))
    for found, said in ((votes, True), (ahead, False)):
        if found[True] != found[False]:
            return (found[True] > found[False]) is said
    return None


def _is_ahead(year: int, first: int, second: int, today: date, *, day_first: bool) -> bool:
    month, day = (second, first) if day_first else (first, second)
    return (year, month, day) > (today.year, today.month, today.day)

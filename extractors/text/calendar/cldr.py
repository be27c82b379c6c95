"""Names of months, days and units of all languages of CLDR, from cldr.json, which `python -m benchmarks.calendar_names` writes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["CldrNames", "cldr_names", "folded"]


@dataclass(frozen=True, slots=True)
class CldrNames:
    """In the form of `folded`.

    Attributes:
        months: numbers from 1 by name. days: how many days from today, 0 or less, by word: "yesterday", "last year".
        after: the unit by what stands after the number in "3 days ago". before: likewise, by the words before the number.
        units: the unit by its short name, as in "3y". weekdays: from 0 for Monday, in the languages that are written most.
    """

    months: Mapping[str, int]
    days: Mapping[str, int]
    after: Mapping[str, str]
    before: Mapping[str, Mapping[str, str]]
    units: Mapping[str, str]
    weekdays: Mapping[str, int]


def folded(word: str) -> str:
    """Letters as compared where case is ignored: ſ is s, K (Kelvin) is k, İ and ı are i; ’ is '."""
    return word.casefold().replace("\u0307", "").replace("ı", "i").replace("’", "'")


@cache
def cldr_names() -> CldrNames:
    """The names, read once."""
    return CldrNames(**json.loads(files(__package__).joinpath("cldr.json").read_text("utf-8")))

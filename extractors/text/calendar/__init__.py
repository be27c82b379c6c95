"""Names of months, weekdays, days and units of time by language. A language is added in languages.yaml."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import yaml

__all__ = ["LANGUAGES", "SECONDS", "Language", "cldr", "day_words", "month_names", "unit_names"]

SECONDS = {
    "second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800, "month": 2_592_000, "year": 31_536_000,
}  # fmt: skip
"""Of a unit; a month counts thirty days, a year 365."""


@dataclass(frozen=True, slots=True)
class Language:
    """In lower case, empty where not known.

    Attributes:
        months, weekdays: January or Monday first, each with its written forms, the full one first.
        days: words for days by how many days they are from today, 0 or less.
        units: names by the keys of `SECONDS`.
    """

    months: tuple[tuple[str, ...], ...]
    weekdays: tuple[tuple[str, ...], ...]
    days: Mapping[str, int]
    units: Mapping[str, tuple[str, ...]]


def _language(entry: Mapping[str, Any]) -> Language:
    return Language(
        tuple(tuple(forms.split()) for forms in entry.get("months", ())),
        tuple(tuple(forms.split()) for forms in entry.get("weekdays", ())),
        {word: int(days) for word, days in entry.get("days", {}).items()},
        {unit: tuple(names.split()) for unit, names in entry.get("units", {}).items()},
    )


def _read() -> dict[str, Language]:
    content = files(__package__).joinpath("languages.yaml").read_text(encoding="utf-8")
    entries = yaml.load(content, getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    return {code: _language(entry) for code, entry in entries.items()}


LANGUAGES: Mapping[str, Language] = _read()
"""By ISO 639-1 code."""


def month_names() -> Iterator[tuple[str, int]]:
    """Every written form of a month in any language with its number from 1."""
    for language in LANGUAGES.values():
        for number, forms in enumerate(language.months, 1):
            yield from ((form, number) for form in forms)


def day_words() -> dict[str, int]:
    """The words for days of all languages."""
    return {word: days for language in LANGUAGES.values() for word, days in language.days.items()}


def unit_names() -> Iterator[tuple[str, int]]:
    """Every name of a unit in any language with its seconds."""
    for language in LANGUAGES.values():
        for unit, names in language.units.items():
            yield from ((name, SECONDS[unit]) for name in names)

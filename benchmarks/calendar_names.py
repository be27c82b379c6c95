"""Write the names of the calendar of all languages of CLDR: python -m benchmarks.calendar_names

Reads the locales of Babel (extra `bench`) and writes extractors/text/calendar/cldr.json, the tables of `CldrNames`. A word that means
different things in different languages has its most frequent meaning; one without a most frequent meaning is left out, as is what is
written with digits only.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from babel import Locale, localedata

from extractors.text.calendar.cldr import folded

OUTPUT = Path(__file__).resolve().parent.parent / "extractors/text/calendar/cldr.json"
UNITS = ("second", "minute", "hour", "day", "week", "month", "year")
WIDTHS = ("", "-short", "-narrow")
MIN_LETTERS = 3
"""Letters of a month's short form; shorter ones are common words. Ideographs may be two."""
COMMON_WORDS = frozenset("out set man sun sat now the des son non was war".split())
"""Forms of months that are frequent words of other languages."""
WRITTEN_MOST = (
    *"en de fr es it pt nl ru uk pl cs sk tr sv da nb fi ro el bg sr hr".split(),
    *"ar he fa hi th vi id ko ja zh zh_Hant".split(),
)
"""Languages whose words for days are taken: those of all languages are too often names ("Jana" is yesterday in Swahili)."""
OTHER_UNITS = {
    "时": "hour",
    "時": "hour",
    "个小时": "hour",
    "分": "minute",
    "mo": "month",
    "mon": "month",
    "min": "minute",
}
"""Units that CLDR has otherwise or not at all; "3m" is left out: as often three millions."""
LAST = {"day": 1, "week": 7, "month": 30, "year": 365}
Meaning = TypeVar("Meaning", int, str)


def main() -> None:
    """Write the file, and say how large it is."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    locales = [Locale.parse(code) for code in languages()]
    ago = [entry for locale in locales for entry in ago_of(locale)]
    prefixes = sorted({folded(before) for before, _, _ in ago if before})
    tables = {
        "months": {name: month for name, month in months(locales).items() if name not in COMMON_WORDS},
        "days": most_frequent(pair for code in WRITTEN_MOST for pair in days_of(Locale.parse(code)).items()),
        "after": most_frequent((after, unit) for before, after, unit in ago if not before),
        "before": {
            prefix: most_frequent((after, unit) for before, after, unit in ago if folded(before) == prefix)
            for prefix in prefixes
        },
        "units": units(locales),
        "weekdays": most_frequent(pair for code in WRITTEN_MOST for pair in weekdays_of(Locale.parse(code)).items()),
    }
    OUTPUT.write_text(json.dumps(tables, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n", "utf-8")
    print(f"{len(locales)} languages, {OUTPUT.stat().st_size} bytes")


def languages() -> list[str]:
    """Languages, and those of their scripts that have names of their own."""
    return sorted(code for code in localedata.locale_identifiers() if code.count("_") <= ("_Han" in code))


def months(locales: Iterable[Locale]) -> dict[str, int]:
    """Numbers from 1 by name."""
    every = (
        (form, number) for locale in locales for number, forms in enumerate(months_of(locale), 1) for form in forms
    )
    return most_frequent(every)


def units(locales: Iterable[Locale]) -> dict[str, str]:
    """Units by short name; of the names of one Latin letter those of English."""
    every = most_frequent(pair for locale in locales for pair in units_of(locale))
    longer = {name: unit for name, unit in every.items() if not (len(name) == 1 and name.isascii())}
    return longer | dict(units_of(Locale.parse("en"))) | OTHER_UNITS


def most_frequent(pairs: Iterable[tuple[str, Meaning]]) -> dict[str, Meaning]:
    """The most frequent meaning of each word that has one."""
    meanings = defaultdict[str, Counter[Meaning]](Counter)
    for word, meaning in pairs:
        meanings[folded(word)][meaning] += 1
    ranked = {word: counter.most_common(2) for word, counter in meanings.items()}
    return {word: best[0][0] for word, best in ranked.items() if len(best) == 1 or best[0][1] > best[1][1]}


def months_of(locale: Locale) -> list[list[str]]:
    """Wide and short forms of January to December, in lower case."""
    forms: list[Counter[str]] = [Counter() for _ in range(12)]
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in locale.months[context][width].items():
                forms[number - 1][name.lower().strip().rstrip(".")] += 1
    return [[form for form in each if is_name(form)] for each in forms]


def weekdays_of(locale: Locale) -> dict[str, int]:
    """Wide and short forms of the days of the week, from 0 for Monday."""
    widths = [locale.days[context][width] for context in ("format", "stand-alone") for width in ("wide", "abbreviated")]
    return {name.lower().strip().rstrip("."): int(number) for names in widths for number, name in names.items()}


def is_name(form: str) -> bool:
    """Whether a form is one word, long enough, without digits."""
    ideographs = all("\u4e00" <= letter <= "\u9fff" for letter in form)
    return len(form) >= (2 if ideographs else MIN_LETTERS) and not any(
        letter.isdigit() or letter.isspace() for letter in form
    )


def fields_of(locale: Locale, unit: str) -> Iterator[Any]:
    """The data of a unit in its three widths."""
    for width in WIDTHS:
        yield locale._data["date_fields"].get(unit + width) or {}


def days_of(locale: Locale) -> dict[str, int]:
    """Words for the day itself and the two before, and for the last week, month and year: by word the number of days, 0 or less."""
    found = {}
    for unit, days in LAST.items():
        for field in fields_of(locale, unit):
            for key, word in (field.get("relative") or {}).items():
                if int(key) in ((0, -1, -2) if unit == "day" else (-1,)) and not any(map(str.isdigit, word)):
                    found[word.lower().strip()] = int(key) * days
    return found


def ago_of(locale: Locale) -> set[tuple[str, str, str]]:
    """What stands before and after the number, with the unit."""
    found = defaultdict[tuple[str, str], set[str]](set)
    for unit in UNITS:
        for field in fields_of(locale, unit):
            for pattern in (field.get("past") or {}).values():
                before, number, after = pattern.lower().partition("{0}")
                if number and after.strip() and not before.strip().startswith("-"):
                    found[before.strip(), after.strip()].add(unit)
    return {(*sides, units.pop()) for sides, units in found.items() if len(units) == 1}


def units_of(locale: Locale) -> set[tuple[str, str]]:
    """Short names of units that follow their number."""
    found = defaultdict[str, set[str]](set)
    for unit in UNITS:
        for width in ("narrow", "short"):
            for pattern in locale._data["unit_patterns"].get(f"duration-{unit}", {}).get(width, {}).values():
                before, number, after = str(pattern).lower().partition("{0}")
                if number and after.strip(" .") and not before and "/" not in after:
                    found[after.strip(" .")].add(unit)
    return {(name, units.pop()) for name, units in found.items() if len(units) == 1}


if __name__ == "__main__":
    main()

"""Names of the calendar say one thing in all languages, because a text is read without knowing its language."""

from collections import defaultdict

from extractors.text.calendar import LANGUAGES, SECONDS, month_names, unit_names


def test_a_name_is_one_month_and_one_unit() -> None:
    meanings = defaultdict[str, set[int]](set)
    for name, number in (*month_names(), *unit_names()):
        meanings[name].add(number)
    assert {name: numbers for name, numbers in meanings.items() if len(numbers) > 1} == {}


def test_a_language_has_all_months_and_weekdays_or_none() -> None:
    assert {len(language.months) for language in LANGUAGES.values()} <= {0, 12}
    assert {len(language.weekdays) for language in LANGUAGES.values()} <= {0, 7}
    assert all(forms for language in LANGUAGES.values() for forms in (*language.months, *language.weekdays))


def test_units_are_known_and_days_lie_in_the_past() -> None:
    assert all(language.units.keys() <= SECONDS.keys() for language in LANGUAGES.values())
    assert all(days <= 0 for language in LANGUAGES.values() for days in language.days.values())

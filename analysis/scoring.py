"""The analysis as plain functions over plain values, as a scorer calls them."""

from datetime import datetime

from analysis import names, times


def resolve_time(text: str, base: str) -> tuple[str | None, str | None]:
    """The first and the last second of a time expression, as ISO texts; both None if it is not understood."""
    found = times.resolve_time(text, datetime.fromisoformat(base).replace(tzinfo=None))
    return (found.start.isoformat(), found.end.isoformat()) if found else (None, None)


def find_names(text: str) -> dict[str, list[str]]:
    """The people, places and organisations as they are written in the text."""
    found: dict[str, list[str]] = {"people": [], "places": [], "orgs": []}
    for name in names.find_names(text):
        found[{"person": "people", "place": "places", "org": "orgs"}[name.kind]].append(name.text)
    return found

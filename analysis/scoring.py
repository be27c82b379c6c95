"""The analysis as plain functions over plain values, as a scorer calls them."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from analysis import events, mood, names, summary, times
from analysis.events import Clusters, alike, read_report

_MIN_EVENT_LIKENESS = 0.26
_MIN_TOPIC_LIKENESS = 0.08
_ANY_DAY = datetime(2000, 1, 1)


def resolve_time(text: str, base: str) -> tuple[str | None, str | None]:
    """The first and the last second of a time expression, as ISO texts; both None if it is not recognised."""
    found = times.resolve_time(text, datetime.fromisoformat(base).replace(tzinfo=None))
    return (found.start.isoformat(), found.end.isoformat()) if found else (None, None)


def find_names(text: str) -> dict[str, list[str]]:
    """The people, places and organisations as they are written in the text."""
    found: dict[str, list[str]] = {"people": [], "places": [], "orgs": []}
    for name in names.find_names(text):
        found[{"person": "people", "place": "places", "org": "orgs"}[name.kind]].append(name.text)
    return found


def cluster_stream(rows: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    """The event and the story of each row of a stream in the order of time."""
    clusters = Clusters()
    found = []
    for row in rows:
        time = datetime.fromisoformat(row["date"]).replace(tzinfo=None)
        placing = clusters.add(read_report(row["id"], time, row.get("title") or "", row.get("text") or ""))
        found.append({"id": row["id"], "event": placing.event, "story": placing.story})
    return found


def find_elements(title: str, text: str, date: str) -> dict[str, list[str]]:
    """When, where and who of the main happening, the surest first; only the surest of each."""
    try:
        base = datetime.fromisoformat(date).replace(tzinfo=None)
    except ValueError:  # a page without a date, or with one that no calendar has
        base = _ANY_DAY
    found = events.find_elements(title, text, base)
    parts = {"times": found.times, "places": found.places, "people": found.people}
    return {kind: [element.text for element in elements[:1]] for kind, elements in parts.items()}


def same_event(first: str, second: str) -> tuple[float, bool]:
    """The likeness of two short texts, 0 to 1, and whether they report the same event."""
    score = alike(first, second)
    return score, score >= _MIN_EVENT_LIKENESS


def same_topic(first: str, second: str) -> tuple[float, bool]:
    """The likeness of two short texts, 0 to 1, and whether they belong to the same story."""
    score = alike(first, second)
    return score, score >= _MIN_TOPIC_LIKENESS


def summarize(title: str, text: str, characters: int, lang: str) -> str:
    """A summary of about `characters` characters; the language is detected."""
    return summary.summarize(title, text, characters)


def classify_mood(text: str, context: str) -> str:
    """positive, neutral, negative or unsure; the context is that of other authors and is not used."""
    return mood.classify_mood(text).label

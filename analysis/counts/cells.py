"""The count cells of a page and its posts: topic, dimension, value, day and hour.

Every page counts once for its topic and once for all topics together; kinds, terms, places, people and moods are counted for the page's
topic only. Days and hours are UTC. A page is counted at `StoredPage.at`, as search and
the lists of pages sort it.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from analysis.jobs import StoredPage, instant
from analysis.mood import Mood, classify_mood
from analysis.names import find_names
from extractors.topic.lexicon import is_candidate, is_content_word
from extractors.topic.words import Segmenter, fold

ALL_TOPICS = ""
OF_ALL_TOPICS = frozenset(("all", "host", "verdict"))
"""Dimensions that all topics together have cells of; others are summed over the topics."""
_MAX_TERMS = 12
_MAX_POSTS = 5_000
MAX_MOODS = 200
"""Posts of a page whose mood is judged."""
_MOOD_CHARS = 600
_TITLE_CHARS = 200
_NAME_DIMENSIONS = {"person": "person", "place": "place"}
_segmenter = Segmenter()


class Cell(NamedTuple):
    """A counted cell: `measure` is pages or posts, `dimension` one of all, host, kind, term, person, place, mood, verdict."""

    topic: str
    dimension: str
    value: str
    day: str
    hour: int
    measure: str


def cells_of(page: StoredPage) -> Counter[Cell]:
    """The cells of a page, none if it is no longer stored; those without a time are not counted."""
    found: Counter[Cell] = Counter()
    if page.row is None:
        return found
    topic, title = page.text("topic"), page.text("title")[:_TITLE_CHARS]
    if (at := _time(page.at)) is not None:
        values = [*_values(page), *title_values(title), ("mood", page_mood(title, page.text("body")).label)]
        _count(found, topic, values, at, "pages")
    for number, post in enumerate(page.records[:_MAX_POSTS]):
        if (time := _time(post["time_at"] or post["first_seen"] or "")) is not None:
            moods = [("mood", post_mood(post["text"]).label)] if number < MAX_MOODS and post["text"] else []
            _count(found, topic, [*_values(page), *moods], time, "posts")
    return found


def _count(found: Counter[Cell], topic: str, values: list[tuple[str, str]], at: datetime, measure: str) -> None:
    day, hour = at.date().isoformat(), at.hour
    for dimension, value in dict.fromkeys(values):
        found[Cell(topic, dimension, value, day, hour, measure)] += 1
        if topic and dimension in OF_ALL_TOPICS:
            found[Cell(ALL_TOPICS, dimension, value, day, hour, measure)] += 1


def _values(page: StoredPage) -> list[tuple[str, str]]:
    pairs = [("all", ""), ("host", page.text("host")), ("kind", page.text("kind"))]
    pairs += [("verdict", "repost")] if page.is_repost else []
    return [pair for pair in pairs if pair[0] == "all" or pair[1]]


def title_values(title: str) -> Iterator[tuple[str, str]]:
    """The pairs of dimension (term, person, place) and value of a title."""
    title = title[:_TITLE_CHARS]
    for term in title_terms(title):
        yield "term", term
    for name in find_names(title):
        if name.kind in _NAME_DIMENSIONS:
            yield _NAME_DIMENSIONS[name.kind], name.text


def title_terms(title: str) -> list[str]:
    """The distinct content words of a title, folded."""
    words = (word for word in _segmenter.segment(fold(title)) if len(word) > 1 and not word.isdigit())
    return list(dict.fromkeys(word for word in words if is_candidate(word) and is_content_word(word)))[:_MAX_TERMS]


def page_mood(title: str, body: str) -> Mood:
    """The mood by which a page is counted: of its title and the beginning of its text."""
    return post_mood(f"{title[:_TITLE_CHARS]}\n{body[:_MOOD_CHARS]}")


def post_mood(text: str) -> Mood:
    """The mood by which a post is counted: of its begin."""
    return classify_mood(text[:_MOOD_CHARS])


def _time(text: str) -> datetime | None:
    known = instant(text)
    return datetime.fromisoformat(known).astimezone(UTC) if known else None

"""The facts of a report, read from the store: counts, events, and the pages that are listed."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from itertools import islice

from analysis.counts import page_mood, post_mood, read_series, read_totals
from analysis.events.store.moods import event_mood
from analysis.mood import LABELS, Label, Mood, MoodSpread, complaints, spread_of
from analysis.report.model import CrawlCoverage, Prose, Quote, Report, ReportEvent, ReportPage
from analysis.report.report_words import Language
from analysis.spans import LOCAL, known_time
from analysis.summary import Digest, SummarySentence, digest, summarize
from analysis.trend import read_trend
from analysis.trend.tag_counts import read_tags
from extractors.topic.words import fold
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE, EVENTS, MEMBERS
from pipelines.stores.base import Condition, Order, Row, Store
from pipelines.stores.instant_columns import utc_text
from pipelines.stores.tables import PAGES, QUERIES, RECORDS, RUNS, URLS

MAX_PAGES = 500
Posts = Sequence[tuple[str, Mood, Row]]
_MAX_EVENTS = 12
_MAX_SITES = 25
_QUOTES = 8
_PAGES_WITH_POSTS = 60
_POSTS_A_PAGE = 40
_QUOTE_LETTERS = (8, 240)
_SUMMARY_CHARS = 160
_PAGES_AN_EVENT, _PAGES_FOR_PROSE = 3, 40
_SOURCE_CHARS = 6_000
_COLUMNS = ("key", "url", "host", "title", "body", "published", "published_at", "counted_at")
_STATES = ("fetched", "unchanged", "part", "other", "irrelevant", "unreadable", "failed", "refused", "dead")
_QUERY_STATES = ("waiting", "results", "none", "blocked", "layout_changed")


def collect(
    store: Store,
    topic: str,
    since: datetime,
    until: datetime,
    write: Callable[[Sequence[SummarySentence]], Prose | None] | None = None,
    language: Language = "en",
    zone: tzinfo = LOCAL,
) -> Report:
    """The report of a topic from the hour of `since` to `until` (aware), "" for all topics, with times of `zone`; `write` makes a
    paragraph of its most important pages."""
    # counts know hours, so that they are those of the listed pages
    since = since.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    rows = list(_rows(store, topic, since, until))
    trend = read_trend(store, since, until, topic=topic, zone=zone)
    labels = {row["key"]: page_mood(row["title"] or "", row["body"] or "").label for row in rows}
    pages = tuple(_page(number, row, labels[row["key"]], zone) for number, row in enumerate(rows, 1))
    numbers = {row["key"]: number for number, row in enumerate(rows, 1)}
    posts = [(post["text"], post_mood(post["text"]), post) for post in _posts(store, rows)]
    events = tuple(_events(store, topic, (since, until, zone), {row["key"]: row for row in rows}, numbers, labels))
    sites = read_totals(store, since, until, "host", topic=topic)
    return Report(
        topic, since, until, datetime.now(UTC), trend,
        int(read_series(store, since, until, topic=topic, measure="posts").counts.sum()),
        store.count(PAGES, [*_of(topic), *_between("counted_at", since - (until - since), since)]),
        tuple(sorted(sites.items(), key=lambda pair: (-pair[1], pair[0]))[:_MAX_SITES]), len(sites),
        read_tags(store, since, until, topic=topic, most=40), events,
        _moods(read_totals(store, since, until, "mood", topic=topic)),
        _moods(read_totals(store, since, until, "mood", topic=topic, measure="posts")),
        tuple(_complaints(posts, numbers)),
        _post_pages(posts, numbers),
        tuple(_quotes(posts, numbers)),
        pages,
        max(0, int(trend.series.counts.sum()) - len(pages)),
        store.count(ANALYSIS_QUEUE),
        len(posts),
        _coverage(store, topic, since, until),
        write(_important(rows, events)) if write else None,
        language, zone,
    )  # fmt: skip


def _of(topic: str) -> list[Condition]:
    return [Condition("topic", "=", topic)] if topic else []


def _important(rows: Sequence[Row], events: Sequence[ReportEvent]) -> list[SummarySentence]:
    """The first pages of the largest events, then the newest pages."""
    first = [number for event in events for number in event.pages[:_PAGES_AN_EVENT]]
    numbers = dict.fromkeys([*first, *range(1, len(rows) + 1)])
    return [_source(number, rows[number - 1]) for number in islice(numbers, _PAGES_FOR_PROSE)]


def _source(number: int, row: Row) -> SummarySentence:
    return SummarySentence(number, row["title"] or "", (row["body"] or "")[:_SOURCE_CHARS])


def _rows(store: Store, topic: str, since: datetime, until: datetime) -> Iterator[Row]:
    """Pages of the time, the newest first, by the time by which they are counted."""
    known = [*_of(topic), *_between("counted_at", since, until)]
    return store.select(PAGES, known, [Order("counted_at", True)], MAX_PAGES, _COLUMNS)


def _between(column: str, since: datetime, until: datetime) -> list[Condition]:
    return [Condition(column, ">=", utc_text(since)), Condition(column, "<", utc_text(until))]


def _page(number: int, row: Row, mood: str, zone: tzinfo) -> ReportPage:
    title, counted = row["title"] or row["url"] or "", known_time("", row["counted_at"], zone)
    published = known_time(row["published"] or "", row["published_at"] or "", zone)
    return ReportPage(number, row["url"] or "", row["host"] or "", title, published, mood, counted)


def _posts(store: Store, rows: Sequence[Row]) -> Iterator[Row]:
    for row in rows[:_PAGES_WITH_POSTS]:
        where = [Condition("page", "=", row["key"])]
        columns = ("page", "text", "author")
        yield from (post for post in store.select(RECORDS, where, limit=_POSTS_A_PAGE, columns=columns) if post["text"])


def _moods(totals: Mapping[str, int]) -> MoodSpread:
    return spread_of(label for label in LABELS for _ in range(totals.get(label, 0)))


def _complaints(posts: Posts, numbers: Mapping[str, int]) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """Complaints, each with the pages of the negative posts that contain the word."""
    negative = [(fold(text), numbers[row["page"]]) for text, mood, row in posts if mood.label == "negative"]
    for word, count in complaints((text, mood) for text, mood, _ in posts):
        yield word, count, tuple(sorted({number for text, number in negative if word in text}))


def _post_pages(posts: Posts, numbers: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    pages = {label: {numbers[row["page"]] for _, mood, row in posts if mood.label == label} for label in LABELS}
    return {label: tuple(sorted(each)) for label, each in pages.items()}


def _quotes(posts: Posts, numbers: Mapping[str, int]) -> Iterator[Quote]:
    """The most clearly positive and negative posts, from different pages where possible."""
    least, most = _QUOTE_LETTERS
    clear = [each for each in posts if least <= len(each[0]) <= most and each[1].label in ("positive", "negative")]
    clear.sort(key=lambda each: -abs(sum(opinion.weight for opinion in each[1].opinions)))
    used: Counter[tuple[str, str]] = Counter()
    sides: Counter[str] = Counter()
    for text, mood, row in clear:
        if used[mood.label, row["page"]] < 2 and sides[mood.label] < _QUOTES // 2:
            used[mood.label, row["page"]] += 1
            sides[mood.label] += 1
            yield Quote(text, row["author"] or "", mood.label, numbers[row["page"]])


def _events(
    store: Store,
    topic: str,
    span: tuple[datetime, datetime, tzinfo],
    rows: Mapping[str, Row],
    numbers: Mapping[str, int],
    labels: Mapping[str, Label],
) -> Iterator[ReportEvent]:
    since, until, zone = span
    where = [*_of(topic), Condition("state", "!=", "dropped")]
    where += [_between("last_at", since, until)[0], _between("first_at", since, until)[1]]
    for event in store.select(EVENTS, where, [Order("pages", True)], _MAX_EVENTS):
        members = list(store.select(MEMBERS, [Condition("event", "=", event["event"])], [Order("at")], MAX_PAGES))
        listed = [member["page"] for member in members if member["page"] in numbers]
        central = _central(rows, listed)
        row = rows.get(central or "", {})
        yield ReportEvent(
            event["name"] or "", event["place"] or "", *_first_and_last(event, zone),
            event["pages"] or 0, event["site_count"] or 0,
            summarize(row.get("title") or "", row.get("body") or "", _SUMMARY_CHARS) if row else "",
            numbers.get(central or ""), tuple(numbers[key] for key in listed),
            digest([_source(numbers[key], rows[key]) for key in listed]) if len(listed) > 1 else Digest((), ()),
            spread_of(labels[key] for key in listed), event_mood(store, event["event"]),
        )  # fmt: skip


def _first_and_last(event: Row, zone: tzinfo) -> tuple[str, str]:
    first = known_time(event["first_published"] or "", event["first_at"] or "", zone)
    return first, known_time(event["last_published"] or "", event["last_at"] or "", zone)


def _central(rows: Mapping[str, Row], keys: Sequence[str]) -> str | None:
    """The page with the longest text."""
    return max(keys, key=lambda key: len(rows[key]["body"] or ""), default=None)


def _coverage(store: Store, topic: str, since: datetime, until: datetime) -> CrawlCoverage:
    urls = {
        state: store.count(URLS, [Condition("state", "=", state), *_between("fetched_at", since, until)])
        for state in _STATES
    }
    queries = {
        state: store.count(
            QUERIES,
            [*_of(topic), Condition("state", "=", state), *_between("asked_at", since, until)],
        )
        for state in _QUERY_STATES
    }
    runs = list(store.select(RUNS, _between("finished", since, until), columns=["reason", "exit_code"]))
    return CrawlCoverage(urls, queries, len(runs), sum(bool(run["exit_code"]) for run in runs))

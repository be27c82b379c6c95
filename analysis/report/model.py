"""The contents of a report, independent of its format: plain values, each figure with its pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from analysis.mood import MoodSpread
from analysis.report.report_words import Language, ReportWords
from analysis.spans import LOCAL, to_the_minute
from analysis.summary import Digest
from analysis.trend import TagCloud, Trend


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A page that the report lists: `number` is its place in the list, `at` when it was published (in the report's zone, no more
    exactly than it is known), "" if unknown; `counted` the minute by which it is counted."""

    number: int
    url: str
    host: str
    title: str
    at: str
    mood: str
    counted: str


@dataclass(frozen=True, slots=True)
class ReportEvent:
    """A happening: pages by their numbers, in the order of time; `page_count` counts those too that the report does not list. `digest`
    is what several of its pages say; `page_moods` are those of the listed pages, `post_moods` of comments."""

    name: str
    place: str
    first_at: str
    last_at: str
    page_count: int
    site_count: int
    summary: str
    summary_page: int | None
    pages: tuple[int, ...]
    digest: Digest
    page_moods: MoodSpread
    post_moods: MoodSpread


@dataclass(frozen=True, slots=True)
class Prose:
    """Machine-written text: sentences with cited pages, the number of dropped sentences, and the model's name."""

    sentences: tuple[tuple[str, tuple[int, ...]], ...]
    dropped: int
    by: str


@dataclass(frozen=True, slots=True)
class Quote:
    """A post of the topic, with the number of its page."""

    text: str
    author: str
    mood: str
    page: int


@dataclass(frozen=True, slots=True)
class CrawlCoverage:
    """`urls` by state: addresses of the database that were fetched in the time; `queries` of the topic by state; `runs` that ended
    in the time, and how many of them did not end as they should. Of addresses and queries together, `blocked` were refused by the rules
    of a site or ours, or by an engine; `missed` gave no usable answer."""

    urls: dict[str, int]
    queries: dict[str, int]
    runs: int
    runs_failed: int

    @property
    def asked(self) -> int:
        """All except waiting ones."""
        return sum(self.urls.values()) + sum(self.queries.values()) - self.queries.get("waiting", 0)

    @property
    def blocked(self) -> int:
        return self.urls.get("refused", 0) + self.queries.get("blocked", 0)

    @property
    def missed(self) -> int:
        return self.urls.get("failed", 0) + self.urls.get("unreadable", 0) + self.queries.get("layout_changed", 0)


@dataclass(frozen=True, slots=True)
class Report:
    """One topic over one time. `sites`: host and pages, the biggest of `site_count`. `left_out`: pages of the time that are not listed.
    `waiting`: pages of all topics that are not analysed yet as they are stored, so that no figure has their latest text.
    `posts_read`: posts of the newest listed pages, of which complaints and quotes are.
    `zone` is that of all times.
    `complaints`: words, how many negative posts have them, and the pages of these; `post_pages`: pages by the mood of their posts."""

    topic: str
    since: datetime
    until: datetime
    made_at: datetime
    trend: Trend
    posts: int
    before: int
    sites: tuple[tuple[str, int], ...]
    site_count: int
    tags: TagCloud
    events: tuple[ReportEvent, ...]
    page_moods: MoodSpread
    post_moods: MoodSpread
    complaints: tuple[tuple[str, int, tuple[int, ...]], ...]
    post_pages: Mapping[str, tuple[int, ...]]
    quotes: tuple[Quote, ...]
    pages: tuple[ReportPage, ...]
    left_out: int
    waiting: int
    posts_read: int
    coverage: CrawlCoverage
    prose: Prose | None = None
    language: Language = "en"
    zone: tzinfo = LOCAL

    @property
    def words(self) -> ReportWords:
        return ReportWords(self.language)

    def clock(self, moment: datetime) -> str:
        """To the minute in the zone of the report."""
        return to_the_minute(moment, self.zone)

    @property
    def zone_name(self) -> str:
        """Of the end of the report: UTC+8, UTC-3:30."""
        minutes = (self.until.astimezone(self.zone).utcoffset() or timedelta()) // timedelta(minutes=1)
        hours, rest = divmod(abs(minutes), 60)
        ahead = "-" if minutes < 0 else "+"
        return "UTC" if not minutes else f"UTC{ahead}{hours}{f':{rest:02}' if rest else ''}"

    @property
    def name(self) -> str:
        return self.topic or self.words("all_topics")

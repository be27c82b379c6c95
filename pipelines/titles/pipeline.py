"""Every title is compared with all titles: each page gets its place in a story, and no page is dropped."""

import asyncio
import math
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Self

from scrapy.crawler import Crawler

from extractors.links.urls import host_of, url_key
from pipelines.discussion import count_of
from pipelines.items import Item, PageItem
from pipelines.propagation import order_story, turned_pages
from pipelines.storage import storage_of, store_of
from pipelines.stores.base import Condition, MutableRow, Row
from pipelines.stores.instants import instants
from pipelines.stores.tables import PROPAGATION
from pipelines.titles.bodies import BodyJudge, Judged
from pipelines.titles.decided import as_decided, without_parted
from pipelines.titles.log import Entry
from pipelines.titles.recent_stories import RecentStories
from pipelines.titles.shared import SharedTitles, open_titles
from pipelines.titles.stories import Decision
from pipelines.waiting import waiting_rows

if TYPE_CHECKING:
    from pipelines.titles.divided import DividedTitles

_LARGEST_GROUP = 256
_GATHER_SECONDS = 0.05
"""In which titles wait for others, as their rows do in the store."""
_MAX_TITLE_CHARS = 1_000
_LONGEST_WRITE = timedelta(hours=1)


_Placed = tuple[Sequence[Row], list[str]]
"""Rows to be written, and the pages that they turn into reposts or that are none any more."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A title to decide about, the row and the text of its page, and who waits for the answer."""

    entry: Entry
    row: MutableRow
    text: str
    answer: asyncio.Future[_Placed]


class TitlesPipeline:
    """Adds a propagation row to each page with a title that is no list; if it joins a story, the story's rows are made again."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self.titles: SharedTitles | DividedTitles | None = None
        self._waiting = deque[_Asked]()
        self._deciding: asyncio.Task[None] | None = None
        self._counting = self._analysing = True
        self._bodies = BodyJudge(None)
        self._thread = ThreadPoolExecutor(1, "titles")  # one call at a time works; more threads would only cost memory
        self._stories = RecentStories()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def open_spider(self) -> None:
        self.titles = open_titles(self._crawler.settings)
        self._counting = self._crawler.settings.getbool("DISCUSSION_ENABLED", True)
        self._analysing = self._crawler.settings.getbool("ANALYSIS_ENABLED", True)
        compares = self._crawler.settings.getbool("TITLES_COMPARE_BODIES", True)
        self._bodies = BodyJudge(store_of(self._crawler), compares=compares)

    def close_spider(self) -> None:
        self._thread.shutdown()
        if self.titles is not None:
            self.titles.close()

    async def process_item(self, item: Item) -> Item:
        """Decide in a thread, since the log may be on a server."""
        if self.titles is None or not isinstance(item, PageItem) or not item.relevant or item.part_of:
            return item
        page = item.page
        if page.kind.is_list or not page.article.title.strip():
            return item
        try:
            rows, turned = await self._compared(item)
            item.rows.extend((PROPAGATION, member) for member in rows)
            item.rows.extend(waiting_rows(turned) if self._analysing else ())
        except Exception as error:
            item.page.failed("titles", error)
        return item

    async def _compared(self, item: PageItem) -> _Placed:
        row = propagation_row(item, count_records=self._counting)
        source, day = item.page.article.source, day_of(row["published_at"] or row["published"])
        entry = Entry(row["page"], row["title"][:_MAX_TITLE_CHARS], host_of(item.url), source, day)
        asked = _Asked(entry, row, item.page.article.text, asyncio.get_running_loop().create_future())
        self._waiting.append(asked)
        if self._deciding is None or self._deciding.done():
            self._deciding = asyncio.create_task(self._decide_waiting())
        return await asked.answer

    async def _decide_waiting(self) -> None:
        """Those that have come within a moment at once: the log is written to once for them, and one call of the thread does it."""
        while self._waiting:
            await asyncio.sleep(_GATHER_SECONDS)
            group = [self._waiting.popleft() for _ in range(min(len(self._waiting), _LARGEST_GROUP))]
            try:
                storage = storage_of(self._crawler)
                lag = storage.lag() if storage is not None else math.inf
                answers = await asyncio.get_running_loop().run_in_executor(self._thread, self._decided, group, lag)
            except Exception as error:
                answers = [error] * len(group)
            for asked, answer in zip(group, answers, strict=True):
                _reply(asked.answer, answer)

    def _decided(self, group: Sequence[_Asked], lag: float) -> list[_Placed | Exception]:
        """lag: seconds since the oldest write began that is not durable."""
        if self.titles is None:
            raise RuntimeError("no titles are open")
        self._stories.forget_stored(lag)
        decisions = self.titles.decide([asked.entry for asked in group])
        return [self._placed(asked, decision) for asked, decision in zip(group, decisions, strict=True)]

    def _placed(self, asked: _Asked, decision: Decision) -> _Placed | Exception:
        try:
            judged = self._bodies.judge(asked.entry.key, asked.entry.title, asked.text, decision)
            return self._story(asked.row | dict(decision_columns(judged)))
        except Exception as error:
            return error

    def _story(self, row: MutableRow) -> _Placed:
        """This row alone, or all rows of the story that it joins; what people have decided holds. One that was published earlier may
        come late."""
        store = store_of(self._crawler)
        row = as_decided(store, row) if store is not None else row
        story = row["story"]
        known = self._stories.take(story)
        if row["verdict"] == "repost":
            stored = self._stored(story)
            known = stored | {key: each for key, each in known.items() if key in stored or _is_recent(each)}
            known = without_parted(store, story, known) if store is not None else known
        present = known | {row["page"]: row}
        ordered = order_story(present.values()) if len(present) > 1 else [row]
        turned = turned_pages(known.values(), ordered)
        self._stories.put(story, ordered)
        return ordered, turned

    def _stored(self, story: str) -> dict[str, Row]:
        store = store_of(self._crawler)
        rows = store.select(PROPAGATION, [Condition("story", "=", story)]) if store is not None else ()
        return {row["page"]: row for row in rows}


def _reply(waiting: asyncio.Future[_Placed], answer: _Placed | Exception) -> None:
    if waiting.done():  # the crawl has given it up
        return
    if isinstance(answer, Exception):
        waiting.set_exception(answer)
    else:
        waiting.set_result(answer)


def _is_recent(row: Row) -> bool:
    """Whether it may not be durable yet; an older row that is not stored was removed, and does not come back."""
    return (row["fetched_at"] or "") > (datetime.now(UTC) - _LONGEST_WRITE).isoformat(timespec="seconds")


def day_of(published: str) -> int:
    """Days since 1970 of an ISO 8601 time; 0 if it is none."""
    try:
        return date.fromisoformat(published[:10]).toordinal() - date(1970, 1, 1).toordinal()
    except ValueError:
        return 0


def propagation_row(item: PageItem, *, count_records: bool = True) -> MutableRow:
    """What is known of a page before its title is compared; with the numbers of its records if they are wanted."""
    page, article = item.page, item.page.article
    records = page.records.records if count_records else ()
    first = next((record for record in records if record.is_first), None)
    return {
        "page": url_key(item.url),
        "title": article.title,
        "url": item.url,
        "site": article.source or host_of(item.url),
        "author": article.author,
        "published": article.published,
        "published_at": instants("published", article.published, article.language)["published_at"],
        "keywords": list(article.keywords),
        "replies": count_of(first.replies) if first else None,
        "views": count_of(first.views) if first else None,
        "comments": max(0, len(records) - (1 if first else 0)),
        "fetched_at": page.fetched_at.isoformat(timespec="seconds"),
    }


def decision_columns(judged: Judged) -> Row:
    """The columns of a decision before its story is put in order."""
    decision = judged.decision
    return {
        "story": decision.story,
        "original": decision.story,
        "verdict": decision.verdict,
        "rule": decision.rule,
        "matched": decision.matched,
        "cosine": round(decision.cosine, 4),
        "by_title": judged.by_title,
        "by_body": judged.body.verdict,
        "body_likeness": round(judged.body.likeness, 4),
        "delay_hours": None,
        "reposts": 0,
    }

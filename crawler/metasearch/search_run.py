"""One run of a meta-search: sends query pages to engines, stores their answers, and fetches new results."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from scrapy import Request
from scrapy.http import Response

from crawler.config.arguments import SearchArguments
from crawler.engines.protocol.engine import Engine, EngineAnswer, Reply
from crawler.engines.protocol.reading import read_answer, refusal
from crawler.meta import FOUND_BY_KEY, RESULT_KEY, WORDS_KEY
from crawler.metasearch.queries import Row, query_of
from crawler.metasearch.query_scheduler import QueryScheduler, describe_query
from crawler.metasearch.search_results import QueryRequests, SearchResults, cookies_of, reply_of, retry_after
from crawler.metasearch.site_proposals import SiteProposals, SiteProposer
from pipelines.items import PageItem, RowsItem
from pipelines.stores.base import Store
from pipelines.stores.tables import ENGINE_BACKOFFS, QUERIES, RESULTS

logger = logging.getLogger(__name__)
_MIN_NAP, _MAX_NAP = 0.05, 0.5


@dataclass(frozen=True, slots=True)
class Search:
    """Handles query pages, results and pages. Created after the store is open.

    Attributes:
        max_wait: seconds; a run that would wait longer for every engine ends.
    """

    engines: Mapping[str, Engine]
    arguments: SearchArguments
    max_wait: float
    store: Store
    scheduler: QueryScheduler
    requests: QueryRequests
    results: SearchResults
    proposals: SiteProposals
    proposer: SiteProposer

    async def query_pages(self) -> AsyncIterator[Request]:
        """Query pages, one under way per engine at its pace, until no engine is available."""
        while waits := self.scheduler.waits():
            name, wait = min(waits.items(), key=lambda pair: pair[1])
            if wait == 0 and (row := self.scheduler.start(name)):
                yield self.requests.request(row)
            elif wait > self.max_wait and self.scheduler.is_idle():
                left = self.scheduler.waiting()
                logger.warning("Query pages left for a later run, because their engines are in backoff: %s", left)
                return
            else:
                await asyncio.sleep(min(max(wait, _MIN_NAP), _MAX_NAP))

    def on_first_page(self, response: Response, row: Row) -> Iterator[Request | RowsItem]:
        """Process an engine's first page, and send the waiting query with its cookies."""
        if row["engine"] not in self.engines:
            return
        reply = reply_of(response)
        if reason := refusal(reply):
            yield self._back_off(row | {"state": "blocked", "reason": reason, "tries": row["tries"] + 1}, reply)
            return
        self.requests.keep_cookies(row["engine"], cookies_of(response))
        yield self.requests.request(row)

    def on_answer(self, response: Response, row: Row) -> Iterator[Request | RowsItem]:
        """Store an answer of one of the four kinds, and request new results."""
        if (engine := self.engines.get(row["engine"])) is None:
            return  # an earlier run's query to an engine that this run does not use: it waits in the store
        reply = reply_of(response)
        answer = read_answer(engine, reply)
        row = row | {"state": answer.kind, "reason": answer.reason[:500], "asked_at": _now(), "tries": row["tries"] + 1}
        if answer.kind == "blocked":
            yield self._back_off(row, reply)
            return
        if answer.kind == "layout_changed":
            logger.error("The layout of %s has changed: %s (%s)", row["engine"], answer.reason, response.url)
        yield from self._keep(row, answer, engine.carry(reply) if engine.carry else None)

    def _back_off(self, row: Row, reply: Reply) -> RowsItem:
        self.requests.drop_cookies(row["engine"])
        backoff = self.scheduler.on_block(row, retry_after(reply))
        logger.warning("%s blocks (%s): no requests for %.0f s", *self._block(row))
        return RowsItem([(QUERIES, row), (ENGINE_BACKOFFS, backoff)])

    def _block(self, row: Row) -> tuple[str, str, float]:
        """Engine, reason, and seconds of its backoff."""
        return row["engine"], row["reason"], self.scheduler.backoff.left(row["engine"])

    def _keep(self, row: Row, answer: EngineAnswer, carried: Mapping[str, str] | None) -> Iterator[Request | RowsItem]:
        about = self.engines[row["engine"]].about
        found = self.results.rows(row, answer, about, query_of(row, about, self.arguments).since)
        new = [each for each in found if each["state"] == "new"]
        rows: list[tuple[Any, Any]] = [(QUERIES, row | {"results": len(found), "new": len(new)})]
        rows += [(RESULTS, each) for each in found]
        if answer.results and row["page"] < min(self.arguments.pages, about.pages) and (carried is None or carried):
            rows.append((QUERIES, self.scheduler.queries.add_next_page(row, carried or {})))
        if backoff := self.scheduler.on_answer(row, len(found), len(new)):
            rows.append((ENGINE_BACKOFFS, backoff))
        text = describe_query(row)
        logger.info("%s %s: %s, %d results, %d new", row["engine"], text, answer.kind, len(found), len(new))
        yield RowsItem(rows)
        yield from map(self.results.request, new)

    def on_page(self, item: PageItem, meta: Mapping[str, Any]) -> Iterator[Request | RowsItem]:
        """Count a page for the query that found it, and for its host."""
        if (result := meta.get(RESULT_KEY)) and self.proposals.is_relevant(item):
            yield self.results.relevant_row(result[0])
        yield from self.proposer.propose(item, meta.get(WORDS_KEY, ""))

    def on_dropped(self, request: Request) -> None:
        if request.meta.get(FOUND_BY_KEY) == "query":
            self.scheduler.on_dropped(request.cb_kwargs["row"])

    def on_given_up(self, request: Request, reason: str) -> None:
        """Back off from an engine that did not answer, or note a result that cannot be fetched."""
        if request.meta.get(FOUND_BY_KEY) == "query" and request.cb_kwargs["row"]["engine"] in self.engines:
            row = request.cb_kwargs["row"] | {
                "state": "blocked",
                "reason": reason[:500],
                "tries": request.cb_kwargs["row"]["tries"] + 1,
                "asked_at": _now(),
            }
            backoff = self.scheduler.on_block(row, 0.0)
            logger.warning("%s does not answer (%s): no requests for %.0f s", *self._block(row))
            self.store.upsert(QUERIES, [row])
            self.store.upsert(ENGINE_BACKOFFS, [backoff])
        elif result := request.meta.get(RESULT_KEY):
            self.store.upsert(RESULTS, [{"query": result[0], "key": result[1], "state": "failed"}])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

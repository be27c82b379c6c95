"""Meta-search: the topic's terms go to search engines, what they answer is stored and crawled."""

import asyncio
import logging
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Self

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response

from crawler.config.arguments import SiteArguments, search_arguments, site_arguments
from crawler.engines.protocol.engine import Answer, Cookies, Engine, Query, QueryRequest, Reply
from crawler.engines.protocol.reading import read_answer, refusal
from crawler.frontier.acknowledging import given_up
from crawler.links.scope import Scope
from crawler.meta import DEPTH_KEY, FOUND_BY_KEY, READS_REFUSALS_KEY, RESULT_KEY, WORDS_KEY
from crawler.metasearch.proposing import ProposingSpider
from crawler.metasearch.queries import SearchTerms, plan_queries, prepare_search, query_of, search_terms_of
from crawler.metasearch.query_scheduler import QueryScheduler, describe_query
from crawler.metasearch.query_store import QueryStore, Row, query_yields
from crawler.metasearch.result_rows import cookies_of, reply_of, resolved, result_row, retry_after, state_of, target_of
from crawler.metasearch.site_proposals import SiteProposals, text_relevance
from crawler.priorities import QUERY_SCORE, REDIRECT_SCORE, priority_of
from crawler.services import services_of
from crawler.strategies.topical import TopicalStrategy
from crawler.terms.term_store import TermStore
from extractors.links.urls import canonical_url, host_of
from pipelines.items import PageItem, RowsItem
from pipelines.storage import required_store
from pipelines.stores.base import Store
from pipelines.stores.tables import ENGINE_BACKOFFS, QUERIES, REDIRECTS, RESULTS

logger = logging.getLogger(__name__)
_ENGINE_META = {"dont_redirect": True, "dont_obey_robotstxt": True}
"""A query is not a crawl of the engine: its own delay, backoff and refusals apply instead."""
_WARM_SECONDS = 3_600.0
"""For which the cookies of an engine's first page are used."""
_USUAL_THRESHOLD = 0.5


class MetaSearchSpider(ProposingSpider):
    """`scrapy crawl metasearch -a topic=NAME`; the arguments are those of `crawler.config.arguments`."""

    name = "metasearch"
    check_arguments = staticmethod(search_arguments)  # type: ignore[assignment]  # other arguments, other answer
    check_settings = staticmethod(prepare_search)
    terms: SearchTerms
    engines: dict[str, Engine]
    language = "zh"
    query_scheduler: QueryScheduler | None = None

    def __init__(self, **given: str) -> None:
        Spider.__init__(self, self.name)
        self.asked_for = asked = search_arguments(**given)
        base: SiteArguments = site_arguments(
            crawl=asked.crawl, topic="" if asked.terms else asked.topic, max_pages=asked.max_pages, depth=asked.depth
        )
        self.arguments = base
        self.crawl_name = asked.crawl
        self.scope = Scope([], list(asked.sites))
        self.pages = 0
        self._claims: Counter[str] = Counter()
        self._relevant: Counter[str] = Counter()
        self._warm: dict[str, tuple[float, Cookies]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **given: Any) -> Self:
        """Scrapy's way of making it; reads the METASEARCH_ settings. CloseSpider, said in a line, for what is wrong."""
        spider = super().from_crawler(crawler, *args, **given)
        try:
            spider.terms, spider.engines = prepare_search(spider.asked_for, crawler.settings)
        except ValueError as error:
            logger.error("%s", error)
            raise CloseSpider("wrong_arguments") from error
        spider._choose_proxies(crawler)
        for handler, signal in (
            (spider._given_up, given_up),
            (spider._dropped, signals.request_dropped),
            (spider._idle, signals.spider_idle),
            (spider._report, signals.spider_closed),
        ):
            crawler.signals.connect(handler, signal)
        return spider

    def _take_into_scope(self, request: Request) -> None:
        """Results are fetched and no more: the links of a host are followed once it is let in."""

    def _choose_proxies(self, crawler: Crawler) -> None:
        for about, request in ((engine.about, engine.request) for engine in self.engines.values()):
            if about.proxies:
                host = host_of(request(Query("x"), os.environ).url)
                services_of(crawler).sites.send_through(host, about.proxies, about.proxy_policy)

    @property
    def store(self) -> Store:
        """The open store."""
        return required_store(self.crawler)

    # -- asking ---------------------------------------------------------------------------------------------------------

    async def start(self) -> AsyncIterator[Request]:
        """Query pages, one under way at each engine, each engine at its pace, until none is left that may be asked."""
        self.query_scheduler = scheduler = self._opened()
        patience = self.settings.getfloat("FRONTIER_MAX_WAIT")
        while waits := scheduler.waits():
            name, wait = min(waits.items(), key=lambda pair: pair[1])
            if wait == 0 and (row := scheduler.start(name)):
                yield self._ask(row)
            elif wait > patience and scheduler.is_idle():
                logger.warning(
                    "Query pages left for a later run, because their engines are in backoff: %s", scheduler.waiting()
                )
                return
            else:
                await asyncio.sleep(min(max(wait, 0.05), 0.5))

    def _opened(self) -> QueryScheduler:
        """The store is open by now: terms that people have accepted, what earlier runs have brought, what they have left."""
        settings, asked = self.settings, self.asked_for
        threshold, name = _USUAL_THRESHOLD, asked.topic
        if isinstance(self.strategy, TopicalStrategy):
            topic = TermStore(self.store, self.strategy.topic).library().topic()
            self.terms, threshold, name = search_terms_of(topic), topic.threshold, topic.name
            self.language = topic.languages[0] if topic.languages else self.language
        needed, budget = (settings.getint(f"METASEARCH_SITE_{name}") for name in ("PAGES", "BUDGET"))
        self.proposals = SiteProposals(self.store, asked.crawl, needed, budget, threshold)
        for home in self.proposals.admitted_homes():
            self.scope.widen(home)
        queries = QueryStore(self.store, asked.crawl, name, settings.getfloat("METASEARCH_REPEAT_DAYS"))
        scheduler = QueryScheduler(self.store, queries, self.engines, settings.getfloat("FRONTIER_MAX_WAIT"))
        yields = query_yields(self.store, name)
        scheduler.open(plan_queries(self.terms, asked.sites, settings.getint("METASEARCH_MAX_QUERIES"), yields))
        return scheduler

    def _ask(self, row: Row) -> Request:
        engine = self.engines[row["engine"]]
        until, cookies = self._warm.get(row["engine"], (0.0, {}))
        if engine.warm_up is not None and time.monotonic() > until:
            return self._engine_request(engine.warm_up, row, self.parse_warm_up, {})
        asking = engine.request(query_of(row, engine.about, self.asked_for, self.language), os.environ)
        return self._engine_request(asking, row, self.parse_answer, cookies)

    def _engine_request(self, asking: QueryRequest, row: Row, callback: Any, cookies: Cookies) -> Request:
        return Request(
            asking.url,
            callback,
            method=asking.method,
            headers=dict(asking.headers),
            cookies={**asking.cookies, **cookies},
            body=asking.body,
            priority=QUERY_SCORE * self.strategy.scale,
            meta={**_ENGINE_META, READS_REFUSALS_KEY: True, FOUND_BY_KEY: "query"},
            cb_kwargs={"row": row},
            dont_filter=bool(row["tries"]) or callback == self.parse_warm_up,
        )

    def parse_warm_up(self, response: Response, row: Row) -> Iterator[Request | RowsItem]:
        """The engine's first page: its cookies go with the queries of the next hour, the one that waits first of all."""
        if row["engine"] not in self.engines:
            return
        reply = reply_of(response)
        if reason := refusal(reply):
            yield self._rest(row | {"state": "blocked", "reason": reason, "tries": row["tries"] + 1}, reply)
            return
        self._warm[row["engine"]] = (time.monotonic() + _WARM_SECONDS, cookies_of(response))
        yield self._ask(row)

    def _dropped(self, request: Request) -> None:
        if self.query_scheduler and request.meta.get(FOUND_BY_KEY) == "query":
            self.query_scheduler.on_dropped(request.cb_kwargs["row"])

    def _given_up(self, request: Request, reason: str) -> None:
        """A query that got no answer, or a result that cannot be fetched."""
        if self.query_scheduler and request.meta.get(FOUND_BY_KEY) == "query":
            row = request.cb_kwargs["row"]
            self.query_scheduler.release(row)
            failed = {"state": "failed", "reason": reason[:500], "tries": row["tries"] + 1, "asked_at": _now()}
            self.store.upsert(QUERIES, [row | failed])
        elif result := request.meta.get(RESULT_KEY):
            self.store.upsert(RESULTS, [{"query": result[0], "key": result[1], "state": "failed"}])

    # -- answers --------------------------------------------------------------------------------------------------------

    def parse_answer(self, response: Response, row: Row) -> Iterator[Request | RowsItem]:
        """One of the four answers, stored; results that are new are fetched."""
        if (engine := self.engines.get(row["engine"])) is None:
            return  # an earlier run's query to an engine that this run does not ask: it waits in the store
        reply = reply_of(response)
        answer = read_answer(engine, reply)
        row = row | {"state": answer.kind, "reason": answer.reason[:500], "asked_at": _now(), "tries": row["tries"] + 1}
        if answer.kind == "blocked":
            yield self._rest(row, reply)
            return
        if answer.kind == "layout_changed":
            logger.error("The layout of %s has changed: %s (%s)", row["engine"], answer.reason, response.url)
        yield from self._take(row, answer, engine.carry(reply) if engine.carry else None)

    def _rest(self, row: Row, reply: Reply) -> RowsItem:
        assert self.query_scheduler is not None
        self._warm.pop(row["engine"], None)
        rest = self.query_scheduler.on_block(row, retry_after(reply))
        seconds = self.query_scheduler.backoff.left(row["engine"])
        logger.warning("%s blocks (%s): no requests for %.0f s", row["engine"], row["reason"], seconds)
        return RowsItem([(QUERIES, row), (ENGINE_BACKOFFS, rest)])

    def _take(self, row: Row, answer: Answer, carried: Mapping[str, str] | None) -> Iterator[Request | RowsItem]:
        assert self.query_scheduler is not None
        about, now = self.engines[row["engine"]].about, datetime.now(UTC)
        since = query_of(row, about, self.asked_for).since
        found = [result_row(row, result, about, now) for result in answer.results]
        scores = self._scores(found)
        found = [
            each | {"state": state_of(self.store, each, since), "score": round(score, 4)}
            for each, score in zip(found, scores, strict=True)
        ]
        new = sum(each["state"] == "new" for each in found)
        rows: list[tuple[Any, Any]] = [(QUERIES, row | {"results": len(found), "new": new})]
        rows += [(RESULTS, each) for each in found]
        if answer.results and row["page"] < min(self.asked_for.pages, about.pages) and (carried is None or carried):
            rows.append((QUERIES, self.query_scheduler.add_next_page(row, carried or {})))
        if rest := self.query_scheduler.on_answer(row, len(found), new):
            rows.append((ENGINE_BACKOFFS, rest))
        logger.info("%s %s: %s, %d results, %d new", row["engine"], describe_query(row), answer.kind, len(found), new)
        yield RowsItem(rows)
        yield from (self._fetch(each) for each in found if each["state"] == "new")

    def _scores(self, found: Sequence[Row]) -> list[float]:
        """What titles and snippets promise, 0 … 1: by the topic, else by the terms in them."""
        if isinstance(self.strategy, TopicalStrategy):
            texts = [f"{each['title']} {each['snippet']}" for each in found]
            return [float(score) for score in self.strategy.relevance.score_texts(texts)]
        return [text_relevance(each["title"], each["snippet"], self.terms.subjects) for each in found]

    def _fetch(self, result: Row) -> Request:
        target = result["target"] or resolved(self.store, result["url"])
        if target:
            return self._page_request(target, result)
        kept = {name: result[name] for name in ("query", "key", "rank", "score", "words")}
        meta = {**_ENGINE_META, FOUND_BY_KEY: "redirect"}
        priority = REDIRECT_SCORE * self.strategy.scale
        return Request(result["url"], self.parse_target, priority=priority, meta=meta, cb_kwargs={"result": kept})

    def _page_request(self, url: str, result: Row) -> Request:
        told = {RESULT_KEY: [result["query"], result["key"]], WORDS_KEY: result["words"]}
        scale = self.strategy.scale
        priority = scale + priority_of(min(1.0, result["score"]) - min(result["rank"], 99) / 1_000, scale)
        meta = {DEPTH_KEY: 0, FOUND_BY_KEY: "search", **told}
        return Request(canonical_url(url) or url, self.parse, priority=priority, meta=meta)

    def parse_target(self, response: Response, result: Row) -> Iterator[Request | RowsItem]:
        """Where an engine's redirect leads; kept, so that it is asked once."""
        named = {"query": result["query"], "key": result["key"]}
        target = target_of(response)
        if not target:
            state = "dead" if response.status in (404, 410) else "failed"
            yield RowsItem([(RESULTS, named | {"state": state})])
            return
        kept = {"key": result["key"], "url": response.url, "target": target, "resolved_at": _now()}
        state = state_of(self.store, {"target": target, "url": "", "date": ""}, None)
        yield RowsItem([(REDIRECTS, kept), (RESULTS, named | {"target": target, "state": state})])
        if state == "new":
            yield self._page_request(target, result)

    # -- what pages teach -----------------------------------------------------------------------------------------------

    def parse(self, response: Response) -> Iterator[Request | PageItem | RowsItem]:
        """As every page; it also speaks for its host and for the query that found it."""
        if response.status in (404, 410) and (result := response.meta.get(RESULT_KEY)):
            yield RowsItem([(RESULTS, {"query": result[0], "key": result[1], "state": "dead"})])
        for output in super().parse(response):
            if isinstance(output, PageItem):
                yield from self._judged(output, response)
            yield output

    def _judged(self, item: PageItem, response: Response) -> Iterator[Request | RowsItem]:
        item.topic = item.topic or self.asked_for.topic
        if item.relevance is None:
            article = item.page.article
            item.relevance = text_relevance(article.title, article.text, self.terms.subjects)
        if (result := response.meta.get(RESULT_KEY)) and self.proposals.is_relevant(item):
            yield RowsItem([(QUERIES, {"key": result[0], "relevant": self._count_relevant(result[0])})])
        yield from self.propose(item, response.meta.get(WORDS_KEY, ""))

    def _count_relevant(self, query: str) -> int:
        if query not in self._relevant:
            stored = self.store.get(QUERIES, query)
            self._relevant[query] = (stored["relevant"] or 0) if stored else 0
        self._relevant[query] += 1
        return self._relevant[query]

    # -- what people see ------------------------------------------------------------------------------------------------

    def progress(self) -> list[str]:
        """A line for each engine."""
        return list(self.query_scheduler.progress_lines()) if self.query_scheduler else []

    def _idle(self) -> None:
        """At the end of a run its best pages propose terms, even if they are few."""
        finish = getattr(self.strategy, "finish", None)
        if finish is not None:
            finish()

    def _report(self) -> None:
        for line in self.progress():
            logger.info("%s", line)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

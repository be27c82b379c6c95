"""Meta-search: the topic's terms go to search engines; their results are stored and crawled."""

import logging
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response

from crawler.config.arguments import JOB, search_arguments, site_arguments
from crawler.engines.protocol.engine import Engine, EngineQuery
from crawler.frontier.acknowledging import given_up
from crawler.links.scope import Scope
from crawler.meta import RESULT_KEY
from crawler.metasearch.queries import (
    QueryStore,
    Row,
    SearchTerms,
    plan_queries,
    prepare_search,
    query_yields,
    search_terms_of,
)
from crawler.metasearch.query_scheduler import QueryScheduler
from crawler.metasearch.search_results import QueryRequests, SearchResults
from crawler.metasearch.search_run import Search
from crawler.metasearch.site_proposals import SiteProposals, SiteProposer
from crawler.metasearch.term_judge import TermJudge, text_relevance
from crawler.services import services_of
from crawler.spiders.base import CrawlSpider
from crawler.spiders.page_reader import Output
from crawler.strategies import make_strategy
from crawler.strategies.topical import TopicalStrategy
from crawler.terms.term_store import TermStore
from extractors.links.urls import host_of
from pipelines.items import PageItem, RowsItem
from pipelines.storage import required_store
from pipelines.stores.tables import RESULTS

logger = logging.getLogger(__name__)
_DEFAULT_LANGUAGE = "zh"
_DEFAULT_THRESHOLD = 0.5


class MetaSearchSpider(CrawlSpider):
    """`scrapy crawl metasearch -a topic=NAME`; the arguments are those of `crawler.config.arguments`."""

    name = "metasearch"
    check_arguments = staticmethod(search_arguments)
    check_settings = staticmethod(prepare_search)
    _terms: SearchTerms
    _engines: dict[str, Engine]
    _sources: tuple[str, ...]

    def __init__(self, **given: str) -> None:
        self.search_arguments = asked = search_arguments(**given)
        topic = "" if asked.terms else asked.topic
        limits = site_arguments(crawl=asked.crawl, topic=topic, max_pages=asked.max_pages, depth=asked.depth)
        super().__init__(asked.crawl, Scope([], list(asked.sites)), limits, given.get(JOB, ""))
        self._search: Search | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **given: Any) -> Self:
        """Called by Scrapy; reads the METASEARCH_ settings. Raises CloseSpider with a one-line message."""
        spider = super().from_crawler(crawler, *args, **given)
        asked = spider.search_arguments
        try:
            strategy, topic = make_strategy(crawler, spider.arguments.topic)
            spider._terms, spider._engines = prepare_search(asked, crawler.settings)
        except ValueError as error:
            logger.error("%s", error)
            raise CloseSpider("wrong_arguments") from error
        spider._sources = asked.sources or (topic.sources if topic is not None else ())
        judge = strategy if topic is not None else TermJudge.of(strategy, spider._terms.subjects, asked.topic)
        spider.tools = spider.equip(crawler, judge)
        spider._choose_proxies(crawler)
        for handler, signal in (
            (spider._given_up, given_up),
            (spider._dropped, signals.request_dropped),
            (spider._idle, signals.spider_idle),
            (spider._report, signals.spider_closed),
        ):
            crawler.signals.connect(handler, signal)
        return spider

    def _choose_proxies(self, crawler: Crawler) -> None:
        for about, request in ((engine.about, engine.request) for engine in self._engines.values()):
            if about.proxies:
                host = host_of(request(EngineQuery("x"), os.environ).url)
                services_of(crawler).sites.send_through(host, about.proxies, about.proxy_policy)

    async def start(self) -> AsyncIterator[Request]:
        self._search = search = self._open()
        for listed in self.source_requests(self._sources):
            yield listed.replace(errback=self.on_list_failure)
        async for request in search.query_pages():
            yield request
        if self.crawler.stats:
            self.crawler.stats.set_value("search/left", sum(search.scheduler.waiting().values()))

    def _open(self) -> Search:
        """Load from the open store the accepted terms, the yields of earlier runs, and their remaining queries."""
        settings, asked, store = self.settings, self.search_arguments, required_store(self.crawler)
        terms, language, threshold, name = self._terms, _DEFAULT_LANGUAGE, _DEFAULT_THRESHOLD, asked.topic
        if isinstance(self.strategy, TopicalStrategy):
            topic = TermStore(store, self.strategy.topic).library().topic()
            terms, threshold, name = search_terms_of(topic), topic.threshold, topic.name
            language = topic.languages[0] if topic.languages else language
        needed, budget = (settings.getint(f"METASEARCH_SITE_{limit}") for limit in ("PAGES", "BUDGET"))
        proposals = SiteProposals(store, asked.crawl, needed, budget, threshold)
        for home in proposals.admitted_homes():
            self.scope.widen(home)
        queries = QueryStore(store, asked.crawl, name, settings.getfloat("METASEARCH_REPEAT_DAYS"))
        max_wait, scale, tools = settings.getfloat("FRONTIER_MAX_WAIT"), self.strategy.scale, self.tools
        scheduler = QueryScheduler(store, queries, self._engines, max_wait)
        limit = settings.getint("METASEARCH_MAX_QUERIES")
        queries.open(self._engines, plan_queries(terms, asked.sites, limit, query_yields(store, name)))
        return Search(
            self._engines,
            asked,
            max_wait,
            store,
            scheduler,
            QueryRequests(self._engines, asked, language, scale, self.parse_answer, self.parse_visit_first),
            SearchResults(store, self._scores, scale, self.parse, self.parse_target),
            proposals,
            SiteProposer(proposals, asked.crawl, self.scope, tools.follower, tools.listings, self),
        )

    def _scores(self, results: Sequence[Row]) -> list[float]:
        """Scores of results, 0 … 1, from titles and snippets: by the topic, else by the terms in them."""
        if isinstance(self.strategy, TopicalStrategy):
            texts = [f"{result['title']} {result['snippet']}" for result in results]
            return [float(score) for score in self.strategy.relevance.score_texts(texts)]
        return [text_relevance(result["title"], result["snippet"], self._terms.subjects) for result in results]

    @property
    def search(self) -> Search:
        """The search; RuntimeError before `start`."""
        if self._search is None:
            raise RuntimeError("the search has not begun")
        return self._search

    def parse_visit_first(self, response: Response, row: Row) -> Iterator[Request | RowsItem]:
        yield from self.search.on_first_page(response, row)

    def parse_answer(self, response: Response, row: Row) -> Iterator[Request | RowsItem]:
        self.count_page(response)
        yield from self.search.on_answer(response, row)

    def parse_target(self, response: Response, result: Row) -> Iterator[Request | RowsItem]:
        yield from self.search.results.of_target(response, result)

    def parse_site(self, response: Response, site: Row) -> Iterator[Request | RowsItem]:
        """Parse the robots.txt of a proposed or admitted host."""
        yield from self.search.proposer.of_robots(response, site)

    async def parse_site_map(self, response: Response, site: Row) -> AsyncIterator[Request | RowsItem]:
        """Parse the sitemap at the default address of a host."""
        async for output in self.search.proposer.of_sitemap(response, site):
            yield output

    def parse_page(self, response: Response) -> Iterator[Output]:
        """Parse a page as usual, and count it for its host and for the query that found it."""
        if response.status in (404, 410) and (result := response.meta.get(RESULT_KEY)):
            yield RowsItem([(RESULTS, {"query": result[0], "key": result[1], "state": "dead"})])
        for output in super().parse_page(response):
            if isinstance(output, PageItem):
                yield from self.search.on_page(output, response.meta)
            yield output

    def _dropped(self, request: Request) -> None:
        if self._search:
            self._search.on_dropped(request)

    def _given_up(self, request: Request, reason: str) -> None:
        self.count_refusal(f"{request.url}: {reason}")
        if self._search:
            self._search.on_given_up(request, reason)

    def progress(self) -> list[str]:
        return list(self._search.scheduler.progress_lines()) if self._search else []

    def _idle(self) -> None:
        """Propose terms from the best pages at the end of a run, even if they are few."""
        finish = getattr(self.strategy, "finish", None)
        if finish is not None:
            finish()

    def _report(self) -> None:
        for line in self.progress():
            logger.info("%s", line)

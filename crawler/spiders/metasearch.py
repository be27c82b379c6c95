"""Meta-search: the topic's terms go to search engines, what they answer is stored and crawled."""

import asyncio
import logging
import os
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any, Self

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response

from crawler.arguments import SiteArguments, site_arguments
from crawler.domains import Scope
from crawler.engines.base import Answer, KeyMissingError, Query, Reply, Result
from crawler.engines.queries import plan
from crawler.engines.reading import read
from crawler.engines.resting import Resting
from crawler.engines.unwrapping import needs_resolving
from crawler.frontier.scheduler import given_up
from crawler.items import PageItem, RowsItem
from crawler.query_book import QueryBook, Row
from crawler.search_arguments import search_arguments
from crawler.search_preparation import query_of, wanted
from crawler.site_proposals import SiteProposals, term_relevance
from crawler.sites import sites_of
from crawler.spiders.site import SiteSpider
from extractors.urls import canonical_url, host_of, url_key
from pipelines.stores.base import Store
from pipelines.stores.tables import QUERIES, REDIRECTS, RESTS, RESULTS, SITES, URLS

logger = logging.getLogger(__name__)
_KNOWN = ("fetched", "unchanged", "part", "other", "irrelevant", "dead")
_SCRIPTED = re.compile(
    rb"(?:location\.replace\(|location(?:\.href)?\s*=|URL=)\s*['\"]?(https?://[^'\"<>\s)]{1,2000})", re.I
)
_ENGINE_META = {"dont_redirect": True, "dont_obey_robotstxt": True}
"""A person's query is no crawl of the engine; its pace, its rests and its own refusals are kept instead."""


class MetaSearchSpider(SiteSpider):
    """`scrapy crawl metasearch -a topic=NAME`; the arguments are those of `crawler.search_arguments`."""

    name = "metasearch"
    check_arguments = staticmethod(search_arguments)  # type: ignore[assignment]  # other arguments, other answer
    check_settings = staticmethod(wanted)

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
        self._busy: dict[str, Row] = {}
        self._tally: Counter[tuple[str, str]] = Counter()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **given: Any) -> Self:
        """Scrapy's way of making it; reads the METASEARCH_ settings. CloseSpider, said in a line, for what is wrong."""
        spider = super().from_crawler(crawler, *args, **given)
        try:
            spider._prepare(crawler)
        except (ValueError, KeyMissingError) as error:
            logger.error("%s", error)
            raise CloseSpider("wrong_arguments") from error
        crawler.signals.connect(spider._given_up, given_up)
        crawler.signals.connect(spider._report, signals.spider_closed)
        return spider

    def _prepare(self, crawler: Crawler) -> None:
        settings, asked = crawler.settings, self.asked_for
        self.terms, self.engines = wanted(asked, settings)
        sites = sites_of(crawler)
        for engine in self.engines.values():
            if engine.about.proxies:
                host = host_of(engine.request(Query("x"), os.environ).url)
                sites.send_through(host, engine.about.proxies, engine.about.proxy_policy)
        self.resting = Resting((engine.about for engine in self.engines.values()), time.time)
        self.proposals = SiteProposals(
            asked.crawl, settings.getint("METASEARCH_SITE_PAGES"), settings.getint("METASEARCH_SITE_BUDGET")
        )

    @property
    def store(self) -> Store:
        """The open store."""
        store: Store = self.crawler.storage.store  # type: ignore[attr-defined]  # the storage pipeline puts itself there
        return store

    # -- asking ---------------------------------------------------------------------------------------------------------

    async def start(self) -> AsyncIterator[Request]:
        """Query pages, one under way at each engine, each engine at its pace, until none is left that may be asked."""
        self.book = QueryBook(self.store, self.crawl_name)
        most = self.settings.getint("METASEARCH_MAX_QUERIES")
        self.book.open(self.engines, plan(self.terms, self.asked_for.sites, most))
        patience = self.settings.getfloat("FRONTIER_PATIENCE")
        while waits := self._waits():
            name, wait = min(waits.items(), key=lambda pair: pair[1])
            if wait == 0 and name not in self._busy and (row := self.book.next(name)):
                yield self._ask(row)
            elif wait > patience and not self._busy:
                logger.warning("Left for a later run, engines rest: %s", self.book.waiting())
                return
            else:
                await asyncio.sleep(min(max(wait, 0.05), 0.5))

    def _waits(self) -> dict[str, float]:
        """Seconds until each engine that has work may be asked; 0.05 while a query of it is under way."""
        for row in self.store.select(RESTS):
            if row["engine"] in self.engines and (row["until"] or 0) > time.time():
                self.resting.load(row)
        names = [name for name, count in self.book.waiting().items() if count or name in self._busy]
        return {name: max(self.resting.wait(name), 0.05 if name in self._busy else 0.0) for name in names}

    def _ask(self, row: Row) -> Request:
        name = row["engine"]
        self._busy[name] = row
        self.resting.asked(name)
        engine = self.engines[name]
        asking = engine.request(query_of(row, engine.about, self.asked_for), os.environ)
        return Request(
            asking.url,
            self.parse_answer,
            method=asking.method,
            headers=dict(asking.headers),
            cookies=dict(asking.cookies),
            body=asking.body,
            priority=4 * self.strategy.scale,
            meta={**_ENGINE_META, "found_by": "query"},
            cb_kwargs={"row": row},
            dont_filter=bool(row["tries"]),
        )

    def _given_up(self, request: Request, reason: str) -> None:
        row = request.cb_kwargs.get("row")
        if row and request.meta.get("found_by") == "query":
            self._busy.pop(row["engine"], None)
            self.store.upsert(QUERIES, [row | {"state": "failed", "reason": reason[:500]}])

    # -- answers --------------------------------------------------------------------------------------------------------

    def parse_answer(self, response: Response, row: Row) -> Iterator[Request | RowsItem]:
        """One of the four answers, stored; results that are new are fetched."""
        name = row["engine"]
        headers = {
            key.decode("latin-1").lower(): (response.headers[key] or b"").decode("latin-1") for key in response.headers
        }
        answer = read(self.engines[name], Reply(response.url, response.status, response.body, headers))
        now = datetime.now(UTC).isoformat(timespec="seconds")
        row = row | {"state": answer.kind, "reason": answer.reason[:500], "asked_at": now, "tries": row["tries"] + 1}
        self._tally[name, answer.kind] += 1
        if answer.kind == "blocked":
            yield self._rest(row, headers)
        else:
            if answer.kind == "layout_changed":
                logger.error("The layout of %s has changed: %s (%s)", name, answer.reason, response.url)
            yield from self._take(row, answer, now)
        self._busy.pop(name, None)

    def _rest(self, row: Row, headers: dict[str, str]) -> RowsItem:
        after = headers.get("retry-after", "")
        rest = self.resting.blocked(row["engine"], float(after) if after.isdigit() and len(after) < 7 else 0.0)
        seconds = self.resting.wait(row["engine"])
        logger.warning("%s blocks (%s): it rests for %.0f s", row["engine"], row["reason"], seconds)
        self.book.again(row)
        return RowsItem([(QUERIES, row), (RESTS, rest)])

    def _take(self, row: Row, answer: Answer, now: str) -> Iterator[Request | RowsItem]:
        fresh = [result for result in answer.results if not self._is_known(result.url)]
        rows: list[tuple[Any, Any]] = [(QUERIES, row | {"results": len(answer.results), "new": len(fresh)})]
        if rest := self.resting.answered(row["engine"]):
            rows.append((RESTS, rest))
        rows += [(RESULTS, self._result_row(row, result, now)) for result in answer.results]
        about = self.engines[row["engine"]].about
        if answer.results and row["page"] < min(self.asked_for.pages, about.pages):
            rows.append((QUERIES, self.book.further(row)))
        self._tally[row["engine"], "links"] += len(answer.results)
        self._tally[row["engine"], "new"] += len(fresh)
        yield RowsItem(rows)
        for result in fresh:
            yield self._fetch(result, row)

    def _is_known(self, url: str) -> bool:
        found = self.store.get(URLS, url_key(url))
        return bool(found and found["state"] in _KNOWN)

    def _result_row(self, row: Row, result: Result, now: str) -> Row:
        target = "" if needs_resolving(result.url) else result.url
        named = {"query": row["key"], "key": url_key(result.url), "crawl": self.crawl_name, "engine": row["engine"]}
        told = {"title": result.title, "snippet": result.snippet, "date": result.date, "rank": result.rank}
        return named | told | {"words": row["words"], "url": result.url, "target": target, "found_at": now}

    def _fetch(self, result: Result, row: Row) -> Request:
        if not needs_resolving(result.url):
            return self._page_request(result.url, result.rank)
        key = url_key(result.url)
        if known := self.store.get(REDIRECTS, key):
            return self._page_request(known["target"], result.rank)
        given = {"result": {"query": row["key"], "key": key, "rank": result.rank}}
        meta = {**_ENGINE_META, "found_by": "redirect"}
        return Request(result.url, self.parse_target, priority=3 * self.strategy.scale, meta=meta, cb_kwargs=given)

    def _page_request(self, url: str, rank: int) -> Request:
        meta = {"depth": 0, "found_by": "search"}
        return Request(
            canonical_url(url) or url, self.parse, priority=2 * self.strategy.scale - min(rank, 99), meta=meta
        )

    def parse_target(self, response: Response, result: Row) -> Iterator[Request | RowsItem]:
        """Where an engine's redirect leads; kept, so that it is asked once."""
        location = (response.headers.get("Location") or b"").decode("latin-1")
        scripted = _SCRIPTED.search(response.body[:20_000])
        target = response.urljoin(location) if location else scripted[1].decode("latin-1") if scripted else ""
        if not target.startswith(("http://", "https://")) or needs_resolving(target):
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        kept = {"key": result["key"], "url": response.url, "target": target, "resolved_at": now}
        named = {"query": result["query"], "key": result["key"], "target": target}
        yield RowsItem([(REDIRECTS, kept), (RESULTS, named)])
        if not self._is_known(target):
            yield self._page_request(target, result["rank"])

    # -- what pages teach -----------------------------------------------------------------------------------------------

    def parse(self, response: Response) -> Iterator[Request | PageItem | RowsItem]:
        """As every page; it also speaks for its host."""
        for output in super().parse(response):
            if isinstance(output, PageItem):
                yield from self._judged(output)
            yield output

    def _judged(self, item: PageItem) -> Iterator[Request | RowsItem]:
        item.topic = item.topic or self.asked_for.topic
        if item.relevance is None:
            item.relevance = term_relevance(item, self.terms.subjects)
        if site := self.proposals.learn(item):
            yield RowsItem([(SITES, site)])
            if site["state"] == "let_in":
                yield from self._let_in(site["home"])

    def _let_in(self, home: str) -> Iterator[Request]:
        """The site's home page, sitemaps and feeds; its links are in scope from now on."""
        logger.info("%s is let in as a site", home)
        self.scope.widen(home)
        yield Request(home, self.parse, priority=2 * self.strategy.scale, meta={"depth": 0, "found_by": "start"})
        meta = {"dont_obey_robotstxt": True, "found_by": "start"}
        yield Request(f"{home}robots.txt", self.parse_robots, priority=2 * self.strategy.scale, meta=meta)

    def _report(self) -> None:
        waiting = self.book.waiting() if hasattr(self, "book") else {}
        for name in self.engines:
            kinds = {kind: count for (engine, kind), count in self._tally.items() if engine == name}
            logger.info("%s: %s, waiting %d", name, kinds or "not asked", waiting.get(name, 0))

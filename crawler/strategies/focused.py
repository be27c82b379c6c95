"""The default order of a crawl with a topic: best first by what a request is expected to reveal. See docs/focus.md."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scrapy.settings import BaseSettings

from crawler.priorities import FOCUSED_SCALE
from crawler.strategies.link_context import LinkContext
from crawler.strategies.list_roles import is_index, is_named, names_index
from crawler.strategies.payoffs import Payoffs
from crawler.strategies.topical import TopicalStrategy
from crawler.terms.expansion import TermLearner
from extractors.links.find import Link
from extractors.links.list_paging import continuing
from extractors.links.urls import address_words, host_of
from extractors.page import Page
from extractors.topic.model import Topic
from extractors.topic.relevance import Judgement
from pipelines.items import PageItem
from pipelines.stores.base import Store

_TEXT, _PAGE = 0.5, 0.5
"""Weights of the relevance of a link's text, and of its page."""
_START = 0.5
"""Weight of a start page."""
_ARTICLE_LEAD, _LIST_LEAD = 0.6, 0.25
"""Share of a page's lead that its links inherit."""
_OWN_LEAD = 0.5
"""An article has brought at least this share of its lead: a judge that misses a topic's articles still sees where they are."""
_FIRST_PAGE = 0.5
"""Factor for the first page of a host, as its frame is not known yet."""
_NAME = 0.9
"""Weight of the name of a tag's page."""
_ON_LIST = 0.8
"""Weight of the name of a list for the pages on it, and for its further pages."""
_LISTED = 0.4
"""Weight of an address of which nothing else is known."""
_PROMISE = 0.8
"""A page has brought at least this share of its best new link's expected relevance."""
_MAX_WAITING, _MAX_UNSCORED_PAGES = 200_000, 100
"""Queued links, and judged pages whose links are not scored yet."""


class _WaitingLink(NamedTuple):
    """A queued link: its expected relevance, that of its name alone (of a list's further page: of the list's name), and
    whether it leads to an index, by its address or text."""

    expected: float
    name: float
    is_index: bool = False


@dataclass(frozen=True, slots=True)
class _Read:
    """A judged page: what it has brought itself, what its links inherit, whether it is a list whose name tells what it has."""

    own: float = 0.0
    worth: float = 0.0
    is_named: bool = False


class FocusedStrategy(TopicalStrategy):
    """Best first by the expected relevance of a link's target.

    Hosts with nearly equal best links take turns; see `crawler.priorities.FOCUSED_SCALE`.
    """

    scale, start_score = FOCUSED_SCALE, _START

    def __init__(self, settings: BaseSettings, stored: Callable[[], Store], topic: Topic) -> None:
        super().__init__(settings, stored, topic)
        self._learner = TermLearner(settings.getint("TOPIC_LEARN_PAGES"))
        self._context, self._payoffs = LinkContext(), Payoffs()
        self._waiting: OrderedDict[str, _WaitingLink] = OrderedDict()
        self._judged: OrderedDict[str, Judgement] = OrderedDict()

    def learn(self, url: str, page: Page, judgement: Judgement, *, relevant: bool) -> None:
        """Keep the judgement until the page's links are scored; strongly relevant pages teach new terms."""
        self._judged[url] = judgement
        if len(self._judged) > _MAX_UNSCORED_PAGES:
            self._judged.popitem(last=False)
        if self._live is not None:
            self._learner.learn(page.article, judgement, self._live.store)

    def finish(self) -> None:
        """Propose terms from all pages seen, even if few, at the end of the crawl."""
        if self._live is not None:
            self._learner.finish(self._live.store)

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The expected relevance of each link's target; 0 for links found before that this page does not improve."""
        url, waited = item.requested_url, self._waiting.pop(item.requested_url, None)
        read = self._read(url, waited)
        worth = read.worth * (1.0 if self._context.knows(host_of(url)) else _FIRST_PAGE)
        inherited = self._context.add(host_of(url), [link.url for link in links], worth)
        asked = np.flatnonzero(inherited.better)
        scores, fresh = [0.0] * len(links), 0.0
        if len(asked):
            found = self._expected(item, [links[place] for place in asked.tolist()], inherited.values[asked], read)
            fresh = float(found[inherited.first[asked]].max(initial=0.0))
            for place, expected in zip(asked.tolist(), found.tolist(), strict=True):
                scores[place] = self._valued(links[place].url, expected)
        self._count(item, waited, max(read.own, _PROMISE * fresh))
        return scores

    def _read(self, url: str, waited: _WaitingLink | None) -> _Read:
        judgement = self._judged.pop(url, None)
        if judgement is None:
            return _Read()
        if judgement.may_be_article:
            return _Read(max(judgement.score, _OWN_LEAD * judgement.lead), _ARTICLE_LEAD * judgement.lead)
        if waited is not None and is_named(url):
            return _Read(worth=waited.name, is_named=True)
        return _Read(worth=_LIST_LEAD * judgement.lead)

    def _expected(
        self, item: PageItem, links: Sequence[Link], page: NDArray[np.float64], read: _Read
    ) -> NDArray[np.float64]:
        """Of each link by its texts, its page, and its role in the site's lists; kept until the target is read."""
        host = host_of(item.requested_url)
        indexes = [_leads_to_index(link, host) for link in links]
        lists = [place for place, link in enumerate(links) if indexes[place] or is_named(link.url)]
        words = [address_words(links[place].url) for place in lists]
        names, address = np.split(self.relevance.score_texts([*(link.text for link in links), *words]), [len(links)])
        expected = _TEXT * names + _PAGE * page
        if read.is_named:
            expected = np.maximum(expected, _ON_LIST * page)
        plain = expected.copy()
        names[lists] = np.maximum(names[lists], address)
        expected[lists] = _NAME * names[lists]
        if not read.own:
            further = continuing(item.requested_url, [link.url for link in links])
            expected[further] = np.maximum(plain[further], _ON_LIST * read.worth)
            names[further] = read.worth
        for link, value, name, index in zip(links, expected.tolist(), names.tolist(), indexes, strict=True):
            self._wait(link.url, value, name, index=index)
        return expected

    def _wait(self, url: str, expected: float, name: float, *, index: bool) -> None:
        if (known := self._waiting.get(url)) is not None:
            expected, name, index = max(expected, known.expected), max(name, known.name), index or known.is_index
        self._waiting[url] = _WaitingLink(expected, name, index)
        if len(self._waiting) > _MAX_WAITING:
            self._waiting.popitem(last=False)

    def _count(self, item: PageItem, waited: _WaitingLink | None, brought: float) -> None:
        """Compare what a page has brought with what was expected."""
        if item.depth and (waited.is_index if waited else is_index(item.requested_url)):
            self._payoffs.add_index(brought)
        expected = waited.expected if waited else 0.0
        self._payoffs.add(*_group(item.requested_url), expected, brought, found=item.relevant)

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """Scores by the words in the address."""
        names = self.relevance.score_texts([address_words(url) for url in urls]).tolist()
        expected = [(_NAME if is_named(url) else _LISTED) * name for url, name in zip(urls, names, strict=True)]
        for url, value, name in zip(urls, expected, names, strict=True):
            self._wait(url, value, name, index=is_index(url))
        return [self._valued(url, value) for url, value in zip(urls, expected, strict=True)]

    def present_score(self, url: str) -> float | None:
        """The score by what hosts and indexes have brought by now."""
        waiting = self._waiting.get(url)
        return None if waiting is None else self._valued(url, waiting.expected)

    def why(self, url: str) -> str:
        """The kind of page, the relevance of the name of the link, and the trust in pages such as those of its host."""
        kind = "an index" if self._is_index(url) else "a list" if is_named(url) else ""
        if (waiting := self._waiting.get(url)) is None:
            return kind
        trust = self._payoffs.trust(*_group(url))
        return ", ".join(filter(None, [kind, f"name {waiting.name:.2f}", f"trust {trust:.2f}" if trust < 1 else ""]))

    def _is_index(self, url: str) -> bool:
        waiting = self._waiting.get(url)
        return waiting.is_index if waiting else is_index(url)

    def _valued(self, url: str, expected: float) -> float:
        if self._is_index(url):
            expected = max(expected, self._payoffs.index_price())
        return expected * self._payoffs.trust(*_group(url))


def _leads_to_index(link: Link, host: str) -> bool:
    named = names_index(link.text) and host_of(link.url) == host and not is_named(link.url)
    return named or is_index(link.url)


def _group(url: str) -> tuple[str, bool]:
    """The pages that are trusted alike: the lists of a host whose names say what they have, and its other pages."""
    return host_of(url), is_named(url)

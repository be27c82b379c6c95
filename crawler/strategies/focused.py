"""The default order of a crawl with a topic: best first by what a request is expected to reveal. See docs/focus.md."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from scrapy.settings import BaseSettings

from crawler.priorities import FOCUSED_SCALE
from crawler.strategies.link_context import Inherited, LinkContext
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
_FIRST_PAGE = 0.5
"""Factor for the first page of a host, as its frame is not known yet."""
_NAME = 0.9
"""Weight of the name of a tag's page. For the pages on it, and its further pages, the name counts in full: the author has sorted them."""
_LISTED = 0.4
"""Weight of an address of which nothing else is known."""
_PROMISE = 0.8
"""A page has brought at least this share of its best new link's expected relevance."""
_MAX_WAITING, _MAX_UNSCORED_PAGES, _MAX_CACHED_GROUPS = 200_000, 100, 50_000
"""Queued links, judged pages whose links are not scored yet, and addresses whose group is known."""


class _WaitingLink(NamedTuple):
    """A queued link: its expected relevance, that of its name alone (of a list's further page: of the list's name), and
    whether it leads to an index, by its address or text."""

    expected: float
    name: float
    is_index: bool

    def joined(self, other: "_WaitingLink") -> "_WaitingLink":
        """The best that two pages say of a link."""
        is_index = self.is_index or other.is_index
        return _WaitingLink(max(self.expected, other.expected), max(self.name, other.name), is_index)


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
        read, host = self._read(url, waited), host_of(url)
        worth = read.worth * (1.0 if self._context.knows(host) else _FIRST_PAGE)
        gained = self._context.add(host, [link.url for link in links], worth)
        scores, fresh = [0.0] * len(links), 0.0
        for inherited, found in zip(gained, self._expected(url, links, gained, read), strict=True):
            scores[inherited.place] = self._wait(links[inherited.place].url, found)
            if inherited.is_new:
                fresh = max(fresh, found.expected)
        self._count(item, waited, max(read.own, _PROMISE * fresh))
        return scores

    def _read(self, url: str, waited: _WaitingLink | None) -> _Read:
        judgement = self._judged.pop(url, None)
        if judgement is None:
            return _Read()
        if judgement.may_be_article:
            # a judge that misses a topic's articles still sees by their lead where they are
            return _Read(max(judgement.score, judgement.lead), _ARTICLE_LEAD * judgement.lead)
        if waited is not None and is_named(url):
            return _Read(worth=waited.name, is_named=True)
        return _Read(worth=_LIST_LEAD * judgement.lead)

    def _expected(
        self, url: str, links: Sequence[Link], gained: Sequence[Inherited], read: _Read
    ) -> Iterator[_WaitingLink]:
        """Each link that has gained by the page at `url`, by its texts, its page, and its role in the site's lists."""
        links, host = [links[inherited.place] for inherited in gained], host_of(url)
        roles = [_role(link, host) for link in links]
        words = [address_words(link.url) for link, role in zip(links, roles, strict=True) if role]
        names = self.relevance.score_texts([*(link.text for link in links), *words]).tolist() if links else []
        addresses = iter(names[len(links) :])
        further = () if read.own else continuing(url, [link.url for link in links])
        for place, (name, role, inherited) in enumerate(zip(names, roles, gained, strict=False)):
            expected = _TEXT * name + _PAGE * inherited.relevance
            if read.is_named:
                expected = max(expected, inherited.relevance)
            named = max(name, next(addresses)) if role else name
            if place in further:
                yield _WaitingLink(max(expected, read.worth), read.worth, role == "index")
            else:
                yield _WaitingLink(_NAME * named if role else expected, named, role == "index")

    def _wait(self, url: str, link: _WaitingLink) -> float:
        """Keep what is known of a link until its target is read; its score."""
        known = self._waiting.get(url)
        kept = link if known is None else link.joined(known)
        self._waiting[url] = kept
        if len(self._waiting) > _MAX_WAITING:
            self._waiting.popitem(last=False)
        return self._valued(url, link.expected, index=kept.is_index)

    def _count(self, item: PageItem, waited: _WaitingLink | None, brought: float) -> None:
        """Compare what a page has brought with what was expected."""
        if item.depth and (waited.is_index if waited else is_index(item.requested_url)):
            self._payoffs.add_index(brought)
        self._payoffs.add(_group(item.requested_url), waited.expected if waited else 0.0, brought)

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """Scores by the words in the address."""
        names = self.relevance.score_texts([address_words(url) for url in urls]).tolist()
        return [
            self._wait(url, _WaitingLink((_NAME if is_named(url) else _LISTED) * name, name, is_index(url)))
            for url, name in zip(urls, names, strict=True)
        ]

    def present_score(self, url: str) -> float | None:
        """The score by what hosts and indexes have brought by now."""
        waiting = self._waiting.get(url)
        return None if waiting is None else self._valued(url, waiting.expected, index=waiting.is_index)

    def why(self, url: str) -> str:
        """The kind of page, the relevance of the name of the link, and the trust in pages such as those of its host."""
        waiting = self._waiting.get(url)
        kind = "an index" if (waiting.is_index if waiting else is_index(url)) else "a list" if is_named(url) else ""
        if waiting is None:
            return kind
        trust = self._payoffs.trust(_group(url))
        return ", ".join(filter(None, [kind, f"name {waiting.name:.2f}", f"trust {trust:.2f}" if trust < 1 else ""]))

    def _valued(self, url: str, expected: float, *, index: bool) -> float:
        if index:
            expected = max(expected, self._payoffs.index_price())
        return expected * self._payoffs.trust(_group(url))


def _role(link: Link, host: str) -> str:
    """The role of a link's target on a page of this host: a "list" named after its content, an "index", or ""."""
    if is_named(link.url):
        return "list"
    return "index" if is_index(link.url) or (names_index(link.text) and host_of(link.url) == host) else ""


@lru_cache(maxsize=_MAX_CACHED_GROUPS)
def _group(url: str) -> tuple[str, bool]:
    """The pages that are trusted alike: the lists of a host whose names say what they have, and its other pages."""
    return host_of(url), is_named(url)

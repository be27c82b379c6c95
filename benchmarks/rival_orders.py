"""Orders of other crawlers, as their sources describe them, on our judge and link follower.

`KeywordShare` is the best-first crawl of Crawl4AI: a link is worth the share of the keywords that are in its address. `LearnedLinks`
is the forward link classifier of ACHE: a link is worth its page until a naive Bayes classifier can be fitted to the words of links that
led to pages of the topic and of others; it is fitted again and again.
"""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from crawler.strategies.topical import TopicalStrategy
from extractors.html.document import Document
from extractors.links.find import Link, find_links
from extractors.links.urls import address_words
from extractors.page import Page
from extractors.topic.relevance import Judgement
from extractors.topic.words import segment
from pipelines.items import PageItem

_FIRST_FIT, _FIT_AGAIN = 100, 100
"""Pages before the first fit, and between two."""
_MAX_STEPS_UP = 5
_MIN_CHARS_AROUND = 40
"""Visible characters outside the link at which the search upwards stops."""
_MAX_ELEMENT_CHARS = 600
"""Maximum visible characters of an element that surrounds one link, not the page."""
_MAX_OTHER_LINK_CHARS = 300
"""Maximum of these characters inside other links; menus have more."""
_MAX_CHARS_AROUND = 500


class KeywordShare(TopicalStrategy):
    """Crawl4AI's keyword relevance."""

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The share of the topic's terms in each address."""
        return self.score_listed([link.url for link in links])

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """The same for what a sitemap lists."""
        terms = [term.word.lower() for term in self.topic.terms]
        texts = [f"{url} {address_words(url)}".lower() for url in urls]
        return [sum(term in text for term in terms) / max(1, len(terms)) for text in texts]


class LearnedLinks(TopicalStrategy):
    """ACHE's link classifier, learned on the way."""

    _read = 0
    _log_ratio: dict[str, float] | None = None

    def learn(self, url: str, page: Page, judgement: Judgement, *, relevant: bool) -> None:
        """Count the words of the link that led to the page; fit again from time to time."""
        counts: tuple[Counter[str], Counter[str]] = self.__dict__.setdefault("_counts", (Counter(), Counter()))
        counts[relevant].update(self.__dict__.setdefault("_waiting", {}).pop(url, ()))
        self._read += 1
        if self._read >= _FIRST_FIT and self._read % _FIT_AGAIN == 0 and all(counts):
            totals = [sum(count.values()) + len(counts[0] | counts[1]) for count in counts]
            self._log_ratio = {
                word: math.log((counts[1][word] + 1) / totals[1]) - math.log((counts[0][word] + 1) / totals[0])
                for word in counts[0] | counts[1]
            }

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The classifier's probability, or the page's relevance before there is one."""
        around = item.page.once(all_surroundings)
        texts = [f"{address_words(link.url)} {link.text} {around.get(link.place, '')}" for link in links]
        return self._probabilities([link.url for link in links], texts, item.relevance or 0.0)

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """By the words of the address."""
        return self._probabilities(urls, [address_words(url) for url in urls], 0.0)

    def _probabilities(self, urls: Sequence[str], texts: Sequence[str], page: float) -> list[float]:
        words = [set(segment(text)) for text in texts]
        self.__dict__.setdefault("_waiting", {}).update(zip(urls, words, strict=True))
        if (ratio := self._log_ratio) is None:
            return [page] * len(urls)
        return [1 / (1 + math.exp(-max(-30.0, sum(ratio.get(word, 0.0) for word in own)))) for own in words]


def all_surroundings(page: Document) -> dict[int, str]:
    """The text of the smallest element that holds a link and some text more, by the place of the link.

    All links climb together, one ancestor at a time; elements shared by several links are read once.
    """
    columns, links = page.columns, page.once(find_links)
    length, linked = columns.text_length, columns.link_length
    start = np.array([link.place for link in links], dtype=np.intp)
    place, own = start, length[start]
    climbing = np.ones(len(links), dtype=np.bool_)
    for _ in range(_MAX_STEPS_UP):
        above = columns.parent[place]
        climbing &= (
            (above >= 0) & (length[above] <= _MAX_ELEMENT_CHARS) & (linked[above] <= own + _MAX_OTHER_LINK_CHARS)
        )
        place = np.where(climbing, above, place)
        climbing &= length[place] < own + _MIN_CHARS_AROUND
    texts = {number: columns.text(number)[:_MAX_CHARS_AROUND] for number in set(place[place != start].tolist())}
    return {link: texts[number] for link, number in zip(start.tolist(), place.tolist(), strict=True) if number in texts}

"""The best order that is known: it knows every link and sitemap of the web, and which pages are of the topic."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache

import numpy as np

from benchmarks.recorded_web import RecordedWeb

Graph = dict[str, list[str]]
"""The pages that each page leads to."""
_FAR = 1 << 20


def link_graph(web: RecordedWeb) -> Graph:
    """Of a web, with redirects followed."""
    answer = lru_cache(maxsize=None)(web.answer)
    return {
        url: list(dict.fromkeys(target for target in map(answer, page.links) if target))
        for url, page in web.pages.items()
    }


def known_at_start(web: RecordedWeb) -> list[str]:
    """The pages that a crawl knows without a request: home pages, and what the sitemaps list."""
    listed = (web.answer(url) for host in sorted(web.hosts) for url in web.sitemaps.get(host, ()))
    return list(dict.fromkeys([*web.homes, *filter(None, listed)]))


def best_order(links: Graph, start: Sequence[str], relevant: Set[str]) -> list[str]:
    """The pages fetched until no page of the topic can be reached.

    A known page of the topic is fetched at once. Without one, the order takes the first step to the page that makes most
    of them known for the requests it costs: n pages of the topic by a path of d requests have the density n / (n + d).
    """
    return list(_Search(links, relevant).order(start))


class _Search:
    """Pages by number; for each the fewest requests to fetch it, and the unknown pages of the topic that it links to."""

    def __init__(self, links: Graph, relevant: Set[str]) -> None:
        self._names = list(links)
        number = {url: place for place, url in enumerate(self._names)}
        self._links = [[number[target] for target in links[url] if target in number] for url in self._names]
        self._back: list[list[int]] = [[] for _ in self._names]
        for place, targets in enumerate(self._links):
            for target in targets:
                self._back[target].append(place)
        self._number = number
        self._wanted = {number[url] for url in relevant if url in number}
        self._waiting: set[int] = set()
        self._requests = np.full(len(self._names), _FAR)
        self._before = np.full(len(self._names), -1)
        self._unknown = np.zeros(len(self._names))
        for place in self._wanted:
            self._unknown[self._back[place]] += 1

    def order(self, start: Iterable[str]) -> Iterator[str]:
        """The addresses of the pages, as they are fetched."""
        self._learn(self._number[url] for url in start if url in self._number)
        while (place := self._next()) is not None:
            self._waiting.discard(place)
            yield self._names[place]
            self._learn(self._links[place])

    def _next(self) -> int | None:
        if self._waiting:
            return max(self._waiting, key=lambda place: (self._unknown[place], -place))
        density = self._unknown / (self._unknown + self._requests)
        place = int(density.argmax())
        if not self._unknown[place] or self._requests[place] >= _FAR:
            return None
        while self._before[place] >= 0:
            place = int(self._before[place])
        return place

    def _learn(self, places: Iterable[int]) -> None:
        """These pages are known now: they cost one request, and what they lead to one more each."""
        fresh = deque(place for place in places if self._requests[place] > 1)
        for place in fresh:
            self._requests[place], self._before[place] = 1, -1
            if place in self._wanted:
                self._waiting.add(place)
                self._unknown[self._back[place]] -= 1
        while fresh:
            place = fresh.popleft()
            for target in self._links[place]:
                if self._requests[target] > self._requests[place] + 1:
                    self._requests[target], self._before[target] = self._requests[place] + 1, place
                    fresh.append(target)

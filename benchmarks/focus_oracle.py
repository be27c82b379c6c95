"""The best order there can be: who knows every page's true distance to the topic's pages fetches by it."""

import heapq
from collections import deque
from collections.abc import Sequence, Set
from functools import lru_cache

from benchmarks.recorded_web import RecordedWeb

Graph = dict[str, list[str]]
"""The pages that each page leads to."""


def link_graph(web: RecordedWeb) -> Graph:
    """Of a web, with redirects followed."""
    answer = lru_cache(maxsize=None)(web.answer)
    return {
        url: list(dict.fromkeys(target for target in map(answer, page.links) if target))
        for url, page in web.pages.items()
    }


def best_order(links: Graph, homes: Sequence[str], relevant: Set[str]) -> list[str]:
    """All pages that links lead to from the home pages, nearest to a page of the topic first."""
    distance = _distances(links, sorted(relevant))
    heap = [(distance.get(url, 1_000), place, url) for place, url in enumerate(homes) if url in links]
    heapq.heapify(heap)
    order, seen = [], {url for *_, url in heap}
    while heap:
        *_, url = heapq.heappop(heap)
        order.append(url)
        for target in links[url]:
            if target not in seen:
                seen.add(target)
                heapq.heappush(heap, (distance.get(target, 1_000), len(seen), target))
    return order


def _distances(links: Graph, relevant: list[str]) -> dict[str, int]:
    """Links from each page to the nearest relevant one."""
    back: dict[str, list[str]] = {}
    for url, targets in links.items():
        for target in targets:
            back.setdefault(target, []).append(url)
    distance = dict.fromkeys(relevant, 0)
    waiting = deque(relevant)
    while waiting:
        url = waiting.popleft()
        for before in back.get(url, ()):
            if before not in distance:
                distance[before] = distance[url] + 1
                waiting.append(before)
    return distance

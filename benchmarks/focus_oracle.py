"""The best order there can be: who knows every page's true distance to the topic's pages fetches by it."""

import heapq
import json
from collections import deque

from benchmarks.served_web import ServedWeb
from extractors.links.urls import host_of
from extractors.page import Page


def oracle_order(web: ServedWeb, topic: str, part: str) -> list[str]:
    """All pages that links lead to from the home pages, nearest to a page of the topic first."""
    links = _graph(web)
    distance = _distances(links, sorted(relevant_pages(web, topic)))
    heap = [(distance.get(url, 1_000), place, url) for place, url in enumerate(web.seeds(part)) if url in links]
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


def relevant_pages(web: ServedWeb, topic: str) -> set[str]:
    """The pages that are labelled with the topic."""
    return {url for url, page in web.pages.items() if topic in list(page["labels"])}  # type: ignore[call-overload]


def _graph(web: ServedWeb) -> dict[str, list[str]]:
    root, aliases = web.root, dict(json.loads((web.root / "aliases.json").read_text(encoding="utf-8")))
    graph: dict[str, list[str]] = {}
    for url, page in web.pages.items():
        found = Page((root / str(page["file"])).read_bytes(), url).links
        targets = (_served(link.url, web.pages, aliases) for link in found)
        graph[url] = list(dict.fromkeys(target for target in targets if target))
    return graph


def _served(url: str, pages: dict[str, dict[str, object]], aliases: dict[str, str]) -> str:
    """The page that the server answers with for a URL: other scheme, another name of its host, a folder's slash."""
    host = host_of(url)
    plain = url.replace("https://", "http://", 1).replace(host, aliases.get(host, host), 1)
    return next((each for each in (url, plain, f"{plain}/") if each in pages), "")


def _distances(links: dict[str, list[str]], relevant: list[str]) -> dict[str, int]:
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

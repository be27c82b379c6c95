"""Results of any engine's page: links in headings, else the best group of repeated links."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from crawler.engines.protocol.engine import Result
from crawler.engines.protocol.redirects import is_redirect, unwrap
from crawler.links.scope import registered_domain
from extractors.html.columns import Columns
from extractors.links.urls import host_of
from extractors.page import Page

_AD_ADDRESS = re.compile(
    r"/aclk\?|/aclick\b|bill_cpc|googleadservices|doubleclick|ad_domain=|/baidu\.php\?|/cpro\.|e\.so\.com/", re.I
)
_AD_NAME = re.compile(
    r"(?:^|[\s_-])(?:ads?|adv|advert\w{0,12}|sponsor\w{0,6}|promoted|tuiguang|e_idea|cpc)(?:[\s_-]|\d|$)", re.I
)
_ASIDE_NAME = re.compile(
    r"(?:^|[\s_-])(?:sidebar|side|right|rhs|aside|footer|foot|header|nav|navbar|menu|pagination|pager|relatedsearch\w*"
    r"|b_context|b_footer|b_header)(?:[\s_-]|$)", re.I
)  # fmt: skip
_OWN_PARTS = ("www", "search", "cn", "images", "video", "news", "shopping")
_MAX_NAME_CHARS = 300
_SHAPE_LEVELS = 3
_MIN_SNIPPET_BYTES = 15
_MIN_LIST_SHARE = 0.8
_MAX_LEVELS = 12
_SECOND_LINK_FACTOR = 0.4


@dataclass(frozen=True, slots=True)
class _ResultLink:
    place: int
    url: str
    title: str
    heading: int
    shape: tuple[str, ...]


def generic_results(page: Page) -> list[Result]:
    """Results in document order, each address once; empty if nothing repeats."""
    columns = page.columns
    candidates = _candidates(page, columns)
    chosen = _headed(candidates)
    repeated = _repeated(columns, candidates)
    if len(chosen) < 3 or len(repeated) > 2 * len(chosen) + 2:
        chosen = _merged(chosen, repeated)
    blocks = _blocks(columns, [candidate.place for candidate in chosen])
    return [
        Result(candidate.url, candidate.title, _snippet(columns, block, candidate.title), rank=rank)
        for rank, (candidate, block) in enumerate(zip(chosen, blocks, strict=True), 1)
    ]


def _candidates(page: Page, columns: Columns) -> list[_ResultLink]:
    """Links to other sites, outside advertisements, navigation and side columns."""
    excluded = columns.within(_ads_and_frame(columns))
    levels = _heading_levels(columns)
    own = _own_domain(page)
    hrefs = columns.attribute("href")
    found = []
    for place in np.flatnonzero(columns.tagged("a") & ~excluded).tolist():
        href = hrefs[place]
        target = unwrap(href, page.base_url) if href and not _AD_ADDRESS.search(href) else ""
        if not _leads_away(target, href, own, page.base_url):
            continue
        title = _title(columns, place)
        if title:
            found.append(_ResultLink(place, target, title, int(levels[place]), _shape(columns, place)))
    return found


def _leads_away(target: str, href: str, own: str, base: str) -> bool:
    if not target.startswith(("http://", "https://")):
        return bool(target) and is_redirect(href, base) and target.startswith("/")
    host = host_of(target)
    if not host or is_redirect(href, base):
        return bool(host)
    if registered_domain(host) != own:
        return True
    return bool(urlsplit(target).path.strip("/")) and host.split(".")[0] not in _OWN_PARTS


def _own_domain(page: Page) -> str:
    """The engine's domain: from the page's address, else from its search form or canonical link."""
    if host := host_of(page.url):
        return registered_domain(host)
    named: Any = page.root.xpath("//link[@rel='canonical' or @rel='search']/@href | //form/@action | //base/@href")
    hosts = [host_of(f"https:{value}" if value.startswith("//") else value) for value in named]
    return next((registered_domain(host) for host in hosts if host), "")


def _ads_and_frame(columns: Columns) -> NDArray[np.bool_]:
    """Mask of elements whose class or id names an advertisement or the frame of the page."""
    mask = columns.tagged("nav", "footer", "aside", "header")
    body = columns.tagged("body", "html")
    mask[columns.named(_names_ad_or_frame)] = True
    share = columns.text_length / max(1, int(columns.text_length[0]))
    return np.asarray(mask & ~body & (share < 0.5))


def _names_ad_or_frame(classes: str, identity: str) -> bool:
    text = f"{classes} {identity}"
    return 1 < len(text) < _MAX_NAME_CHARS and bool(_AD_NAME.search(text) or _ASIDE_NAME.search(text))


def _heading_levels(columns: Columns) -> NDArray[np.int32]:
    """For each element the level of the heading around it or within it; 0 for none."""
    levels = np.zeros(len(columns), dtype=np.int32)
    roles = np.array([role == "heading" for role in columns.attribute("role")], dtype=bool)
    for level, mask in ((4, columns.tagged("h4")), (3, columns.tagged("h3") | roles), (2, columns.tagged("h2"))):
        levels[columns.within(mask) | columns.has_below(mask)] = level
    return levels


def _title(columns: Columns, place: int) -> str:
    """The heading within the link, else the text of the link."""
    for below in range(place + 1, int(columns.end[place])):
        if columns.tag_name(below) in ("h2", "h3", "h4") or columns.value(below, "role") == "heading":
            return " ".join(columns.text(below).split())[:300]
    return " ".join(columns.text(place).split())[:300]


def _shape(columns: Columns, place: int) -> tuple[str, ...]:
    """Tags and first classes of the link and its two nearest ancestors."""
    names: list[str] = []
    while place >= 0 and len(names) < _SHAPE_LEVELS:
        names.append(f"{columns.tag_name(place)}.{columns.value(place, 'class').split(' ')[0]}")
        place = int(columns.parent[place])
    return tuple(names)


def _headed(candidates: Iterable[_ResultLink]) -> list[_ResultLink]:
    """Links in headings, without those in a lower heading to the same site as the heading above."""
    chosen: dict[str, _ResultLink] = {}
    above: tuple[int, str] = (9, "")
    for candidate in candidates:
        if not candidate.heading:
            continue
        site = registered_domain(host_of(candidate.url))
        if candidate.heading > above[0] and site == above[1]:
            continue
        if candidate.url not in chosen:
            chosen[candidate.url] = candidate
            above = (candidate.heading, site)
    return list(chosen.values())


def _repeated(columns: Columns, candidates: list[_ResultLink]) -> list[_ResultLink]:
    """The better of two groups: links of one shape, or one link in each of many siblings."""
    first: dict[str, int] = {}
    for candidate in candidates:
        first.setdefault(candidate.url, candidate.place)
    group, in_group = _best_group(columns, candidates, first)
    siblings = _best_list(columns, candidates, first)
    in_list = sum(worth for worth, _ in siblings.values())
    if in_list < _MIN_LIST_SHARE * in_group * _share_of_siblings(columns, group, sorted(siblings)):
        return group
    chosen = {candidate.url: candidate for _, candidate in sorted(siblings.values(), key=lambda pair: pair[1].place)}
    return list(chosen.values())


def _share_of_siblings(columns: Columns, group: Sequence[_ResultLink], siblings: Sequence[int]) -> float:
    """Number of siblings that contain a link of the group, per such link: 1 if no two links share a sibling."""
    places = [bisect_right(siblings, member.place) - 1 for member in group]
    inside = [
        place
        for place, member in zip(places, group, strict=True)
        if place >= 0 and member.place < columns.end[siblings[place]]
    ]
    return len(set(inside)) / len(inside) if inside else 1.0


def _best_group(
    columns: Columns, candidates: Iterable[_ResultLink], first: Mapping[str, int]
) -> tuple[list[_ResultLink], float]:
    """The links of one shape with the highest total worth, and that worth."""
    groups: dict[tuple[str, ...], dict[str, _ResultLink]] = defaultdict(dict)
    for candidate in candidates:
        groups[candidate.shape].setdefault(candidate.url, candidate)
    best: list[_ResultLink] = []
    best_score = 0.0
    for group in groups.values():
        members = list(group.values())
        if len(members) < 3:
            continue
        blocks = _blocks(columns, [member.place for member in members])
        score = sum(_worth(columns, *pair, first) for pair in zip(members, blocks, strict=True))
        if score > best_score:
            best, best_score = members, score
    return best, best_score


def _best_list(
    columns: Columns, candidates: Iterable[_ResultLink], first: Mapping[str, int]
) -> dict[int, tuple[float, _ResultLink]]:
    """The list of siblings with the highest total worth: for each sibling the worth of its main link, and the link."""
    lists: dict[int, dict[int, tuple[float, _ResultLink]]] = defaultdict(dict)
    for candidate in candidates:
        child, parent = candidate.place, int(columns.parent[candidate.place])
        for _ in range(_MAX_LEVELS):
            if parent < 0:
                break
            worth = _worth(columns, candidate, child, first) * (_SECOND_LINK_FACTOR if child in lists[parent] else 1.0)
            if worth > lists[parent].get(child, (0.0,))[0]:
                lists[parent][child] = (worth, candidate)
            child, parent = parent, int(columns.parent[parent])
    return max(lists.values(), key=lambda one: sum(worth for worth, _ in one.values()), default={})


def _worth(columns: Columns, candidate: _ResultLink, block: int, first: Mapping[str, int]) -> float:
    """The title's length in bytes, up to 60, divided by 60; less without a snippet, for a repeated link, or for an address."""
    around = int(columns.text_length[block]) - int(columns.text_length[candidate.place])
    worth = min(len(candidate.title.encode()), 60) / 60
    worth *= 1.0 if around >= _MIN_SNIPPET_BYTES else 0.3
    worth *= 1.0 if first[candidate.url] == candidate.place else 0.6
    return worth * (0.3 if _is_address(candidate.title) or len(candidate.title) > 110 else 1.0)


def _is_address(text: str) -> bool:
    return " " not in text.replace(" › ", "/") and ("." in text or "/" in text)


def _merged(headed: list[_ResultLink], repeated: list[_ResultLink]) -> list[_ResultLink]:
    known = {candidate.url for candidate in repeated}
    extra = [candidate for candidate in headed if candidate.url not in known]
    return sorted([*repeated, *extra], key=lambda candidate: candidate.place)


def _blocks(columns: Columns, places: list[int]) -> list[int]:
    """For each link the highest ancestor that contains no other link of the list."""
    marks = np.zeros(len(columns), dtype=np.int32)
    marks[places] = 1
    inside = columns.subtree(marks)
    blocks = []
    for place in places:
        block = place
        while columns.parent[block] >= 0 and inside[columns.parent[block]] == 1:
            block = int(columns.parent[block])
        blocks.append(block)
    return blocks


def _snippet(columns: Columns, block: int, title: str) -> str:
    lines = (" ".join(line.split()) for line in columns.text(block)[:5_000].splitlines())
    return max((line for line in lines if line != title), key=len, default="")[:500]

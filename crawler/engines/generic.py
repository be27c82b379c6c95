"""Results of any result page, without knowing the engine: links in headings, else the best group of repeated links."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from crawler.domains import registered_domain
from crawler.engines.base import Result
from crawler.engines.unwrapping import is_redirect, unwrap
from extractors.columns import Columns
from extractors.page import Page
from extractors.urls import host_of

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
_NEIGHBOURS = 3
_MIN_SNIPPET = 15


@dataclass(frozen=True, slots=True)
class _Candidate:
    place: int
    url: str
    title: str
    heading: int
    shape: tuple[str, ...]


def generic_results(page: Page) -> list[Result]:
    """Results in document order, one for each address; empty if nothing is repeated."""
    columns = page.columns
    candidates = _candidates(page, columns)
    chosen = _headed(candidates)
    repeated = _best_group(columns, candidates)
    if len(chosen) < 3 or len(repeated) > 2 * len(chosen) + 2:
        chosen = _merged(chosen, repeated)
    blocks = _blocks(columns, [candidate.place for candidate in chosen])
    return [
        Result(candidate.url, candidate.title, _snippet(columns, block, candidate.title), rank=rank)
        for rank, (candidate, block) in enumerate(zip(chosen, blocks, strict=True), 1)
    ]


def _candidates(page: Page, columns: Columns) -> list[_Candidate]:
    """Links that lead away from the engine, outside of advertisements and of what frames a page."""
    left_out = columns.within(_named(columns))
    levels = _heading_levels(columns)
    own = _own_domain(page)
    hrefs = columns.attribute("href")
    found = []
    for place in np.flatnonzero(columns.tagged("a") & ~left_out).tolist():
        href = hrefs[place]
        target = unwrap(href, page.base_url) if href and not _AD_ADDRESS.search(href) else ""
        if not _leads_away(target, href, own, page.base_url):
            continue
        title = _title(columns, place)
        if title:
            found.append(_Candidate(place, target, title, int(levels[place]), _shape(columns, place)))
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
    """The engine's domain: of the page's address, else of its search form or of what names its address."""
    if host := host_of(page.url):
        return registered_domain(host)
    named: Any = page.root.xpath("//link[@rel='canonical' or @rel='search']/@href | //form/@action | //base/@href")
    hosts = [host_of(f"https:{value}" if value.startswith("//") else value) for value in named]
    return next((registered_domain(host) for host in hosts if host), "")


def _named(columns: Columns) -> NDArray[np.bool_]:
    """Elements whose names say advertisement or frame."""
    mask = columns.tagged("nav", "footer", "aside", "header")
    body = columns.tagged("body", "html")
    places, names = columns.named
    for place, (classes, identity) in zip(places.tolist(), names, strict=True):
        text = f"{classes} {identity}"
        if len(text) > 1 and (_AD_NAME.search(text) or _ASIDE_NAME.search(text)) and len(text) < 300:
            mask[place] = True
    share = columns.text_length / max(1, int(columns.text_length[0]))
    return np.asarray(mask & ~body & (share < 0.5))


def _heading_levels(columns: Columns) -> NDArray[np.int32]:
    """For each element the level of the heading in which it stands or that stands in it; 0 for none."""
    levels = np.zeros(len(columns), dtype=np.int32)
    roles = np.array([role == "heading" for role in columns.attribute("role")], dtype=bool)
    for level, mask in ((4, columns.tagged("h4")), (3, columns.tagged("h3") | roles), (2, columns.tagged("h2"))):
        levels[columns.within(mask) | columns.has_below(mask)] = level
    return levels


def _title(columns: Columns, place: int) -> str:
    """The link's heading if it holds one, else its text."""
    for below in range(place + 1, int(columns.end[place])):
        element = columns.elements[below]
        if element.tag in ("h2", "h3", "h4") or element.get("role") == "heading":
            return " ".join(columns.text(below).split())[:300]
    return " ".join(columns.text(place).split())[:300]


def _shape(columns: Columns, place: int) -> tuple[str, ...]:
    """Tags and first classes of the link and its nearest ancestors."""
    names: list[str] = []
    while place >= 0 and len(names) < _NEIGHBOURS:
        element = columns.elements[place]
        names.append(f"{element.tag}.{(element.get('class') or '').split(' ')[0]}")
        place = int(columns.parent[place])
    return tuple(names)


def _headed(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """Links in headings; those of a lower heading that stay on the site of the one above are its parts."""
    chosen: dict[str, _Candidate] = {}
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


def _best_group(columns: Columns, candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """The links of one shape that have the most text of their own and around them."""
    groups: dict[tuple[str, ...], dict[str, _Candidate]] = defaultdict(dict)
    first: dict[str, int] = {}
    for candidate in candidates:
        first.setdefault(candidate.url, candidate.place)
        groups[candidate.shape].setdefault(candidate.url, candidate)
    best: list[_Candidate] = []
    best_score = 0.0
    for group in groups.values():
        members = list(group.values())
        score = _group_score(columns, members, first) if len(members) >= 3 else 0.0
        if score > best_score:
            best, best_score = members, score
    return best


def _group_score(columns: Columns, members: list[_Candidate], first: dict[str, int]) -> float:
    """Sum over the group: a title's length up to 30 letters, twice with a snippet, half behind another link to it."""
    blocks = _blocks(columns, [member.place for member in members])
    score = 0.0
    for member, block in zip(members, blocks, strict=True):
        around = int(columns.text_length[block]) - int(columns.text_length[member.place])
        worth = min(len(member.title.encode()), 60) / 60
        worth *= 1.0 if around >= _MIN_SNIPPET else 0.3
        worth *= 1.0 if first[member.url] == member.place else 0.6
        score += worth * (0.3 if _is_address(member.title) or len(member.title) > 110 else 1.0)
    return score


def _is_address(text: str) -> bool:
    return " " not in text.replace(" › ", "/") and ("." in text or "/" in text)


def _merged(headed: list[_Candidate], repeated: list[_Candidate]) -> list[_Candidate]:
    known = {candidate.url for candidate in repeated}
    extra = [candidate for candidate in headed if candidate.url not in known]
    return sorted([*repeated, *extra], key=lambda candidate: candidate.place)


def _blocks(columns: Columns, places: list[int]) -> list[int]:
    """For each link the highest element around it that holds none of the others."""
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
    """The longest line of the block that is not its title."""
    lines = (" ".join(line.split()) for line in columns.text(block)[:5_000].splitlines())
    return max((line for line in lines if line != title), key=len, default="")[:500]

"""Which page continues a thread or a list: by what links say ("下一页", "›", rel=next, the next number) and where they lead.

A link that says "next" may lead to the next article as well; so its address must be the page's own but for a number of pages.
"""

import re
from collections.abc import Iterator
from urllib.parse import SplitResult, parse_qsl, urlsplit

import numpy as np
from lxml import etree

from extractors.columns import Columns
from extractors.page import Page
from extractors.urls import canonical_url, resolve_url

_SAYS_NEXT = re.compile(
    r"^\W{0,4}(?:下一?[页頁]|下[页頁]|[后後]一?[页頁]|次へ|次の?ページ|다음|next(?:[ -]?page)?|more(?: (?:comments|posts|replies))?"
    r"|older(?: (?:comments|posts|entries))?|load more|suivante?s?|page suivante|weiter|nächste(?: seite)?|vor|siguientes?|"
    r"página siguiente|seguente|successiv[ao]|próxima?|volgende|далее|след(?:ующая|\.)?|вперед|następna|další|sonraki)\W{0,4}$",
    re.I,
)
_ARROW = re.compile(r"^\s*[›»>→▶]{1,2}\s*$")
_NEXT_CLASS = re.compile(r"(?:^|[\s_-])(?:next|nxt|nextpage|next-?page|page-?next)(?:$|[\s_-])", re.I)
_DIGITS = re.compile(r"^\W{0,2}(\d{1,5})\W{0,2}$")
_LONGEST = 24
_LONGEST_NAMED = 12
_MOST_CANDIDATES = 80
_NUMBERS = frozenset(
    "page p pn pg pageno page_no pageindex page_index pagenum cpage paged cur_page currentpage".split()
)
"""Arguments of addresses that count pages."""
_OFFSETS = frozenset("start offset from st begin after next n o s skip".split())
"""Arguments that count the records before the page's first, or name the last one before it."""
_RUN = re.compile(r"(\d+)")
_TAIL = re.compile(r"^(?:[_-]|/?(?:[_-]?p(?:age|g)?[/_.=-]?)|/|/index[_-]|/comment-page-)(\d{1,5})$", re.I)
_SUFFIX = re.compile(r"(?:\.[a-z]\w{0,4})?/?$", re.I)
_COUNTING = re.compile(r"p(?:age|g)?[/_.=-]?$", re.I)
_STEPS = frozenset((1, 10, 15, 20, 25, 30, 40, 50, 100))
_LONGEST_NUMBER = 5
_LAST_NUMBER = 2_000
"""A number above this in a path names a thing and counts no pages."""


def next_page(page: Page) -> str:
    """The canonical address of the page that continues this one's records; "" where there is none."""
    owns = _own_addresses(page)
    numbered: dict[int, str] = {}
    for target, text, says in _candidates(page):
        if target in owns or not any(continues(own, target) for own in owns):
            continue
        if says:
            return target
        if found := _DIGITS.match(text):
            numbered.setdefault(int(found.group(1)), target)
    later = [number for number in numbered if number > 1]
    return numbered[min(later)] if later else ""


def _own_addresses(page: Page) -> list[str]:
    """The page's address and the one that it claims."""
    columns = page.columns
    links = (columns.elements[place] for place in np.flatnonzero(columns.tagged("link")).tolist())
    claimed = next((link.get("href", "") for link in links if link.get("rel", "").lower() == "canonical"), "")
    own = canonical_url(page.url) or page.url
    return list(dict.fromkeys(address for address in (own, resolve_url(page.base_url, claimed)) if address))


def continues(own: str, target: str) -> bool:
    """Whether two addresses are the same but for a number of pages, and the second is a later or an unnumbered one."""
    try:
        first, second = urlsplit(own), urlsplit(target)
    except ValueError:
        return False
    if first.netloc.removeprefix("www.") != second.netloc.removeprefix("www.") or second.scheme not in (
        "http",
        "https",
    ):
        return False
    if first.path == second.path:
        return _later_arguments(first, second)
    return _later_path(first.path, second.path) and _same_arguments(first, second)


def _candidates(page: Page) -> Iterator[tuple[str, str, bool]]:
    """(address, text, whether it says "next") of links that may lead on; those that say so in rel come first."""
    elements = page.columns.elements
    read = 0
    for place, text, says in (*_announced(page.columns), *_short_links(page.columns)):
        if reference := elements[place].get("href", "").strip():
            read += 1
            yield resolve_url(page.base_url, reference), text, says
        if read == _MOST_CANDIDATES:
            return


def _announced(columns: Columns) -> Iterator[tuple[int, str, bool]]:
    for place in np.flatnonzero(columns.tagged("a", "link")).tolist():
        relation = columns.elements[place].get("rel")
        if relation and "next" in relation.lower().split():
            yield place, "", True


def _short_links(columns: Columns) -> Iterator[tuple[int, str, bool]]:
    places = np.flatnonzero((columns.text_length <= _LONGEST) & columns.tagged("a"))
    chunks = zip(columns.chunk_start[places].tolist(), columns.chunk_end[places].tolist(), strict=True)
    for place, (start, end) in zip(places.tolist(), chunks, strict=True):
        text = columns.texts[start].strip() if end == start + 1 else "".join(columns.texts[start:end]).strip()
        says = _says_next(text, columns.elements[place])
        if says or _DIGITS.match(text):
            yield place, text, says


def _says_next(text: str, link: etree._Element) -> bool:
    """By its text or arrow, else by what stands in its attributes."""
    if text and (_SAYS_NEXT.match(text) or _ARROW.match(text)):
        return True
    attributes = link.attrib
    if len(attributes) < 2 or len(text) > _LONGEST_NAMED:
        return False
    told = (attributes.get("title") or attributes.get("aria-label") or "")[:40]
    if told and _SAYS_NEXT.match(told):
        return True
    classes = attributes.get("class", "")[:100]
    return "n" in classes and not text.isdigit() and _NEXT_CLASS.search(classes) is not None


def _same_arguments(first: SplitResult, second: SplitResult) -> bool:
    return sorted(parse_qsl(first.query)) == sorted(parse_qsl(second.query))


def _later_arguments(first: SplitResult, second: SplitResult) -> bool:
    own, other = dict(parse_qsl(first.query)), dict(parse_qsl(second.query))
    changed = {name for name in own | other if own.get(name) != other.get(name)}
    counting = {name for name in changed if _is_later(name.lower(), own.get(name, "0"), other.get(name, ""))}
    if "p" in counting and second.path == "/":
        return False  # there it names an article
    return bool(counting) and not any(name in own and name not in counting for name in changed)


def _is_later(name: str, own: str, other: str) -> bool:
    if not (_counts(own) and _counts(other)):
        return False
    step = int(other) - int(own)
    return step > 0 and (name in _OFFSETS or (name in _NUMBERS and (step in _STEPS or (own == "0" and step == 2))))


def _counts(value: str) -> bool:
    return value.isdecimal() and len(value) <= _LONGEST_NUMBER


def _later_path(own: str, other: str) -> bool:
    """/t-1-1.html and /t-1-2.html, /t/1 and /t/1/page-2; not /story/123.html and /story/124.html."""
    first, second = _RUN.split(own), _RUN.split(other)
    if len(first) == len(second) and first[::2] == second[::2]:
        changed = [place for place in range(1, len(first), 2) if first[place] != second[place]]
        if len(changed) != 1:
            return False
        before, after = int(first[changed[0]]), int(second[changed[0]])
        counting = changed[0] > 1 or _COUNTING.search(first[0]) is not None
        return counting and after <= _LAST_NUMBER and after - before in _STEPS
    bare_own, bare_other = _SUFFIX.sub("", own), _SUFFIX.sub("", other)
    if not bare_other.startswith(bare_own):
        return False
    tail = _TAIL.match(bare_other[len(bare_own) :])
    return tail is not None and 2 <= int(tail.group(1)) <= _LAST_NUMBER

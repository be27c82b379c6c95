"""The next page of a thread or list, and its first: by the words of links ("下一页", "›", rel=next, a number) and their targets.

A link that says "next" may also lead to the next article, so its target must be the page's own address but for a page number.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import TAG
from extractors.links.page_numbers import continues, number_after
from extractors.links.urls import canonical_url, resolve_url
from extractors.text.multi_search import contains_match

_NEXT = (
    r"下一?[页頁]|下[页頁]|[后後]一?[页頁]|次へ|次の?ページ|다음|next(?:[ -]?page)?|more(?: (?:comments|posts|replies))?"
    r"|older(?: (?:comments|posts|entries))?|load more|suivante?s?|page suivante|weiter|nächste(?: seite)?|vor|siguientes?|"
    r"página siguiente|seguente|successiv[ao]|próxima?|volgende|далее|след(?:ующая|\.)?|вперед|następna|další|sonraki"
)
_SAYS_NEXT = re.compile(rf"(?<![^\0])(?:[^\w\0]{{0,4}}(?:{_NEXT})[^\w\0]{{0,4}}|[›»>→▶]{{1,2}})(?![^\0])")
"""Of texts in lower case without white space around them, one or many joined."""
_NEXT_SIGN = re.compile(rf"{_NEXT}|[›»>→▶]")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"(?<![^\0])[^\w\0]{0,2}\d{1,5}[^\w\0]{0,2}(?![^\0])")
_SAYS_FIRST = re.compile(
    r"^\W{0,4}(?:1|首[页頁]|第一[页頁]|上一?[页頁]|前[页頁]|first(?: page)?|prev(?:ious)?(?: page)?|back|newer(?: comments)?|zurück|erste"
    r"|précédente?|première|anterior|primera|前へ|이전|назад|‹|«|<|←|◀|\|<)\W{0,4}$",
    re.I,
)
"""Of a link to the first page, or to the one before, which may be the first."""
_NEXT_CLASS = re.compile(r"n(?<![^\s_\0-]n)(?:ext(?:-?page)?|xt)(?![^\s_\0-])|p(?<![^\s_\0-]p)age-?next(?![^\s_\0-])")
_DIGITS = re.compile(r"^\W{0,2}(\d{1,5})\W{0,2}$")
_PLAIN = re.compile(r"/[a-zA-Z/_.-]*")
_ENDING = re.compile(r"(?:\.[a-zA-Z]{0,5})?/?$")
_MAX_TEXT_CHARS = 24
_MAX_NAMED_CHARS = 12
_MAX_TITLE_CHARS = 40
_MAX_CLASS_CHARS = 100
_MAX_CANDIDATES = 80
_MAX_SHORT_LINKS = 2_000
_NUMBERED = re.compile(r"[^/]/.*\d")
"""An address that can be another's second page."""


def next_page(page: Document) -> str:
    """The canonical address of the next page of these records; "" if there is none."""
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


def first_page(page: Document) -> str:
    """The canonical address of the first page of what this page continues; "" if this is it, or if no link leads there."""
    own = _own_addresses(page)[:1]
    if not own or not _NUMBERED.search(own[0]):
        return ""
    claimed = _own_addresses(page)[1:]
    targets, places = page.columns.sparse("href"), _backward_links(page.columns)
    linked = (resolve_url(page.base_url, targets[place].strip()) for place in places)
    return next((target for target in (*claimed, *linked) if number_after(target, own[0])), "")


def _own_addresses(page: Document) -> list[str]:
    """The page's address, and the canonical one that it declares."""
    columns = page.columns
    relations = columns.sparse("rel").items()
    links = (place for place, said in relations if said.lower() == "canonical" and columns.tag[place] == TAG["link"])
    claimed = columns.sparse("href").get(next(links, -1), "")
    own = canonical_url(page.url) or page.url
    return list(dict.fromkeys(address for address in (own, resolve_url(page.base_url, claimed)) if address))


def _backward_links(columns: Columns) -> Iterator[int]:
    """Links that say "1", "first" or "previous", in words or in rel."""
    short = (columns.text_length <= _MAX_TEXT_CHARS) & columns.tagged("a")
    places = np.flatnonzero(short | columns.tagged("link"))
    titles, labels, relations, targets = map(columns.sparse, ("title", "aria-label", "rel", "href"))
    for read, place in enumerate(places.tolist()):
        if read == _MAX_SHORT_LINKS:
            return
        start, end = int(columns.chunk_start[place]), int(columns.chunk_end[place])
        said = "".join(columns.texts[start:end]) or titles.get(place) or labels.get(place) or ""
        relation = relations.get(place, "").lower().split()
        if targets.get(place) and (_SAYS_FIRST.match(said[:40]) or "prev" in relation or "first" in relation):
            yield place


def _candidates(page: Document) -> Iterator[tuple[str, str, bool]]:
    """(address, text, whether it says "next") of links that may lead on; those that say so in rel come first."""
    targets, stubs = page.columns.sparse("href"), [_stub(own) for own in _own_addresses(page)]
    read = 0
    for place, text, says in (*_announced(page.columns), *_short_links(page.columns)):
        if reference := targets.get(place, "").strip():
            read += 1
            path = _path(reference)
            if path is None or any(map(path.startswith, stubs)):
                yield resolve_url(page.base_url, reference), text, says
        if read == _MAX_CANDIDATES:
            return


def _path(reference: str) -> str | None:
    """The part of an address after its host; None for a reference that is relative to the page's path."""
    if reference.startswith(("http://", "https://", "//")):
        return "/" + reference.partition("//")[2].partition("/")[2]
    return reference if reference.startswith("/") else None


def _stub(own: str) -> str:
    """What the paths of all pages of one run begin with: the path up to its first digit, without an ending."""
    found = _PLAIN.match(_path(own) or "")
    return _ENDING.sub("", found[0]) if found else ""


def _announced(columns: Columns) -> Iterator[tuple[int, str, bool]]:
    linking = columns.tagged("a", "link")
    for place, relation in columns.sparse("rel").items():
        if "next" in relation.lower().split() and linking[place]:
            yield place, "", True


def _short_links(columns: Columns) -> list[tuple[int, str, bool]]:
    places = np.flatnonzero((columns.text_length <= _MAX_TEXT_CHARS) & columns.tagged("a"))
    chunks = zip(columns.chunk_start[places].tolist(), columns.chunk_end[places].tolist(), strict=True)
    texts = ["".join(columns.texts[start:end]).strip() for start, end in chunks]
    said = [text.lower() for text in texts]
    says = contains_match(_SAYS_NEXT, said, _NEXT_SIGN) | _called_next(columns, places, texts)
    chosen = np.flatnonzero(says | contains_match(_NUMBER, said, _DIGIT)).tolist()
    return [(int(places[number]), texts[number], bool(says[number])) for number in chosen]


def _called_next(columns: Columns, places: NDArray[np.intp], texts: Sequence[str]) -> NDArray[np.bool_]:
    """bool[links]: a short link is called "next" by its title or class."""
    found = np.zeros(len(places), dtype=np.bool_)
    titles = columns.sparse("aria-label") | columns.sparse("title")
    titled = [number for number, place in enumerate(places.tolist()) if place in titles]
    told = (titles[int(places[number])][:_MAX_TITLE_CHARS].strip().lower() for number in titled)
    found[titled] = contains_match(_SAYS_NEXT, list(told), _NEXT_SIGN)
    links = np.zeros(len(columns), dtype=np.bool_)
    links[places] = True
    classes, which = columns.pairs("class", "class", links)
    called = contains_match(_NEXT_CLASS, [name[:_MAX_CLASS_CHARS].lower() for name, _ in classes])[which]
    for number in np.flatnonzero(called).tolist():
        found[number] |= not texts[number].isdigit()
    found[[number for number in np.flatnonzero(found).tolist() if len(texts[number]) > _MAX_NAMED_CHARS]] = False
    return found

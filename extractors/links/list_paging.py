"""The next and the first page of a thread or list: by words of links ("下一页", "›", rel=next, a number) and their targets.

A link with "next" may also lead to the next article, so its target must equal the page's address except for a page number.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import TAG
from extractors.links._page_numbers import (
    MAX_ENDING_CHARS,
    continues,
    continuing,
    first_addresses,
    number_after,
    path_of,
    stub_of,
)
from extractors.links.urls import canonical_url, resolve_url
from extractors.text.multi_search import contains_match

__all__ = ["continues", "continuing", "first_addresses", "first_page", "next_page", "number_after"]

_NEXT = (
    r"下一?[页頁]|下[页頁]|[后後]一?[页頁]|次へ|次の?ページ|다음|next(?:[ -]?page)?|more(?: (?:comments|posts|replies))?"
    r"|older(?: (?:comments|posts|entries))?|load more|suivante?s?|page suivante|weiter|nächste(?: seite)?|vor|siguientes?|"
    r"página siguiente|seguente|successiv[ao]|próxima?|volgende|далее|след(?:ующая|\.)?|вперед|następna|další|sonraki"
)
_SAYS_NEXT = re.compile(rf"(?<![^\0])(?:[^\w\0]{{0,4}}(?:{_NEXT})[^\w\0]{{0,4}}|[›»>→▶⟩〉\u232a❯]{{1,2}})(?![^\0])")
"""Matches lower-case texts without white space around them, single or joined."""
_NEXT_SIGN = re.compile(rf"{_NEXT}|[›»>→▶⟩〉\u232a❯]")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"(?<![^\0])[^\w\0]{0,2}\d{1,5}[^\w\0]{0,2}(?![^\0])")
_SAYS_FIRST = re.compile(
    r"^\W{0,4}(?:1|首[页頁]|第一[页頁]|上一?[页頁]|前[页頁]|first(?: page)?|prev(?:ious)?(?: page)?|back|newer(?: comments)?|zurück|erste"
    r"|précédente?|première|anterior|primera|前へ|이전|назад|‹|«|<|←|◀|⟨|〈|\u2329|❮|\|<)\W{0,4}$",
    re.I,
)
"""Matches texts of links to the first page, or to the previous one, which may be the first."""
_NEXT_CLASS = re.compile(r"n(?<![^\s_\0-]n)(?:ext(?:-?page)?|xt)(?![^\s_\0-])|p(?<![^\s_\0-]p)age-?next(?![^\s_\0-])")
_DIGITS = re.compile(r"^\W{0,2}(\d{1,5})\W{0,2}$")
_MAX_TEXT_CHARS = 24
_MAX_NAMED_CHARS = 12
_MAX_TITLE_CHARS = 40
_MAX_CLASS_CHARS = 100
_MAX_CANDIDATES = 80
_MAX_SHORT_LINKS = 2_000
_NUMBERED = re.compile(r"[^/]/.*\d")
"""An address that may be the second page of another."""
_PAGE_AT_END = re.compile(r"(?:p(?:age|g|n)?[/_.=-]?|/index[_-]?|[_-])\d{1,5}(?:\.[a-z]\w{0,4})?/?$", re.I)


def next_page(page: Document) -> str:
    """The canonical address of the next page of these records; "" if there is none."""
    owns = _own_addresses(page)
    # many a later page declares the first as its own address
    owns = [*owns[:1], *(claimed for claimed in owns[1:] if not number_after(claimed, owns[0]))]
    numbered: dict[int, str] = {}
    unnamed: list[str] = []
    for target, text, says in _candidates(page):
        if target in owns or not any(continues(own, target) for own in owns):
            continue
        if says:
            return target
        if found := _DIGITS.match(text):
            numbered.setdefault(int(found.group(1)), target)
        elif not text:
            unnamed.append(target)
    later = [number for number in numbered if number > 1]
    return numbered[min(later)] if later else min(unnamed, key=lambda target: (len(target), target), default="")


def first_page(page: Document) -> str:
    """The canonical address of the first page of the run that this page continues; "" on that page, or without a link to it."""
    own, *claimed = _own_addresses(page) or [""]
    if not _NUMBERED.search(own):
        return ""
    targets, places = page.columns.sparse("href"), _backward_links(page.columns)
    linked = (resolve_url(page.base_url, targets[place].strip()) for place in places)
    return next((target for target in (*claimed, *linked) if number_after(target, own)), "")


def _own_addresses(page: Document) -> list[str]:
    """The page's address, and its declared canonical address."""
    columns = page.columns
    relations = columns.sparse("rel").items()
    links = (place for place, said in relations if said.lower() == "canonical" and columns.tag[place] == TAG["link"])
    claimed = columns.sparse("href").get(next(links, -1), "")
    own = canonical_url(page.url) or page.url
    return list(dict.fromkeys(address for address in (own, resolve_url(page.base_url, claimed)) if address))


def _backward_links(columns: Columns) -> Iterator[int]:
    """Links with "1", "first" or "previous", in text or rel."""
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
    """(address, text, whether it has "next") of links to possible next pages; links with rel=next come first, pictures last."""
    columns, stubs, read = page.columns, [stub_of(own) for own in _own_addresses(page)], 0
    targets, relations, linking = columns.sparse("href"), columns.sparse("rel").items(), columns.tagged("a", "link")
    named = [(place, "", True) for place, words in relations if linking[place] and "next" in words.lower().split()]
    for place, text, says in (*named, *_short_links(columns)):
        if reference := targets.get(place, "").strip():
            read += 1
            if _may_continue(reference, stubs):
                yield resolve_url(page.base_url, reference), text, says
        if read == _MAX_CANDIDATES:
            break
    pictured = np.flatnonzero((columns.text_length == 0) & columns.tagged("a"))[:_MAX_SHORT_LINKS].tolist()
    addresses = (targets.get(place, "").rstrip() for place in pictured)
    likely = (each.lstrip() for each in addresses if _PAGE_AT_END.search(each, max(0, len(each) - MAX_ENDING_CHARS)))
    for reference in islice((each for each in likely if _may_continue(each, stubs)), _MAX_CANDIDATES):
        yield resolve_url(page.base_url, reference), "", False


def _may_continue(reference: str, stubs: Sequence[str]) -> bool:
    path = path_of(reference)
    return path is None or any(map(path.startswith, stubs))


def _short_links(columns: Columns) -> list[tuple[int, str, bool]]:
    places = np.flatnonzero((columns.text_length <= _MAX_TEXT_CHARS) & columns.tagged("a"))
    chunks = zip(columns.chunk_start[places].tolist(), columns.chunk_end[places].tolist(), strict=True)
    texts = ["".join(columns.texts[start:end]).strip() for start, end in chunks]
    said = [text.lower() for text in texts]
    says = contains_match(_SAYS_NEXT, said, _NEXT_SIGN) | _called_next(columns, places, texts)
    chosen = np.flatnonzero(says | contains_match(_NUMBER, said, _DIGIT)).tolist()
    return [(int(places[number]), texts[number], bool(says[number])) for number in chosen]


def _called_next(columns: Columns, places: NDArray[np.intp], texts: Sequence[str]) -> NDArray[np.bool_]:
    """bool[links]: a short link has "next" in its title or class."""
    found = np.zeros(len(places), dtype=np.bool_)
    titles = columns.sparse("aria-label") | columns.sparse("title")
    titled = [number for number, place in enumerate(places.tolist()) if place in titles]
    named = (titles[int(places[number])][:_MAX_TITLE_CHARS].strip().lower() for number in titled)
    found[titled] = contains_match(_SAYS_NEXT, list(named), _NEXT_SIGN)
    links = np.zeros(len(columns), dtype=np.bool_)
    links[places] = True
    classes, which = columns.pairs("class", "class", links)
    called = contains_match(_NEXT_CLASS, [name[:_MAX_CLASS_CHARS].lower() for name, _ in classes])[which]
    for number in np.flatnonzero(called).tolist():
        found[number] |= not texts[number].isdigit()
    found[[number for number in np.flatnonzero(found).tolist() if len(texts[number]) > _MAX_NAMED_CHARS]] = False
    return found

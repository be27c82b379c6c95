"""Links of a page: by kind, those to people's pages, and their absolute addresses."""

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urljoin

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import TAG
from extractors.kernels import kernel
from extractors.records.signals.class_names import TAGS, element_classes
from extractors.records.signals.template_words import PROFILE
from extractors.text.multi_search import contains_match

_NOWHERE = ("#", "javascript:")
_MAX_TARGET_CHARS = 200
_DOOR = re.compile(r"regist(?:er|ration)\b|log-?(?:in|out)\b|sign-?(?:in|up|out)\b")
"""In addresses that begin like those of people: everyone's way into the site."""
_SEGMENTS = r"(?:/[^\x00-\x20/?#;.][^\x00-\x20/?#;]*)*/?"
_QUERY = r"(?:\?[^\x00-\x20#]+)?(?:#[^\x00-\x20]+)?"
_HOST = r"https?://[A-Za-z0-9.:-]+"
_BASE = re.compile(rf"({_HOST})({_SEGMENTS})(?:[?#].*)?")
_WHOLE = re.compile(rf"{_HOST}(?:/[^\x00-\x20?#;]*)?{_QUERY}")
_ROOTED = re.compile(rf"(?=/){_SEGMENTS}{_QUERY}")
_RELATIVE = re.compile(rf"[^\x00-\x20/?#;:.][^\x00-\x20/?#;:]*{_SEGMENTS}{_QUERY}")
"""Addresses with nothing to resolve or clean: their absolute form is the base with them appended."""


@dataclass(frozen=True, slots=True)
class LinkKinds:
    """The links with text to other pages, kind by kind, each in document order.

    Attributes:
        places: the elements. starts: where each kind begins. targets: int64, the number of each link's address.
    """

    places: NDArray[np.intp]
    starts: NDArray[np.intp]
    targets: NDArray[np.int64]


def link_kinds(page: Document) -> LinkKinds:
    """The links by kind: their own and their parent's class, and their parent's tag."""
    columns, classes = page.columns, page.once(element_classes).classes
    places = np.flatnonzero(columns.tagged("a") & (columns.text_length > 1))
    leading, targets = leading_links(places, columns.sparse("href"), _NOWHERE)
    places = places[leading]
    parents = np.maximum(columns.parent[places], 0)
    kinds = (classes[places] * TAGS + columns.tag[parents]) * (int(classes.max(initial=0)) + 1) + classes[parents]
    order = np.argsort(kinds, kind="stable")
    return LinkKinds(places[order], np.flatnonzero(np.diff(kinds[order], prepend=-1)), targets[order])


@kernel
def leading_links(
    places: NDArray[np.intp], targets: dict[int, str], nowhere: tuple[str, ...]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """bool[places]: the link leads to another page; int64: the number of the address of each such link."""
    written = [targets.get(place, "") for place in places.tolist()]
    leading = [bool(target) and not target.startswith(nowhere) for target in written]
    numbers: dict[str, int] = {}
    kept = (target for target, leads in zip(written, leading, strict=True) if leads)
    known = [numbers.setdefault(target, len(numbers)) for target in kept]
    return np.array(leading, dtype=np.bool_), np.array(known, dtype=np.int64)


def profile_links(page: Document) -> NDArray[np.bool_]:
    """bool[N]: the element is a link whose address looks like a person's page."""
    columns = page.columns
    places, found = columns.places("a"), np.zeros(len(columns), dtype=bool)
    targets, which = numbered_targets(places, columns.sparse("href"), _MAX_TARGET_CHARS)
    people = contains_match(PROFILE, targets)
    people[[place for place in np.flatnonzero(people).tolist() if _DOOR.search(targets[place])]] = False
    found[places] = people[which]
    return found


@kernel
def numbered_targets(places: list[int], targets: dict[int, str], longest: int) -> tuple[list[str], NDArray[np.int64]]:
    """The distinct beginnings, of `longest` characters and in lower case, of the targets of these places ("" for none), in order
    of appearance; and the number of each place's target."""
    numbers: dict[str, int] = {}
    cut = (targets.get(place, "")[:longest].lower() for place in places)
    which = [numbers.setdefault(target, len(numbers)) for target in cut]
    return list(numbers), np.array(which, np.int64)


def absolute(base: str, target: str) -> str:
    """A link's absolute address, as by `urllib.parse.urljoin` but faster; "" if it is not an address."""
    host, folder = _split_base(base)
    target = target.strip()
    if host and _ROOTED.fullmatch(target):
        return host + target
    if host and _WHOLE.fullmatch(target):
        return target
    return folder + target if host and _RELATIVE.fullmatch(target) else _joined(base, target)


@lru_cache(maxsize=1_000)
def _split_base(base: str) -> tuple[str, str]:
    """An address up to its host, and up to its last slash; "" twice if it has unusual parts."""
    found = _BASE.fullmatch(base)
    return (found[1], found[1] + (found[2].rpartition("/")[0]) + "/") if found else ("", "")


@lru_cache(maxsize=5_000)
def _joined(base: str, target: str) -> str:
    try:
        return urljoin(base, target)
    except ValueError:
        return ""


@dataclass(frozen=True, slots=True)
class LinkAddresses:
    """Targets of links in or around elements: `links` are those with an address; `known` caches addresses, since groups of a
    page share elements."""

    columns: Columns
    base_url: str
    links: NDArray[np.intp]
    known: dict[int, str]

    def of(self, place: int) -> str:
        """The absolute address of the first link in an element, or of the link around it; "" if there is none."""
        found = self.known.get(place)
        if found is None:
            target = self.columns.sparse("href").get(self._link(place), "")
            found = self.known[place] = absolute(self.base_url, target) if target else ""
        return found

    def _link(self, place: int) -> int:
        columns, first = self.columns, int(np.searchsorted(self.links, place))
        if first < len(self.links) and self.links[first] < columns.end[place]:
            return int(self.links[first])
        above = max(0, int(columns.parent[place]))
        return above if columns.tag[above] == TAG["a"] else -1


def link_addresses(page: Document) -> LinkAddresses:
    """The addresses of a page's links, each resolved when it is first requested."""
    targets, links = page.columns.sparse("href"), np.flatnonzero(page.columns.tagged("a"))
    leading = links[[bool(targets.get(link)) for link in links.tolist()]] if len(links) else links
    return LinkAddresses(page.columns, page.base_url, leading, {})

"""Short elements of a page that may name people, and the signs that they name authors."""

import re
import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import tag_set
from extractors.kernels import kernel
from extractors.records.signals import PageSignals, page_signals
from extractors.records.signals.class_names import element_classes
from extractors.records.signals.links import profile_links
from extractors.records.signals.template_words import AUTHOR, OTHER_PERSON, is_no_name, may_be_names
from extractors.text.multi_search import APART, contains_match

MAX_NAME_CHARS = 40
MAX_NAME_WORDS = 4
_MAX_CHUNKS = 3
_MAX_LABEL_CHARS = 20
_MAX_TITLE_CHARS = 40
_STRESSED = tag_set("a", "strong", "b", "cite")
_NAMING_PROPERTIES = frozenset(("author", "creator", "name"))
_NAMING_ATTRIBUTES = ("data-author", "data-username", "author", "data-user-name", "data-author-name")
_REMARK = re.compile(r"\s[-–—]\s")
"""Between a name in an attribute and a remark on the person: "jane - original poster"."""
_LETTERLESS = re.compile(r"[\W\d_]+")
_SIGNS = ("So", "Sk", "Sm")
"""Unicode's categories of emoji and other symbols."""
_BYLINE = re.compile(
    "|".join(
        rf"{word[0]}(?<![^\s{APART}]{word[0]}){word[1:]}\s?[:：]?(?![^{APART}])"
        for word in "by 作者 楼主 发布者 发表者 von par de autor author posted[ ]by".split()
    )
)


@dataclass(frozen=True, slots=True)
class AuthorSignals:
    """Arrays over the N elements and M chunks of a page.

    Attributes:
        places, starts: elements with a name and little else, kind by kind, each in document order; and where kinds begin.
        label, labels: intp[N], the number of such an element's text without times and texts that are not names; the first
            of the labels is "".
        plain: bool[labels], has no more words than a name.
        signs: int64[N], the evidence of the element's names, address and microdata for an author, in tenths.
        other: bool[N], the element or its wrapper is named after another person: the last poster, the person answered.
        led: bool[M], the chunk before is short and introduces an author: "by".
        attributes: by element the name of its author in an attribute.
    """

    places: NDArray[np.intp]
    starts: NDArray[np.intp]
    label: NDArray[np.intp]
    labels: list[str]
    plain: NDArray[np.bool_]
    signs: NDArray[np.int64]
    other: NDArray[np.bool_]
    led: NDArray[np.bool_]
    attributes: dict[int, str]


def author_signals(page: Document) -> AuthorSignals:
    """The short elements of a page."""
    columns, signals = page.columns, page.once(page_signals)
    length, chunks = columns.text_length, columns.chunk_end - columns.chunk_start
    short = np.flatnonzero((length > 0) & (length <= MAX_NAME_CHARS) & (chunks <= _MAX_CHUNKS))
    profiles = page.once(profile_links)
    label, labels = _labels(signals, short, profiles)
    plain = np.array([bool(text) and text.count(" ") < MAX_NAME_WORDS for text in labels])
    signs = _signs(signals, profiles)
    short = short[_naming(signals, short, label, signs)]
    kinds = page.once(element_classes).kinds[short]
    order = np.argsort(kinds, kind="stable")
    starts = np.flatnonzero(np.diff(kinds[order], prepend=-1))
    marks = signs, _other_people(signals), _led(signals)
    return AuthorSignals(short[order], starts, label, labels, plain, *marks, _attributes(columns))


def _naming(
    signals: PageSignals, places: NDArray[np.intp], label: NDArray[np.intp], signs: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """bool[places]: the text of the element has a name, or the element has signs of an author and a number for a name."""
    columns, lowered, found = signals.columns, signals.texts.lowered, label[places] > 0
    unnamed = np.flatnonzero(~found)
    numbers = unnamed[signs[places[unnamed]] > 0]
    numbers = numbers[columns.chunk_end[places[numbers]] - columns.chunk_start[places[numbers]] == 1]
    found[numbers] = [lowered[chunk].isdecimal() for chunk in columns.chunk_start[places[numbers]].tolist()]
    return found


def _labels(
    signals: PageSignals, places: NDArray[np.intp], profiles: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], list[str]]:
    columns, (usable, longer) = signals.columns, _possible_names(signals, profiles)
    chosen = naming_chunks(places, columns.chunk_start, columns.chunk_end, usable, longer, _MAX_CHUNKS)
    label = np.zeros(len(columns), dtype=np.intp)
    label[places], labels = number_texts(chosen, signals.texts.folded)
    return label, labels


@kernel
def number_texts(chosen: NDArray[np.intp], texts: list[str]) -> tuple[NDArray[np.intp], list[str]]:
    """intp[chosen]: the number of each chosen text, 0 for −1; and the distinct texts, "" first."""
    labels = {"": 0}
    found = [labels.setdefault(texts[chunk], len(labels)) if chunk >= 0 else 0 for chunk in chosen.tolist()]
    return np.array(found, dtype=np.intp), list(labels)


def _possible_names(signals: PageSignals, profiles: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """bool[M] twice: the chunk may be a name; it may be one and is longer than one character. Drawn letters are initials."""
    texts = signals.texts
    candidates = np.flatnonzero((signals.visible <= MAX_NAME_CHARS) & ~signals.has_time)
    drawings = signals.columns.tagged("svg")
    if drawings[signals.columns.readable].any():
        candidates = candidates[~signals.columns.within(drawings)[signals.columns.owner[candidates]]]
    different = np.unique(texts.number[candidates])
    named = np.zeros(len(texts.distinct), dtype=np.bool_)
    named[different] = may_be_names([texts.distinct[number] for number in different.tolist()])
    usable = np.zeros(len(texts.number), dtype=np.bool_)
    usable[candidates] = named[texts.number[candidates]]
    for chunk in candidates[_links_of_signs(signals, profiles, usable, candidates)].tolist():
        usable[chunk] = _is_sign_name(signals, chunk)
    return usable, usable & (texts.length > 1)


def _links_of_signs(
    signals: PageSignals, profiles: NDArray[np.bool_], usable: NDArray[np.bool_], candidates: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """bool[candidates]: the chunk is not a name by its letters, but the whole text of a link to a person."""
    columns = signals.columns
    owners = columns.owner[candidates]
    alone = columns.chunk_end[owners] - columns.chunk_start[owners] == 1
    return np.asarray(profiles[owners] & alone & ~usable[candidates] & (signals.visible[candidates] > 0))


def _is_sign_name(signals: PageSignals, chunk: int) -> bool:
    """Whether a text without letters names a person: symbols do, except punctuation; digits only if the link or its wrapper is
    named as an author, since counters of a person's posts also link to the person."""
    text, owner = signals.texts.folded[chunk].strip(), int(signals.columns.owner[chunk])
    if not _LETTERLESS.fullmatch(text):
        return False
    if not any(character.isdigit() for character in text):
        return any(unicodedata.category(character) in _SIGNS for character in text)
    authors = signals.names.have(AUTHOR)
    return text.isdecimal() and bool(authors[owner] or authors[max(0, int(signals.columns.parent[owner]))])


@kernel
def naming_chunks(
    places: NDArray[np.intp], chunk_start: NDArray[np.int32], chunk_end: NDArray[np.int32], usable: NDArray[np.bool_],
    longer: NDArray[np.bool_], max_chunks: int,
) -> NDArray[np.intp]:  # fmt: skip
    """By element, its first chunk that is longer[M], else its first that is usable[M]; −1 for none."""
    start, end = chunk_start[places], chunk_end[places]
    found = np.full(len(places), -1, dtype=np.intp)
    for wanted in (usable, longer):
        for step in range(max_chunks - 1, -1, -1):
            chunk = start + step
            inside = chunk < end
            inside[inside] = wanted[chunk[inside]]
            found[inside] = chunk[inside]
    return found


def _signs(signals: PageSignals, profiles: NDArray[np.bool_]) -> NDArray[np.int64]:
    columns, authors = signals.columns, signals.names.have(AUTHOR)
    parent = np.maximum(columns.parent, 0)
    under = authors | authors[parent] | authors[parent[parent]]
    found = 20 * profiles + 15 * authors + 10 * under + 3 * _STRESSED[columns.tag]
    properties, relations = columns.sparse("itemprop"), columns.sparse("rel")
    micro = {place for place, value in properties.items() if value in _NAMING_PROPERTIES}
    found[list(micro.union(place for place, value in relations.items() if value == "author"))] += 30
    return np.asarray(found)


def _other_people(signals: PageSignals) -> NDArray[np.bool_]:
    named, parent = signals.names.have(OTHER_PERSON), np.maximum(signals.columns.parent, 0)
    found = named | named[parent] | named[parent[parent]] | named[parent[parent[parent]]]
    titles = signals.columns.sparse("title")
    found[list(titles)] |= contains_match(OTHER_PERSON, [title[:_MAX_TITLE_CHARS].lower() for title in titles.values()])
    return np.asarray(found)


def _led(signals: PageSignals) -> NDArray[np.bool_]:
    found = np.zeros(len(signals.visible), dtype=np.bool_)
    short = np.flatnonzero(signals.visible[:-1] <= _MAX_LABEL_CHARS)
    lowered = signals.texts.lowered
    found[short + 1] = contains_match(_BYLINE, [lowered[chunk] for chunk in short.tolist()])
    return found


def _attributes(columns: Columns) -> dict[int, str]:
    found: dict[int, str] = {}
    for name in reversed(_NAMING_ATTRIBUTES):
        found |= {place: value for place, value in columns.sparse(name).items() if value}
    return found


def avatar_names(page: Document) -> dict[int, str]:
    """By link to a person that shows a picture or the first letter of the name, the name in an attribute, in document order."""
    columns = page.columns
    links = np.flatnonzero(page.once(profile_links) & (columns.text_length <= 1)).tolist()
    named = ((link, _avatar_name(columns, link)) for link in links)
    return {link: name for link, name in named if name}


def _avatar_name(columns: Columns, link: int) -> str:
    """The first title or alternative text in a link that may be a name and begins with the letter that is shown, if there is one."""
    letter = columns.text(link).lower()
    for place in range(link, int(columns.end[link])):
        for values in (columns.sparse("title"), columns.sparse("alt")):
            name = _REMARK.split(values.get(place, ""), maxsplit=1)[0].strip()
            short = 1 < len(name) <= MAX_NAME_CHARS and name.count(" ") < MAX_NAME_WORDS
            if short and name.lower().startswith(letter) and not is_no_name(name.lower()):
                return name
    return ""

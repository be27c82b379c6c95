"""Normalised class and id of each element, template words in them, and kinds of elements."""

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import NAMES, tag_set
from extractors.kernels import kernel
from extractors.records.signals.template_words import (
    ASIDE,
    AUTHOR,
    BODY,
    NOT_BODY,
    NOTICE,
    OTHER_PERSON,
    OTHER_TIME,
    OWN_TIME,
    QUOTE,
    RECORD,
    TITLE,
)
from extractors.text.multi_search import contains_match

TAGS = len(NAMES) + 1
_CELLS = tag_set("td", "th")
_STATE = frozenset(
    "odd even first last alt alternate new unread read hot active parent clearfix d-flex row col container item "
    "byuser bypostauthor author thread-odd thread-even left right hide show open closed sticky locked".split()
)
"""Classes for parity or state, not kind."""
_NUMBER = re.compile(r"\d+")
_MAX_TOKENS = 8
_MIN_TELLING_SHARE = 0.03
"""Minimum share of named elements whose names have a word for a part of a page."""
_WORDS = (
    RECORD, ASIDE, AUTHOR, BODY, TITLE, NOT_BODY, QUOTE, OTHER_PERSON, OWN_TIME, OTHER_TIME, NOTICE,
)  # fmt: skip
_BITS = {id(words): 1 << place for place, words in enumerate(_WORDS)}
"""By identity, since Python hashes the whole code of a pattern on each look-up."""
_KNOWN: dict[str, int] = {}
"""Cache of the words of names, since the pages of a site share names."""
_MAX_CACHED_SPELLINGS = 20_000
_MAX_CACHED_NAMES = 10_000

Tokens = tuple[str, ...]
_COMPARED: dict[tuple[str, str], tuple[Tokens, str, str, int]] = {}
"""Cache by class and id: the result of `compared_names`, and the words; the pages of a site share names."""


@dataclass(frozen=True, slots=True)
class ElementNames:
    """Names of the N elements of a page; elements without text have none.

    Attributes:
        tokens, stems: of the D distinct pairs of class and id, see `compared_names`.
        number, spellings: intp[N], the number of each element's spelling; the first spelling is "".
        words: int64[N], the bits (`word_bit`) of the words in each element's name.
        masks: cache of `have`, by bit, since the groups of a page share it.
    """

    tokens: list[Tokens]
    stems: list[str]
    number: NDArray[np.intp]
    spellings: list[str]
    words: NDArray[np.int64]
    masks: dict[int, NDArray[np.bool_]] = field(default_factory=dict)

    def have(self, words: re.Pattern[str]) -> NDArray[np.bool_]:
        """bool[N]: the element's class or id has one of these words; read-only."""
        bit = word_bit(words)
        found = self.masks.get(bit)
        if found is None:
            found = self.masks[bit] = (self.words & bit).astype(np.bool_)
        return found

    def spelling(self, place: int) -> str:
        """An element's class and id in lower case, with # for numbers; "" without them or without text."""
        return self.spellings[int(self.number[place])]


def element_names(page: Document) -> ElementNames:
    """The names of all elements of a page."""
    columns, (pairs, which) = page.columns, page.columns.names
    compared = _compared(pairs)
    tokens, stems, spelled, bits = map(list, zip(*compared, strict=True)) if compared else ([], [], [], [])
    numbers: dict[str, int] = {"": 0}
    known = [numbers.setdefault(spelling, len(numbers)) for spelling in spelled]
    found = np.zeros((2, len(columns)), dtype=np.int64)
    found[:, columns.readable] = np.array((known, bits), dtype=np.int64)[:, which]
    return ElementNames(tokens, stems, found[0], list(numbers), found[1])


def tell_parts(page: Document) -> bool:
    """Whether the names have words for the parts of pages, as nearly all templates' do; hashed names have none."""
    names = page.once(element_names)
    named = names.number > 0
    return bool(np.count_nonzero(names.words[named]) >= _MIN_TELLING_SHARE * np.count_nonzero(named))


def _compared(pairs: list[tuple[str, str]]) -> list[tuple[Tokens, str, str, int]]:
    """For each pair, its tokens, stem, spelling and the bits of its words."""
    found = list(map(_COMPARED.get, pairs))
    lacking = [pair for pair, known in zip(pairs, found, strict=True) if known is None] if None in found else []
    if lacking:
        tokens, stems, spellings = compared_names(lacking, _STATE, _MAX_TOKENS)
        said = zip(tokens, stems, spellings, _words_in(spellings).tolist(), strict=True)
        made = dict(zip(lacking, said, strict=True))
        if len(_COMPARED) + len(made) > _MAX_CACHED_NAMES:
            _COMPARED.clear()
        _COMPARED.update(made)
        found = [known or made[pair] for pair, known in zip(pairs, found, strict=True)]
    return [known for known in found if known]


def word_bit(words: re.Pattern[str]) -> int:
    """The bit of these words in `ElementNames.words`."""
    return _BITS[id(words)]


def _words_in(spellings: list[str]) -> NDArray[np.int64]:
    found = np.array([_KNOWN.get(spelled, -1) for spelled in spellings], dtype=np.int64)
    lacking = np.flatnonzero(found < 0)
    if len(lacking):
        names = [spellings[place] for place in lacking.tolist()]
        found[lacking] = sum(contains_match(words, names).astype(np.int64) << bit for bit, words in enumerate(_WORDS))
        if len(_KNOWN) > _MAX_CACHED_SPELLINGS:
            _KNOWN.clear()
        _KNOWN.update(zip(names, found[lacking].tolist(), strict=True))
    return found


@kernel
def compared_names(
    names: list[tuple[str, str]], state: frozenset[str], max_tokens: int
) -> tuple[list[Tokens], list[str], list[str]]:
    """For pairs of class and id: the tokens of the class without numbers and state, the stem of the id ("" without a number),
    and both in lower case with # for each number."""
    tokens, stems, spellings = [], [], []
    for classes, identity in names:
        found = {_NUMBER.sub("", token).strip("-_") for token in classes.lower().split()[:max_tokens]}
        tokens.append(tuple(sorted(token for token in found if len(token) > 1 and token not in state)))
        stems.append(_NUMBER.sub("#", identity) if _NUMBER.search(identity) else "")
        spellings.append(_NUMBER.sub("#", f"{classes} {identity}".strip().lower()))
    return tokens, stems, spellings


@dataclass(frozen=True, slots=True)
class ElementClasses:
    """Numbers for the N elements of a page.

    Attributes:
        classes: int64[N], by the comparable tokens of the class; 0 for none, and for elements without text.
        kinds: int64[N], by tag, class, microdata, the parent's tag and class, and column of a table.
        bodies: int64[N], by tag and class; by tag and the parent's class (an odd number) if it has no class.
        cell: int32[N], the number in its row of the cell that holds the element; −1 outside of cells.
    """

    classes: NDArray[np.int64]
    kinds: NDArray[np.int64]
    bodies: NDArray[np.int64]
    cell: NDArray[np.int32]


def element_classes(page: Document) -> ElementClasses:
    """The kinds of a page's elements."""
    columns, names = page.columns, page.once(element_names)
    classes, cell, properties = _classes(columns, names), _cells(columns), _properties(columns, names)
    parent, tags = np.maximum(columns.parent, 0), columns.tag.astype(np.int64)
    count = int(classes.max(initial=0)) + 1
    named = tags * count + classes
    kinds = (named * TAGS + tags[parent]) * count + classes[parent]
    kinds = kinds * (int(properties.max(initial=0)) + 1) + properties
    kinds = kinds * (int(cell.max(initial=0)) + 2) + cell + 1
    bodies = np.where(classes > 0, named * 2, (tags * count + classes[parent]) * 2 + 1)
    return ElementClasses(classes, kinds, bodies, cell)


def _classes(columns: Columns, names: ElementNames) -> NDArray[np.int64]:
    numbers: dict[Tokens, int] = {(): 0}
    known = [numbers.setdefault(each, len(numbers)) for each in names.tokens]
    found = np.zeros(len(columns), dtype=np.int64)
    found[columns.readable] = np.array(known, dtype=np.int64)[columns.names[1]]
    return found


def _cells(columns: Columns) -> NDArray[np.int32]:
    cell = np.full(len(columns), -1, dtype=np.int32)
    places = np.flatnonzero(_CELLS[columns.tag])
    rows, ends = columns.parent[places].tolist(), columns.end[places].tolist()
    counts: dict[int, int] = {}
    for place, row, end in zip(places.tolist(), rows, ends, strict=True):
        counts[row] = number = counts.get(row, -1) + 1
        cell[place:end] = number
    return cell


def _properties(columns: Columns, names: ElementNames) -> NDArray[np.int64]:
    """int64[N]: the microdata property of each element with text, and whether its class or id names an author."""
    numbers = {"": 0}
    found = np.zeros(len(columns), dtype=np.int64)
    for place, value in columns.sparse("itemprop").items():
        found[place] = numbers.setdefault(value, len(numbers))
    return np.asarray(np.where(columns.text_length > 0, 2 * found + names.have(AUTHOR), 0))

"""Signs that all groups of one page are measured and read by, worked out once."""

import re
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tags import tag_set
from extractors.html.visibility import LONGEST_STYLE, UNSEEN
from extractors.records.alike import Alike
from extractors.records.clocks import Clocks
from extractors.records.hints import (
    ACT,
    ASIDE,
    AUTHOR,
    BODY,
    NOT_BODY,
    NOTICE,
    OTHER_PERSON,
    OTHER_TIME,
    OWN_TIME,
    PROFILE,
    QUOTE,
    RECORD,
    TITLE,
)
from extractors.records.people import People
from extractors.records.structured import Structured
from extractors.records.timed import timed
from extractors.records.wording import worded
from extractors.text.multi_search import holding, matching

_SILENT_PARTS = tag_set("nav", "header", "footer", "form", "select", "button", "textarea")
_FURNITURE = tag_set("form", "button", "select", "textarea", "label", "time", "nav")
_QUOTES = tag_set("blockquote", "q")
_LONGEST_ACT = 16
_LONGEST_TIME = 90
_LONGEST_WORD = 20
"""Of a chunk that tells a time without a digit: yesterday."""
_LONGEST_TARGET = 200


_WORDS = (
    RECORD, ASIDE, AUTHOR, BODY, TITLE, NOT_BODY, QUOTE, OTHER_PERSON, OWN_TIME, OTHER_TIME, NOTICE,
)  # fmt: skip
"""What the names of elements are looked through for."""
_BITS = {id(words): 1 << place for place, words in enumerate(_WORDS)}
"""By identity: the hash of a pattern is worked out anew each time, over all of its code."""
_KNOWN: dict[str, int] = {}
_MOST_KNOWN = 20_000
"""Names that are kept with what was found in them: the pages of a site have the same ones."""


class Signals:
    """Arrays over the N elements and M chunks of a page.

    Attributes:
        length: int32[M], visible characters of each chunk. linked, time: bool[M], it stands in a link, has a part of a time.
        times: int[N], chunks with times inside each element; free: visible characters outside of links.
        joined: texts by first chunk, last chunk and number of chunks, as `extractors.records.texts` has put them together.
        silent: bool[N], inside menus and forms. wording: how the texts are compared; lowered, folded: see there.
    """

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.length = visible = columns.counts("visible")
        self.linked = columns.linked
        self.wording = worded(columns.texts)
        self.lowered, self.folded = self.wording.lowered, self.wording.folded
        self.time = self._timed(visible)
        self.times = columns.subtree_chunks(self.time)
        self.free = columns.subtree_chunks(visible * ~self.linked)
        self.silent = columns.within(_SILENT_PARTS[columns.tag])
        self.structured = Structured(self)
        self.alike = Alike(self)
        self.people = People(self)
        self.clocks = Clocks(self)
        self.joined: dict[tuple[int, int, int], str] = {}
        self._named: dict[int, NDArray[np.bool_]] = {}

    def _timed(self, visible: NDArray[np.int32]) -> NDArray[np.bool_]:
        numbered = self.columns.counts("digit") > 0
        short = (visible > 1) & (visible <= np.where(numbered, _LONGEST_TIME, _LONGEST_WORD))
        found = np.zeros(len(visible), dtype=np.bool_)
        found[short] = timed([self.lowered[place] for place in np.flatnonzero(short).tolist()], numbered[short])
        return found

    @cached_property
    def weights(self) -> NDArray[np.int64]:
        """int64[3, N]: visible characters inside each element, those outside of links, chunks with times."""
        return np.stack((self.columns.text_length, self.free, self.times)).astype(np.int64, copy=False)

    @cached_property
    def worth(self) -> NDArray[np.int64]:
        """int64[M]: what a chunk adds to a body that holds it, in tenths of a character; links and times take away."""
        length = self.length.astype(np.int64)
        worth = np.where(self.linked, -3 * length, 10 * length)
        return np.where(self.time, -120 - 10 * np.minimum(length, 40), worth)

    @cached_property
    def acts(self) -> NDArray[np.int64]:
        """int64[N]: the short texts inside each element that offer to answer, to quote, to like …"""
        texts = self.wording.distinct
        short = [number for number, text in enumerate(texts) if 0 < len(text) <= _LONGEST_ACT]
        found = np.zeros(len(texts), dtype=np.int64)
        found[short] = matching(ACT, [texts[number] for number in short])
        return self.columns.subtree_chunks(found[self.wording.numbers])

    @cached_property
    def text_lengths(self) -> NDArray[np.int64]:
        """int64[M]: the characters of each text without white space around it."""
        return np.fromiter(map(len, self.lowered), dtype=np.int64, count=len(self.lowered))

    @cached_property
    def endings(self) -> NDArray[np.int64]:
        """int64[N]: the number of the beginning of each element's last chunk; of an element without text any."""
        return self.wording.beginnings[self.columns.chunk_end - 1]

    @cached_property
    def children(self) -> NDArray[np.intp]:
        """intp[N]: how many children with text an element has."""
        return np.bincount(self.columns.parent[self.columns.readable].clip(0), minlength=len(self.columns))

    @cached_property
    def identified(self) -> NDArray[np.bool_]:
        """bool[N]: the element has an id with a number."""
        _, which = self.columns.names
        found = np.zeros(len(self.columns), dtype=bool)
        found[self.columns.readable] = np.array(list(map(bool, self.alike.names[1])), dtype=bool)[which]
        return found

    @cached_property
    def _spellings(self) -> tuple[NDArray[np.intp], list[str]]:
        """intp[N]: by element the number of its class and id among those of the page; and these, the first one empty.

        In lower case and with # for numbers, so that there are few.
        """
        _, which = self.columns.names
        spelled: dict[str, int] = {"": 0}
        known = [spelled.setdefault(each, len(spelled)) for each in self.alike.names[2]]
        found = np.zeros(len(self.columns), dtype=np.intp)
        found[self.columns.readable] = np.array(known, dtype=np.intp)[which]
        return found, list(spelled)

    def named(self, words: re.Pattern[str]) -> NDArray[np.bool_]:
        """bool[N]: the element's class or id has one of these words."""
        bit = word_bit(words)
        found = self._named.get(bit)
        if found is None:
            found = self._named[bit] = (self._bits & bit).astype(np.bool_)
        return found

    def words_of(self, places: NDArray[np.intp]) -> NDArray[np.int64]:
        """int64[places]: the bits of `word_bit` of all words that an element's class or id has."""
        return self._bits[places]

    @cached_property
    def _bits(self) -> NDArray[np.int64]:
        """int64[N]: a bit for each of `_WORDS` that an element's class or id has."""
        numbers, spellings = self._spellings
        return _bits_of(spellings)[numbers]

    @cached_property
    def names(self) -> list[str]:
        """By element its class and id in lower case, "" where it has none or no text."""
        numbers, spellings = self._spellings
        return [spellings[number] for number in numbers.tolist()]

    @cached_property
    def authors(self) -> NDArray[np.bool_]:
        """bool[N]: the element's class or id says that it is an author's."""
        return self.named(AUTHOR)

    @cached_property
    def furniture(self) -> NDArray[np.bool_]:
        """bool[N]: the element is by its tag, class, id or role none of a text's parts: a form, a button, a signature."""
        roles = self.columns.sparse("data-role")
        found = _FURNITURE[self.columns.tag] | self.named(NOT_BODY)
        found[list(roles)] |= holding(NOT_BODY, [role.lower() for role in roles.values()])
        return np.asarray(found)

    @cached_property
    def quotes(self) -> NDArray[np.bool_]:
        """bool[N]: the element is a quote by its tag or its name."""
        return np.asarray(_QUOTES[self.columns.tag] | self.named(QUOTE))

    @cached_property
    def hidden(self) -> NDArray[np.bool_]:
        """bool[N]: the element is not shown, by its own style."""
        styles = self.columns.sparse("style")
        found = np.zeros(len(self.columns), dtype=np.bool_)
        found[list(styles)] = holding(UNSEEN, [style[:LONGEST_STYLE] for style in styles.values()])
        return found

    @cached_property
    def in_furniture(self) -> NDArray[np.bool_]:
        """bool[M]: the chunk stands in such an element."""
        return self.columns.within(self.furniture)[self.columns.owner]

    @cached_property
    def targets(self) -> list[str]:
        """By element the address to which it links as it is written, "" for what is no link."""
        found = [""] * len(self.columns)
        for place, target in self.columns.sparse("href").items():
            found[place] = target
        return found

    @cached_property
    def profiles(self) -> NDArray[np.bool_]:
        """bool[N]: the element is a link whose address looks like a person's page."""
        targets, places = self.targets, np.flatnonzero(self.columns.tagged("a"))
        found, numbers = np.zeros(len(self.columns), dtype=bool), dict[str, int]()
        which = [numbers.setdefault(targets[place][:_LONGEST_TARGET], len(numbers)) for place in places.tolist()]
        found[places] = holding(PROFILE, [target.lower() for target in numbers])[which]
        return found


def word_bit(words: re.Pattern[str]) -> int:
    """The bit by which `Signals.words_of` tells of these words."""
    return _BITS[id(words)]


def _bits_of(spellings: list[str]) -> NDArray[np.int64]:
    found = np.array([_KNOWN.get(spelled, -1) for spelled in spellings], dtype=np.int64)
    lacking = np.flatnonzero(found < 0)
    if len(lacking):
        names = [spellings[place] for place in lacking.tolist()]
        found[lacking] = sum(holding(words, names).astype(np.int64) << bit for bit, words in enumerate(_WORDS))
        if len(_KNOWN) > _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN.update(zip(names, found[lacking].tolist(), strict=True))
    return found

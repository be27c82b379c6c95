"""Words in classes and ids of elements that show the role of a part of the page."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.kernels import kernel

CLASS_GROUPS: dict[str, str] = {
    "content": "content article entry story neirong zhengwen ^zw detail ^news rich markdown prose",
    "body": "body text txt para wysiwyg editor",
    "post": "post thread message reply answer question topic",
    "main": "^main primary center middle ^left",
    "title": "title headline heading subject biaoti",
    "comment": "comment pinglun disqus respond discuss guestbook reaction",
    "side": "side ^right widget column rail",
    "foot": "foot copyright bottom disclaimer legal",
    "navigation": "nav menu crumb position =page =pager =pages paginat paging ^toc =tab =tabs index",
    "head": "^head ^top banner logo masthead",
    "related": "relat recommend similar more also tuijian xiangguan ^hot rank popular trending latest list archive suggest",
    "share": "share social weibo wechat ^qrc =qr follow ^like favour favor digg ^vote",
    "advert": "=ad =ads advert sponsor promo guanggao commercial adsense taboola outbrain",
    "byline": "author byline date ^time ^meta source laiyuan publish ^info credit writer",
    "tags": "=tag =tags keyword categor label",
    "form": "login ^sign subscri newsletter search ^form popup modal register paywall overlay dialog dropdown",
    "consent": "cookie consent gdpr onetrust privacy =cmp",
    "caption": "caption figure image photo picture gallery media video player thumb",
    "code": "^code highlight syntax snippet terminal",
    "user": "user avatar profile member signature badge medal",
    "hidden": "hidden =hide invisible =sr visually noprint skip",
    "unfold": "accordion collaps toggle faq expand spoiler foldable =fold unfold tabpanel",
    "apart": "signature consent onetrust gdpr ^modal =dialog =dialogs popup lightbox",
}
"""Groups of words that site builders use in class names and ids: inside a word, at its beginning (^), or as the whole word (=)."""
GROUP_NAMES = tuple(CLASS_GROUPS)
_WORD = re.compile(r"[A-Z]?[a-z]{1,40}|[A-Z]{1,40}")
_MAX_CLASS_CHARS = 200
_MAX_ID_CHARS = 60


@kernel
class ClassWords:
    """Finds the groups of words in names of classes and ids.

    Args:
        fragments: (bound, fragment, bit): the fragment matches anywhere in a word (""), at its beginning ("^"), or as the
            whole word ("="). Fragments are lower case.
    """

    def __init__(self, fragments: list[tuple[str, str, int]]) -> None:
        self._fragments: dict[str, list[tuple[str, str, int]]] = {}
        for bound, fragment, bit in fragments:
            self._fragments.setdefault(fragment[:3], []).append((bound, fragment, bit))
        self.word_bits = lru_cache(maxsize=20_000)(self._word_bits)

    def bits(self, pairs: Sequence[tuple[str, str]], max_first: int, max_second: int) -> NDArray[np.int64]:
        """int64[D]: the bits of all words in both texts of each pair, of which at most these numbers of characters are read."""
        bits = [self._name_bits(first[:max_first]) | self._name_bits(second[:max_second]) for first, second in pairs]
        return np.array(bits, np.int64)

    def _name_bits(self, name: str) -> int:
        bits = 0
        for word in _WORD.findall(name):
            bits |= self.word_bits(word.lower())
        return bits

    def _word_bits(self, word: str) -> int:
        bits = 0
        for place in range(max(1, len(word) - 2)):
            for bound, fragment, bit in self._fragments.get(word[place : place + 3], ()):
                if word == fragment if bound == "=" else word.startswith(fragment, place) and not (bound and place):
                    bits |= bit
        return bits


@cache
def _class_words() -> ClassWords:
    words = [(word, 1 << place) for place, several in enumerate(CLASS_GROUPS.values()) for word in several.split()]
    return ClassWords([(word[: -len(word.lstrip("^="))], word.lstrip("^="), bit) for word, bit in words])


def readable_bits(columns: Columns) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """The distinct bits of `GROUP_NAMES` on the page, and the number of those of each readable element."""
    pairs, which = columns.name_pairs
    return _class_words().bits(pairs, _MAX_CLASS_CHARS, _MAX_ID_CHARS), which

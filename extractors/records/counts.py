"""How often each record was answered, seen and liked, and its floor: kinds of number, by what they are called."""

import re
from typing import TYPE_CHECKING

import numpy as np

from extractors.records.kinds import Kinds

if TYPE_CHECKING:
    from extractors.records.reading import Reader

_LONGEST = 24
_SIGNS = 3
"""Chunks of a floor at most: a sign before its number and one behind it."""
_LONGEST_LINE = 120
"""Of a line that tells several things, among them a number."""
_WORDS = {
    "replies": re.compile(
        r"repl|respon|comment|answer|rep_?num|回复|回帖|回應|评论|antwort|réponse|respuesta|rispost|ответ|反馈"
    ),
    "views": re.compile(
        r"view|hits|reads?\b|查看|浏览|點閱|点击|阅读|人气|aufruf|zugriffe|gelesen|lecture|vues|\bvus\b|visita|просмотр"
    ),
    "likes": re.compile(r"like|vote|score|point|赞|推|up-?count|good|karma"),
}
_FLOOR = re.compile(r"^(?:#\s?(\d{1,6})|(\d{1,6})\s?[#楼樓F]|第\s?(\d{1,6})\s?[楼樓])$")
_NUMBER = re.compile(r"^\D{0,16}?(\d[\d.,]{0,12}\s?[kKwWmM万]?)\D{0,14}$")
_PAIR = re.compile(r"^\D{0,3}(\d[\d.,]{0,9})\s?/\s?(\d[\d.,]{0,9})\D{0,3}$")
_SAID = re.compile(
    r"(\d[\d.,]{0,12}[kKwWmM万]?)\s?(\w*(?:repl|respon|comment|answer|view|hits|回复|查看|浏览|阅读|评论|antwort|répons|respues)\w*)",
    re.I,
)
_WORD = re.compile(r"[\d\W_]+")
_BARE_SHARE = 0.7

Values = dict[int, str]


class Counts:
    """The numbers of a reader's records, by name; `chunks` are those that tell them."""

    def __init__(self, reader: "Reader", kinds: Kinds, times: "set[int]") -> None:
        self._times = times
        self._kinds_of_all = reader.signals.alike.kinds
        self._owners: list[int] = reader.columns.owner.tolist()
        self.reader, self.kinds, self.columns = reader, kinds, reader.columns
        self._floors: Values = {}
        self._inside: dict[object, Values] = {}
        self._called: dict[object, str] = {}
        self.chunks: dict[object, list[int]] = {}
        self.values: dict[str, Values] = {}
        self._gather()
        self._name()

    def of(self, number: int) -> dict[str, str]:
        """Replies, views, likes and floor of a record as they are written, "" where they are not told."""
        found = {name: self.values.get(name, {}).get(number, "") for name in _WORDS}
        return found | {"floor": self._floors.get(number, "")}

    def _gather(self) -> None:
        reader, texts = self.reader, self.reader.signals.folded
        short = (reader.signals.length <= _LONGEST_LINE) & (self.columns.counts("digit") > 0)
        places = np.flatnonzero((reader.around >= 0) & short)
        brief = (reader.signals.length[places] <= _LONGEST).tolist()
        rows = zip(
            places.tolist(), reader.around[places].tolist(), brief, reader.signals.time[places].tolist(), strict=True
        )
        for chunk, number, is_brief, is_time in rows:
            if is_brief and chunk in self._times:
                continue
            text = texts[chunk]
            if "/" in text and (pair := _PAIR.match(text)):
                self._pair(chunk, number, pair)
            elif not is_brief:
                for said in _SAID.finditer(text):
                    self._put(chunk, number, said.group(1).strip(), said.group(2).lower())
            elif is_time:
                continue
            elif floor := self._floor(chunk, text):
                self._floors.setdefault(number, floor)
            elif (count := _NUMBER.match(text)) and not self._is_name(chunk, text):
                self._put(chunk, number, count.group(1).strip(), self._words(chunk, text))

    def _is_name(self, chunk: int, text: str) -> bool:
        """Whether a text with a number is a link to a person: user12."""
        return not text.isdecimal() and bool(self.reader.signals.profiles[self._owners[chunk]])

    def _floor(self, chunk: int, text: str) -> str:
        """The floor that a text tells, "" for none; its sign may stand in an element of its own."""
        found = _FLOOR.match(text)
        if found is None and not text.isdecimal():
            return ""
        place = self._owners[chunk]
        for around in (place, int(self.columns.parent[place])) if text.isdecimal() else ():
            start, end = int(self.columns.chunk_start[around]), int(self.columns.chunk_end[around])
            if 1 < end - start <= _SIGNS:
                found = found or _FLOOR.match("".join("".join(self.columns.texts[start:end]).split()))
        return next(part for part in found.groups() if part) if found else ""

    def _words(self, chunk: int, text: str) -> str:
        """What a number is called where it stands: by its own text, or the text before or after it."""
        own = _WORD.sub(" ", text.lower()).strip()
        if len(own) > 1:
            return own
        before, after = _WORD.sub(" ", self.kinds.label(chunk)).strip(), self._after(chunk)
        beside = chunk + 1 < int(self.columns.chunk_end[self._owners[chunk]])
        if after and (beside or not (before and self.reader.template[chunk - 1])):
            return after
        return before if before and self.reader.template[chunk - 1] else ""

    def _after(self, chunk: int) -> str:
        """What a template writes after a chunk of the same record."""
        after, reader = chunk + 1, self.reader
        if after >= len(reader.around) or reader.around[after] != reader.around[chunk] or not reader.template[after]:
            return ""
        return _WORD.sub(" ", self.columns.texts[after].lower()[:20]).strip()

    def _put(self, chunk: int, number: int, value: str, words: str, part: str = "") -> None:
        owner = self._owners[chunk]
        kind = (int(self._kinds_of_all[owner]), words, part)
        self._inside.setdefault(kind, {}).setdefault(number, value)
        self.chunks.setdefault(kind, []).append(chunk)
        if kind not in self._called and (named := self._named(owner)):
            self._called[kind] = named
        elif kind not in self._called:
            title = self.columns.sparse("title").get(owner, "").lower()[:20]
            called = f"{words} {title} {self.kinds.header(owner)}"
            self._called[kind] = (
                called
                if any(each.search(called) for each in _WORDS.values())
                else f"{called} {self.kinds.said_of(owner)}"
            )

    def _named(self, place: int) -> str:
        """What the class of a number's own element, or of one that holds nothing else, calls it; "" unless one thing."""
        columns, parent = self.columns, max(0, int(self.columns.parent[place]))
        alone = columns.chunk_end[parent] - columns.chunk_start[parent] == 1
        for said in (self.reader.names[place], self.reader.names[parent] if alone else ""):
            if sum(words.search(said) is not None for words in _WORDS.values()) == 1:
                return said
        return ""

    def _pair(self, chunk: int, number: int, pair: re.Match[str]) -> None:
        """ "12/345": the smaller is how often it was answered."""
        if self.reader.is_list:
            low, high = sorted(pair.groups(), key=_value)
            self._put(chunk, number, low, "", "low")
            self._put(chunk, number, high, "", "high")

    def _name(self) -> None:
        bare: list[Values] = []
        both: list[Values] = []
        for kind, inside in self._inside.items():
            names = [name for name, words in _WORDS.items() if words.search(self._called[kind])]
            wide = self.kinds.share(inside) > _BARE_SHARE and self.reader.is_list and not _counts_up(inside)
            if {"replies", "views"} <= set(names) or not names:
                if wide:
                    (both if names else bare).append(inside)
                continue
            known = self.values.get(names[0], {})
            self.values[names[0]] = inside | known if len(inside) <= len(known) else known | inside
        self._by_size(both if len(both) > 1 else bare + both)

    def _by_size(self, bare: list[Values]) -> None:
        """A line of a list shows how often it was answered, and beside it how often it was seen, which is more."""
        open_names = [name for name in ("replies", "views") if len(self.values.get(name, {})) < 2]
        bare = sorted(bare, key=lambda inside: sum(map(_value, inside.values())))[:2]
        if len(bare) == 1 or len(open_names) == 1:
            bare = bare[-1:] if open_names == ["views"] else bare[:1]
        self.values |= dict(zip(open_names, bare, strict=False))


def _counts_up(inside: Values) -> bool:
    """Whether the numbers but number the records."""
    values = [_value(value) for _, value in sorted(inside.items())]
    steps = np.diff(values)
    return len(values) > 2 and bool((np.abs(steps) == 1).all())


def _value(text: str) -> float:
    digits = re.sub(r"\D", "", text)
    return float(digits or 0) * (1_000 if text[-1:] in "kK" else 10_000 if text[-1:] in "wW万" else 1)

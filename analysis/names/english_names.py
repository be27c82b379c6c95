"""Names in texts in letters: runs of capitalised words, by the words that begin and end them, by lists, and by what is around them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from analysis.names.known import data_lines
from analysis.names.model import Kind, Name

_WORD = r"(?:(?:[A-Z]\.){1,4}|(?:al-)?[A-ZÀ-Þ]\w{0,30}(?:['’](?!s\b)\w{1,20}|-\w{1,20}){0,3})"
_LINK = r"(?: (?:of|for|and|de|da|del|della|di|van|von|der|den|bin|al|el|la|du|dos|of the|van der|de la))? "
_RUN = re.compile(rf"(?<![\w.@#/]){_WORD}(?:{_LINK}{_WORD}){{0,8}}")
_MAX_RUNS = 2_000
_SAYS = r"said|says|told|added|wrote|tweeted|explained|insisted|argued|noted|recalled|warned|admitted|replied|testified"
_BEFORE = re.compile(
    rf"(?:\b(?:{_SAYS}|by|named|called|husband|wife|son|daughter|brother|sister|mother|father|actor|actress|singer|author|coach|captain|"
    r"analyst|spokesman|spokeswoman|founder|journalist|president|minister|chairman|director|professor|player|driver|striker|boss|year-old) )$"
)
_AFTER = re.compile(rf"(?:,? (?:{_SAYS}|who)\b|, \d{{2}},|,? (?:\d{{2}}-year-old|aged \d))")
_PLACE_BEFORE = re.compile(
    r"\b(?:(?:town|city|village|district|suburb|province|county|region|state|port|capital|island|north|south|east|west) of|near|outside) $"
)
_IN = re.compile(r"\b(?:in|In) $")
_AFTER_IN = re.compile(
    r"(?:[.,;)]|$| (?:on|after|before|when|where|this|last|during|at|earlier|yesterday|today|early|late)\b)"
)
_PARTICLES = frozenset("de da del della di van von der den bin al el la du dos".split())
_READ_BEFORE = 24


@dataclass(frozen=True, slots=True)
class _Lists:
    """Words by what they say about a run, and places with their countries ("" for a region of several)."""

    words: dict[str, frozenset[str]]
    given: frozenset[str]
    places: dict[str, str]


class _CapitalRun(NamedTuple):
    """Capitalised words of a text that stand together, and where each of them is."""

    text: str
    words: tuple[str, ...]
    tokens: tuple[tuple[int, int], ...]

    def part(self, begin: int, stop: int) -> "_CapitalRun":
        return _CapitalRun(self.text, self.words[begin:stop], self.tokens[begin:stop])

    @property
    def start(self) -> int:
        return self.tokens[0][0]

    @property
    def end(self) -> int:
        return self.tokens[-1][1]


def find_english(text: str) -> Iterator[Name]:
    """Names in the order of the text, none inside another; the surname of a person alone is that person again."""
    found: list[Name] = []
    unknown: list[_CapitalRun] = []
    surnames: set[str] = set()
    for run in _runs(text):
        if (named := _named(run)) is None:
            unknown.append(run)
            continue
        part, kind = named
        found.append(_name(part, kind))
        if kind == "person":
            surnames.add(part.words[-1].title())
    known = surnames - _lists().places.keys()
    for run in unknown:
        bare = _untitled(run)[0]
        if bare is not None and len(bare.tokens) == 1 and bare.words[0].title() in known:
            found.append(_name(bare, "person"))
    yield from sorted(found, key=lambda name: name.start)


def english_country(text: str) -> str:
    """The ISO code of the country of a place; "" if it is unknown, or in several countries."""
    return _lists().places.get(text, "").upper()


def _name(run: _CapitalRun, kind: Kind) -> Name:
    return Name(run.start, run.end, run.text[run.start : run.end], kind)


@cache
def _lists() -> _Lists:
    rows = [line.split() for line in data_lines("english.txt")]
    words = {row[0]: frozenset(row[1:]) for row in rows if len(row[0]) > 2}
    places = {name: country for country, name in (line.split(" ", 1) for line in data_lines("places.txt"))}
    places |= {name.replace("_", " "): row[0] for row in rows if len(row[0]) == 2 for name in row[1:]}
    places |= {name.replace("_", " "): "" for name in words["regions"]}
    words["no_ends"] = words["others"] | (words["starters"] - words["org_ends"])
    words["known"] = frozenset(name.replace("_", " ") for name in words["known"])
    return _Lists(words, frozenset(name for line in data_lines("given.txt") for name in line.split()), places)


def _runs(text: str) -> Iterator[_CapitalRun]:
    """Runs without the words that only begin a sentence, cut where two names are joined."""
    for count, match in enumerate(_RUN.finditer(text)):
        if count >= _MAX_RUNS:
            return
        words, spans, at = tuple(match.group().split(" ")), list[tuple[int, int]](), match.start()
        for word in words:
            spans.append((at, at + len(word)))
            at += len(word) + 1
        yield from _cut(_CapitalRun(text, words, tuple(spans)))


def _cut(run: _CapitalRun) -> Iterator[_CapitalRun]:
    """Parts that are names of their own: cut at "and" and "for", and at "of" where no organisation begins."""
    begin = 0
    words = run.words
    for at, word in enumerate(words):
        if word not in ("and", "for", "of", "the") or at < begin:
            continue
        if word == "the" or _is_org_head(words[begin:at]) or words[begin : at + 1] in (("Isle", "of"), ("Gulf", "of")):
            continue
        yield from _trimmed(run.part(begin, at))
        begin = at + 2 if words[at + 1 : at + 2] == ("the",) else at + 1
    yield from _trimmed(run.part(begin, len(words)))


def _is_org_head(words: Sequence[str]) -> bool:
    """University, Foreign Ministry: "of" or "and" may follow inside a name."""
    return bool(words) and any(word in _lists().words["org_heads"] for word in words)


def _trimmed(run: _CapitalRun) -> Iterator[_CapitalRun]:
    """Without words that begin sentences; nothing if only these are left."""
    words, skip = run.words, 0
    lists = _lists().words
    while skip < len(words) and (words[skip] in lists["starters"] or words[skip] in _PARTICLES):
        skip += 1
    stop, ends = len(words), lists["no_ends"]
    while stop > skip and (words[stop - 1] in ends or words[stop - 1].islower()):
        stop -= 1
    if skip < stop:
        yield from _apart(run.part(skip, stop))


def _apart(run: _CapitalRun) -> Iterator[_CapitalRun]:
    """California Governor Jerry Brown: a place, and a person with a title."""
    words, lists = run.words, _lists()
    for at in range(1, min(len(words) - 1, 4)):
        if words[at] in lists.words["titles"] and " ".join(words[:at]) in lists.places:
            yield run.part(0, at)
            yield run.part(at, len(words))
            return
    yield run


def _named(run: _CapitalRun) -> tuple[_CapitalRun, Kind] | None:
    """The part of the run that is a name, and what it is; None if nothing says so."""
    if _is_place(run):
        return run, "place"
    if _is_org(run):
        return run, "org"
    bare, titled = _untitled(run)
    if bare is None:
        return None
    if len(bare.tokens) < len(run.tokens) and not titled and _is_place(bare):
        return bare, "place"
    if _is_person(bare, titled):
        return bare, "person"
    if not titled and _is_place_there(bare):
        return bare, "place"
    return _beginning(bare)


def _beginning(run: _CapitalRun) -> tuple[_CapitalRun, Kind] | None:
    """Samsung Galaxy, Germany Takes Steps: a well-known name, and words that are no name."""
    words, lists = run.words, _lists()
    for stop in range(min(3, len(words) - 1), 0, -1):
        whole = " ".join(words[:stop])
        if whole in lists.words["known"]:
            return run.part(0, stop), "org"
        if whole in lists.places and len(words) - stop > 1:
            return run.part(0, stop), "place"
    return None


def _untitled(run: _CapitalRun) -> tuple[_CapitalRun | None, bool]:
    """Without nationality and titles, and whether there was a title."""
    words, lists, skip, titled = run.words, _lists().words, 0, False
    while skip < len(words) and (words[skip].rstrip(".") in lists["titles"] or words[skip] in lists["demonyms"]):
        titled = titled or words[skip] not in lists["demonyms"]
        skip += 1
    return (run.part(skip, len(words)) if skip < len(words) else None), titled


def _is_place(run: _CapitalRun) -> bool:
    words, lists = run.words, _lists()
    whole = " ".join(words)
    if whole in lists.places or whole.title() in lists.places:
        return True
    if len(words) < 2 or any(word in lists.words["org_ends"] for word in words):
        return False
    if words[0] in lists.words["directions"]:
        return " ".join(words[1:]) in lists.places
    return words[-1] in lists.words["place_ends"] or words[0] in lists.words["place_heads"]


def _is_org(run: _CapitalRun) -> bool:
    words, lists = run.words, _lists().words
    if len(words) == 1:
        return words[0] in lists["known"]
    if words[-1].rstrip(".") in lists["org_ends"]:
        return not all(word in lists["demonyms"] or word in lists["titles"] for word in words[:-1])
    return any(word in lists["org_heads"] and words[at + 1] in ("of", "for") for at, word in enumerate(words[:-1]))


def _is_person(run: _CapitalRun, titled: bool) -> bool:
    words, lists = run.words, _lists()
    full = [word for word in words if word not in _PARTICLES]
    if not 1 <= len(full) <= 4 or any(
        word in lists.words[name] for word in full for name in ("others", "demonyms", "org_ends")
    ):
        return False
    if titled and _may_be_surname(full[-1]):
        return True
    if len(full) > 1 and full[0].title() in lists.given and _may_be_surname(full[-1]):
        return True
    around = _BEFORE.search(run.text, max(0, run.start - _READ_BEFORE), run.start) or _AFTER.match(run.text, run.end)
    if not around or not all(_may_be_surname(word) or word.endswith(".") for word in full):
        return False
    return len(full) in (2, 3) or full[0] in lists.given


def _may_be_surname(word: str) -> bool:
    return (
        len(word) > 1 and word[0].isupper() and not word.endswith(".") and not any(letter.isdigit() for letter in word)
    )


def _is_place_there(run: _CapitalRun) -> bool:
    """Unknown, but where a place is expected: "in Oakville, Canada", "the town of Oakville"."""
    if len(run.tokens) > 2 or " ".join(run.words).isupper() or run.words[0] in _lists().given:
        return False
    if _PLACE_BEFORE.search(run.text, max(0, run.start - _READ_BEFORE), run.start):
        return True
    following = _RUN.match(run.text, run.end + 2) if run.text.startswith(", ", run.end) else None
    if following and following.group() in _lists().places:
        return True
    is_in = run.words[0] not in _lists().words["software"] and _IN.search(run.text, max(0, run.start - 4), run.start)
    return bool(is_in) and _AFTER_IN.match(run.text, run.end) is not None

"""Runs of capitalised words in texts in letters, cut where two names meet, and the lists by which names are recognised."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from analysis.names.known import data_lines

_OF_OFFICES = (
    r"(?:Sheriff|Prosecutor|Attorney|General|Governor|Mayor|Coroner|Women|Children|People|Veteran|Farmer|Worker|Teacher)['’]s"
    r"(?= (?:Office|Department|Bureau|Association|Union|Party|League|Hospital|Congress|Court|Republic)\b)"
)
"""What stands before an office or union in its name: Carroll County Sheriff's Office."""
_WORD = (
    rf"(?:{_OF_OFFICES}|"
    + r"(?:[A-Z]\.){1,4}|(?:Mrs?|Ms|Dr|Prof|Sen|Rep|Gov|Gen|Col|Lt|Sgt|Capt|Rev)\.|(?:al-)?[A-ZÀ-Þ]\w{0,30}(?:['’](?!s\b)\w{1,20}|-(?!(?:led|based|born|style|backed|owned|area|made|bound|era|run|controlled|administered|occupied|held|ruled)\b)\w{1,20}){0,3})"
)
_LINK = r"(?: (?:of|for|and|de|da|del|della|di|van|von|der|den|bin|al|el|la|du|dos|of the|van der|de la))? "
RUN = re.compile(rf"(?<![\w.@#/]){_WORD}(?:{_LINK}{_WORD}){{0,8}}")
_MAX_RUNS = 2_000
PARTICLES = frozenset("de da del della di van von der den bin al el la du dos".split())
MONTHS_ALSO_NAMES = frozenset(("May", "March", "April", "June", "August"))


@dataclass(frozen=True, slots=True)
class NameLists:
    """Words by what they say about a run, and places with their countries ("" for a region of several); towns are read as
    such only where a text may name one."""

    words: dict[str, frozenset[str]]
    given: frozenset[str]
    family: frozenset[str]
    places: dict[str, str]
    towns: frozenset[str]


class CapitalRun(NamedTuple):
    """Capitalised words of a text that stand together, and where each of them is."""

    text: str
    words: tuple[str, ...]
    tokens: tuple[tuple[int, int], ...]

    def part(self, begin: int, stop: int) -> "CapitalRun":
        return CapitalRun(self.text, self.words[begin:stop], self.tokens[begin:stop])

    @property
    def start(self) -> int:
        return self.tokens[0][0]

    @property
    def end(self) -> int:
        return self.tokens[-1][1]


@cache
def name_lists() -> NameLists:
    """Those of this package's data."""
    rows = [line.split() for line in data_lines("english.txt")]
    words = {row[0]: frozenset(row[1:]) for row in rows if len(row[0]) > 2}
    places = {name: country for country, name in (line.split(" ", 1) for line in data_lines("places.txt"))}
    places |= {name.replace("_", " "): row[0] for row in rows if len(row[0]) == 2 for name in row[1:]}
    places |= {name.replace("_", " "): "" for name in words["regions"]}
    words["no_ends"] = words["others"] | (words["starters"] - words["org_ends"])
    words["known"] = frozenset(name.replace("_", " ") for name in words["known"])
    given, family = (
        frozenset(name for line in data_lines(file) for name in line.split()) for file in ("given.txt", "family.txt")
    )
    return NameLists(words, given, family, places, frozenset(data_lines("towns.txt")))


def capital_runs(text: str) -> Iterator[CapitalRun]:
    """Runs without the words that only begin a sentence, cut where two names are joined."""
    for count, match in enumerate(RUN.finditer(text)):
        if count >= _MAX_RUNS:
            return
        words, spans, at = tuple(match.group().split(" ")), list[tuple[int, int]](), match.start()
        for word in words:
            spans.append((at, at + len(word)))
            at += len(word) + 1
        yield from _cut(CapitalRun(text, words, tuple(spans)))


def _cut(run: CapitalRun) -> Iterator[CapitalRun]:
    """Parts that are names of their own: cut at "and" and "for", and at "of" where no organisation begins."""
    begin = 0
    words = run.words
    for at, word in enumerate(words):
        if word not in ("and", "for", "of", "the") or at < begin:
            continue
        if word == "of" and " ".join(words[begin : at + 2]) in name_lists().places:
            continue
        if word == "the" or _is_org_head(words[begin:at]) or words[begin : at + 1] in (("Isle", "of"), ("Gulf", "of")):
            continue
        yield from _trimmed(run.part(begin, at))
        begin = at + 2 if words[at + 1 : at + 2] == ("the",) else at + 1
    yield from _trimmed(run.part(begin, len(words)))


def _is_org_head(words: Sequence[str]) -> bool:
    """University, Foreign Ministry: "of" or "and" may follow inside a name."""
    return bool(words) and any(word in name_lists().words["org_heads"] for word in words)


def _trimmed(run: CapitalRun) -> Iterator[CapitalRun]:
    """Without words that begin sentences; nothing if only these are left."""
    words, skip = run.words, 0
    lists = name_lists().words
    while skip < len(words) and (words[skip] in lists["starters"] or words[skip] in PARTICLES):
        if any(" ".join(words[skip:end]) in name_lists().places for end in (skip + 2, skip + 3)):  # New Hampshire
            break
        skip += 1
    stop, ends = len(words), lists["no_ends"]
    while stop > skip and (words[stop - 1] in ends or words[stop - 1].islower()):
        if words[stop - 1] in MONTHS_ALSO_NAMES and stop > skip + 1 and words[stop - 2] in name_lists().given:
            break
        stop -= 1
    if skip < stop:
        yield from _apart(run.part(skip, stop))


def _two_places(run: CapitalRun) -> Iterator[CapitalRun]:
    """The Texas-Mexico border: both places of a word; the run itself if it is something else."""
    first, _, second = run.words[0].partition("-")
    if first not in name_lists().places or second not in name_lists().places:
        yield run
        return
    yield CapitalRun(run.text, (first,), ((run.start, run.start + len(first)),))
    yield CapitalRun(run.text, (second,), ((run.end - len(second), run.end),))


def _is_office(words: Sequence[str]) -> bool:
    """Whether a title begins there, or the department of one with a name behind it: Press + Secretary."""
    lists = name_lists().words
    return words[0] in lists["titles"] or (
        words[0] in lists["portfolios"] and any(word in lists["titles"] for word in words[1:-1])
    )


def _apart(run: CapitalRun) -> Iterator[CapitalRun]:
    """California Governor Jerry Brown, Tesla CEO Elon Musk: a place or a well-known name, and a person with a title."""
    words, lists = run.words, name_lists()
    if len(words) == 1 and "-" in words[0] and words[0] not in lists.places:
        yield from _two_places(run)
        return
    if (
        len(words) > 1 and words[-1].isupper() and len(words[-1]) > 3 and words[-1].title() in lists.places
    ):  # By Jane Doe SEOUL,
        yield run.part(0, len(words) - 1)
        yield run.part(len(words) - 1, len(words))
        return
    begin = int(words[0] in ("Former", "Then", "Late") and len(words) > 1)
    for at in range(begin + 1, min(len(words) - 1, begin + 4)):
        whole = " ".join(words[begin:at])
        if _is_office(words[at:]) and (whole in lists.places or whole in lists.words["known"]):
            yield run.part(begin, at)
            yield run.part(at, len(words))
            return
    yield run

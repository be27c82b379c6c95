"""Digest of several pages on one event: non-redundant sentences, each with its page, and numbers that differ.

A sentence is as good as its pairs of characters are frequent in the other pages; one that shares most of its pairs with a chosen one
says nothing new (the idea of maximal marginal relevance, Carbonell and Goldstein 1998).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.summary.sentences import sentences_of
from extractors.text.calendar import LANGUAGES

_MAX_PAGES = 30
_MAX_SENTENCES = 8
"""Maximum number of sentences per page."""
_MIN_SAME_LIKENESS = 0.5
_LETTERS = (8, 160)
_MAX_DIFFERENCES = 6
_NUMBER = re.compile(r"(?<![\d.])(\d{1,3}(?:,\d{3})+|\d{1,9}(?:\.\d{1,3})?)(?![\d.])")
_LETTER = re.compile(r"[^\W\d_]")
_OF_TIME = frozenset("年月日时分秒点号岁届第期版")
_MONTHS = frozenset(("am", "pm", *(forms[0] for forms in LANGUAGES["en"].months)))


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence source, a page cited as `number`."""

    number: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence and its page."""

    text: str
    page: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Numbers for what seems to be the same thing: each value with its pages, in the order in which pages were given."""

    what: str
    values: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Digest:
    """Sentences in the order of their pages, and numbers that differ between pages."""

    sentences: tuple[Said, ...]
    differences: tuple[Difference, ...]


def digest(pages: Sequence[SummarySentence], most: int = 4) -> Digest:
    """The digest of pages in time order, with at most `most` sentences."""
    pages = pages[:_MAX_PAGES]
    return Digest(tuple(_chosen(pages, most)), tuple(_differences(pages)))


def _chosen(pages: Sequence[SummarySentence], most: int) -> Iterator[Said]:
    least, longest = _LETTERS
    found = [
        (page, place, sentence.text)
        for page in pages
        for place, sentence in enumerate(sentences_of(page.text)[:_MAX_SENTENCES])
        if least <= len(sentence.text) <= longest
    ]
    pairs = [_pairs(text) for *_, text in found]
    spread: defaultdict[str, set[int]] = defaultdict(set)
    for (page, *_), each in zip(found, pairs, strict=True):
        for pair in each:
            spread[pair].add(page.number)
    scores = [
        sum(len(spread[pair]) - 1 for pair in each) / (len(each) + 10) / (1 + 0.1 * place)
        for (_, place, _), each in zip(found, pairs, strict=True)
    ]
    kept: list[int] = []
    for index in sorted(range(len(found)), key=lambda index: (-scores[index], index)):
        if len(kept) == most:
            break
        if all(_likeness(pairs[index], pairs[other]) < _MIN_SAME_LIKENESS for other in kept):
            kept.append(index)
    for index in sorted(kept):
        yield Said(found[index][2], found[index][0].number)


def _pairs(text: str) -> frozenset[str]:
    letters = [letter.lower() for letter in text if letter.isalnum()]
    return frozenset("".join(letters[at : at + 2]) for at in range(len(letters) - 1))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the shorter one's pairs that the other one has too."""
    return len(one & other) / max(1, min(len(one), len(other)))


def _differences(pages: Sequence[SummarySentence]) -> Iterator[Difference]:
    """Quantities for which pages give different numbers, one each."""
    by_thing: defaultdict[str, dict[int, set[str]]] = defaultdict(dict)
    for page in pages:
        for thing, value in _numbers(f"{page.title}。{page.text[:2_000]}"):
            by_thing[thing].setdefault(page.number, set()).add(value)
    shown: set[tuple[tuple[str, tuple[int, ...]], ...]] = set()
    frequent = Counter({thing: len(by_page) for thing, by_page in by_thing.items()})
    for thing, _ in frequent.most_common():
        single = {page: min(values) for page, values in by_thing[thing].items() if len(values) == 1}
        if len(set(single.values())) < 2 or len(shown) == _MAX_DIFFERENCES:
            continue
        values: defaultdict[str, list[int]] = defaultdict(list)
        for number, value in single.items():
            values[value].append(number)
        row = tuple((value, tuple(numbers)) for value, numbers in values.items())
        if row not in shown:
            shown.add(row)
            yield Difference(thing, row)


def _numbers(text: str) -> Iterator[tuple[str, str]]:
    """Each number with what stands around it: the letters before with the unit, and the unit with the letters behind."""
    for match in _NUMBER.finditer(text):
        before, behind = text[max(0, match.start() - 24) : match.start()], text[match.end() : match.end() + 24]
        value = match[1].replace(",", "")
        if _is_spaced(before, behind):
            words = re.findall(r"[A-Za-z]+", behind)
            if words and behind[:1] == " " and words[0].lower() not in _MONTHS and before.split()[-1:] != [""]:
                yield f"… {' '.join(words[:2])}", value
            continue
        if not behind or behind[0] in _OF_TIME or not _LETTER.match(behind):
            continue
        tail = re.match(r"[^\W\d_]{1,3}", behind)
        head = re.search(r"[^\W\d_]{2}$", before)
        if tail and len(tail[0]) == 3:
            yield f"…{tail[0]}", value
        if head:
            yield f"{head[0]}…{behind[0]}", value


def _is_spaced(before: str, behind: str) -> bool:
    near = before[-2:] + behind[:2]
    return not any("\u3400" <= letter <= "\u9fff" for letter in near)

"""Language- and site-independent features of a candidate."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from analysis.summary.candidates import SummaryCandidate
from analysis.summary.sentences import Piece, units
from extractors.topic.lexicon import background_idf

NAMES = [
    "with title", "budget", "title length", "pieces", "first", "first share", "second", "gap", "paragraph", "begins sentence",
    "begins paragraph", "whole", "length of first", "share of first", "length of second", "mean frequency", "coverage",
    "title in body", "body in title", "first sentence in body", "mean idf", "rare", "stop words", "numbers", "question",
    "exclamation", "quotes", "colon", "pronoun first", "join first", "first person", "second person", "promise", "cue",
    "capitals", "repeats", "unique", "han", "sentences", "best frequency", "rank of coverage", "title share", "ends whole",
]  # fmt: skip
"""The columns, in order."""
_TOP = 15
_PRONOUN = frozenset(
    "this that these those it he she they his her their its there 这 那 它 他 她 此 该 其 而 但 对".split()
)
_JOIN = frozenset("but and however so because also then yet for 但 而 并 所 因 不 同 此 另 也 又 还".split())
_FIRST_PERSON = frozenset("i i'm i've my we our us we're we've me 我 咱 俺 本 笔".split())
_SECOND_PERSON = frozenset("you your you're you'll 你 您".split())
_PROMISE = frozenset(
    "learn discover explore guide find read how why what tips everything best know help explains explain explained overview".split()
)
_CUE = frozenset(
    "article post page review announced says said according new report study 文 报 记 称 表 宣 发 获 公".split()
)
_STOP = frozenset(
    "the a an of to in and is are was were be been for on with as at by from or that this it its has have had not "
    "but we you your our their "
    "的 了 在 是 和 与 及 或 也 都 就 而 着 被 把 将 对 为 等 中 上 下 这 那 有 不 一 个 们 到 从 以 其".split()
)
_HAN = re.compile(r"[\u4e00-\u9fff]")


@lru_cache(maxsize=50_000)
def _idf(unit: str) -> float:
    return 0.0 if unit in _STOP else background_idf(unit)


def feature_rows(
    title: str, pieces: Sequence[Piece], found: Sequence[SummaryCandidate], length: int
) -> NDArray[np.float32]:
    """float32[C, F]: a row for each candidate."""
    page = _Words(title, pieces)
    rows = [_row(page, each, length) for each in found]
    table = np.array(rows, np.float32)
    table[:, NAMES.index("rank of coverage")] = np.argsort(np.argsort(-table[:, NAMES.index("coverage")])) / len(rows)
    table[:, NAMES.index("best frequency")] = table[:, NAMES.index("mean frequency")].max()
    return table


class _Words:
    """The units of a page, counted."""

    def __init__(self, title: str, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces
        self.units = [units(piece.text) for piece in pieces]
        self.title = units(title)
        self.in_title = {unit for unit in self.title if unit not in _STOP}
        self.counts = Counter(unit for each in self.units for unit in each)
        self.counts.update(self.title)
        weighed = {unit: math.log1p(count) * _idf(unit) for unit, count in self.counts.items()}
        self.top = dict(sorted(weighed.items(), key=lambda pair: -pair[1])[:_TOP])
        self.mass = sum(self.top.values()) or 1.0
        self.first = {unit for unit in (self.units[0] if self.units else ()) if unit not in _STOP}
        self.han = float(bool(_HAN.search("".join(piece.text[:30] for piece in pieces[:3]))))


def _row(page: _Words, candidate: SummaryCandidate, length: int) -> list[float]:
    own = units(candidate.text)
    body = own[len(page.title) :] if candidate.with_title else own
    return [
        *_place(page, candidate, length),
        *_content(page, body, own),
        *_wording(candidate.text, body),
        len(set(own)) / max(1, len(own)),
        page.han,
        len(page.pieces),
        0,
        0,
        len(page.title) / max(1, len(own)) if candidate.with_title else 0,
        candidate.text[-1:] in "。！？.!?，,",
    ]


def _place(page: _Words, candidate: SummaryCandidate, length: int) -> list[float]:
    """Where its pieces stand, and how long they are: "with title" to "length of second"."""
    numbers = candidate.pieces
    first = page.pieces[numbers[0]] if numbers else None
    second = numbers[1] if len(numbers) > 1 else -1
    first_units = page.units[numbers[0]] if numbers else []
    return [
        candidate.with_title,
        length,
        len(page.title) / length,
        len(numbers),
        numbers[0] if numbers else -1,
        numbers[0] / len(page.pieces) if numbers else -1,
        second,
        second - numbers[0] if second >= 0 else 0,
        first.paragraph if first else -1,
        first.begins_sentence if first else -1,
        first.begins_paragraph if first else -1,
        candidate.whole,
        len(first_units),
        len(first_units) / length,
        len(page.units[second]) if second >= 0 else 0,
    ]


def _content(page: _Words, body: Sequence[str], own: Sequence[str]) -> list[float]:
    """The features that it shares with the page: "mean frequency" to "stop words"."""
    content, kinds = [unit for unit in body if unit not in _STOP], set(own)
    count = max(1, len(content))
    return [
        sum(math.log1p(page.counts[unit]) for unit in content) / count,
        sum(weight for unit, weight in page.top.items() if unit in kinds) / page.mass,
        len(page.in_title & set(body)) / max(1, len(page.in_title)),
        sum(unit in page.in_title for unit in content) / count,
        len(page.first & set(body)) / max(1, len(page.first)),
        sum(map(_idf, content)) / count,
        sum(page.counts[unit] == 1 for unit in content) / count,
        1 - len(content) / max(1, len(body)),
    ]


def _wording(text: str, body: Sequence[str]) -> list[float]:
    """Its signs and turns of phrase: "numbers" to "repeats"."""
    size, head = max(1, len(body)), body[0] if body else ""
    return [
        sum(unit[0].isdigit() for unit in body) / size,
        "?" in text or "？" in text,
        "!" in text or "！" in text,
        sum(text.count(mark) for mark in '“”"「」'),
        sum(text.count(mark) for mark in ":："),
        head in _PRONOUN,
        head in _JOIN,
        not _FIRST_PERSON.isdisjoint(body),
        not _SECOND_PERSON.isdisjoint(body),
        len(_PROMISE & set(body)),
        len(_CUE & set(body[:12])),
        sum(letter.isupper() for letter in text) / max(1, len(text)),
        1 - len(set(body)) / size,
    ]

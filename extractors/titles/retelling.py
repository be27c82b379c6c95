"""Whether one Chinese title retells the other, read closely: a forest on the signs of the wording and of the plain letters.

The words between and beside the common parts tell an editor's variant from a next step, a reaction and another instalment: a name
exchanged for another of the same length, a part of the affair that one title names alone, a bare name beside what happened. The
forest is trained on pairs that people judged (`python -m benchmarks.train_titles`).
"""

import re
from collections.abc import Sequence
from math import log1p

import numpy as np

from extractors.kernels.forest import forest_for
from extractors.titles.plain_letters import ASKED, asks, plain_letters, plain_word, stated_letters
from extractors.titles.title_text import TitleText
from extractors.titles.wording import (
    ALPHABET_WEIGHTS,
    HAN_WEIGHTS,
    MIN_ALPHABET,
    MIN_HAN,
    SIGNS,
    between_exchanged,
    in_order,
    likelihood,
    shared_pairs,
    strange_letters,
    wording_signs,
)

MAX_LETTERS = 80
"""Letters of a title that are read."""
PLAIN_SIGNS = (
    "common to the shorter", "common to the longer", "run of the shorter", "run of the longer", "strange to the longer",
    "strange to the shorter", "shorter", "longer", "left of one", "left of both", "left of them", "left strange", "behind",
    "begins the longer", "strange terms of the longer", "strange term of the shorter", "part of the affair", "questions",
    "pairs in common", "pairs contained", "denied",
    "stated, common to the shorter", "stated, common to the longer", "stated, run of the shorter", "stated, strange to the longer",
    "stated, strange to the shorter", "stated, shorter", "stated, longer", "stated, pairs in common", "stated, pairs contained",
    "lacking in the longer", "lacking in the shorter", "lacking term", "facets of the shorter", "facets of the longer",
    "voices of the shorter", "voices of the longer", "voices of both",
)  # fmt: skip
MIN_ODDS = 0.25
"""Minimum log odds of the same news: the least at which nine of ten verdicts are right, on pairs that the forest has not seen."""
NAMES = [*SIGNS[1:], *PLAIN_SIGNS]
"""Of the forest's signs; without the cosine, which is another among few titles."""
_MAX_LEFT, _MAX_BEHIND, _MAX_STRANGE, _MAX_LACKING = 20, 10, 6, 8
_PARTS = tuple(
    "回应 辟谣 否认 道歉 致歉 大结局 预告 花絮 彩蛋 定档 杀青 票房 立案 开庭 一审 二审 宣判 悬赏 后续 不是".split()
)
"""Parts of an affair: what only one of two titles names is mostly news of its own."""
_FACETS = tuple(
    "vs 直播 阵容 红毯 路透 首秀 发布会 名单 座位图 海报 造型 彩排 节目单 抢票 开票 门票 开播 收官 官宣 主演 剧照 花絮 预告 口碑 票房 "
    "热度 排名 赛程 首发 半场 半决赛 决赛 晋级 版 表演 合照 机场 生图 名场面 后续 全文 解读 辟谣 回归 复出 结局 第二 再".split()
)
"""Facets of an affair: titles that name different ones mostly tell different news."""
_VOICES = tuple("回应 通报 致歉 道歉 发声 谈 评 律师 专家 回复 喊话 批 怒 质疑 否认 发文 晒 祝福 悼念 吐槽".split())
"""Words with which a party or an onlooker speaks."""
_DENIALS = ("不", "未", "没", "否认", "非", "无", "停", "取消")
_DENIED = re.compile("不是|并非|不实|系谣言")
"""Words each of which alone makes a title the denial of another."""
_JOINS = frozenset("和 与 跟 同 及 或 还是 vs v 对 对阵 对战 and or & 、".split())
"""Words between names that may be in either order."""


def same_wording(one: TitleText, other: TitleText, cosine: float) -> bool:
    """Whether two titles, whose weighted terms have this cosine, agree in their wording."""
    if one.letters == other.letters:
        return True
    if _DENIED.sub("", one.letters) == _DENIED.sub("", other.letters):
        return False
    between = between_exchanged(one.terms, other.terms)
    if between:
        return _JOINS.issuperset(between)
    han, *read = wording_signs(one.letters, other.letters, one.terms, other.terms)
    signs = in_order(one, other, cosine, read)
    if not han:
        return likelihood(signs, ALPHABET_WEIGHTS) >= MIN_ALPHABET
    return likelihood(signs, HAN_WEIGHTS) >= MIN_HAN and _is_retold(one, other, signs)


def _is_retold(one: TitleText, other: TitleText, signs: Sequence[float]) -> bool:
    if plain_letters(one.terms) == plain_letters(other.terms):
        return True
    table = np.array([(*signs[1:], *plain_signs(one, other))], np.float32).T
    return bool(forest_for("titles", "retelling", NAMES).scores(table)[0] >= MIN_ODDS)


def plain_signs(one: TitleText, other: TitleText) -> tuple[float, ...]:
    """The values of `PLAIN_SIGNS`, the same for both orders of the titles."""
    first, second = sorted((one, other), key=lambda title: (len(title.letters), title.letters))
    short, long = first.letters[:MAX_LETTERS], second.letters[:MAX_LETTERS]
    shorter, longer = _by_length(*(plain_letters(title.terms)[:MAX_LETTERS] for title in (one, other)))
    few, many = max(1, len(shorter)), max(1, len(longer))
    shared = _shared(shorter, longer)
    common, run, strange, strange_shorter, cosine, contained = shared
    stated = _by_length(*(stated_letters(title.terms)[:MAX_LETTERS] for title in (one, other)))
    odd = [_strange(first, second, long, longer), _strange(second, first, short, shorter)]
    asked = sum(bool(ASKED.search(letters)) for letters in (short, long))
    return (
        *(common / few, common / many, run / few, run / many, strange, strange_shorter, log1p(few), log1p(many)),
        *_left(shorter, longer),
        float(min(_MAX_STRANGE, len(odd[1]))),
        float(min(_MAX_STRANGE, max(map(len, odd[0]), default=0))),
        float(any((part in short) != (part in long) for part in _PARTS)),
        *(float(asked), cosine, contained),
        float(any((word in short) != (word in long) for word in _DENIALS)),
        *_stated(*stated, shared if stated == (shorter, longer) else _shared(*stated)),
        *_lacking(first, second),
        *_facets(first.letters, second.letters),
    )


def _by_length(one: str, other: str) -> tuple[str, str]:
    return (one, other) if (len(one), one) <= (len(other), other) else (other, one)


def _shared(shorter: str, longer: str) -> tuple[float, ...]:
    """The lengths of the longest common subsequence and run, the shares of letters that the other lacks, and of common pairs."""
    return (
        *(_common(shorter, longer), _run(shorter, longer)),
        *(strange_letters(longer, shorter), strange_letters(shorter, longer)),
        *(shared_pairs(shorter, longer) if shorter else (0.0, 0.0)),
    )


def _stated(shorter: str, longer: str, shared: tuple[float, ...]) -> tuple[float, ...]:
    """The common part of two titles without question words."""
    common, run, *rest = shared
    few, many = max(1, len(shorter)), max(1, len(longer))
    return common / few, common / many, run / few, *rest[:2], float(few), float(many), *rest[2:]


def _lacking(first: TitleText, second: TitleText) -> tuple[float, ...]:
    """The number of terms that only the shorter title has and that only the longer one has, and the letters of the longest of the
    former; without words that ask."""
    mine, theirs = (_lacked(*titles) for titles in ((first, second), (second, first)))
    return (
        float(min(_MAX_STRANGE, len(mine))),
        float(min(_MAX_LACKING, len(theirs))),
        float(max(map(len, mine), default=0)),
    )


def _lacked(title: TitleText, other: TitleText) -> list[str]:
    letters, plain = other.letters, plain_letters(other.terms)
    odd = (term for term in set(title.terms).difference(other.terms) if term not in letters and not asks(term))
    return [term for term in odd if (word := plain_word(term)) and word not in plain]


def _facets(short: str, long: str) -> tuple[float, ...]:
    """The number of facets and of voices that only one of two titles has, and of voices that both have."""
    facets, others = (({word for word in _FACETS if word in letters}) for letters in (short, long))
    voices, answers = (({word for word in _VOICES if word in letters}) for letters in (short, long))
    counted = (facets - others, others - facets, voices - answers, answers - voices, voices & answers)
    return tuple([float(len(words)) for words in counted])


def _left(shorter: str, longer: str) -> tuple[float, ...]:
    """The part between a common beginning and a common end: letters of one and of both, their share of all, whether these have
    none in common; the letters of the common end; whether the shorter title begins the longer one."""
    before = behind = 0
    while before < len(shorter) and shorter[before] == longer[before]:
        before += 1
    while behind < len(shorter) - before and shorter[-1 - behind] == longer[-1 - behind]:
        behind += 1
    mine, theirs = shorter[before : len(shorter) - behind], longer[before : len(longer) - behind]
    return (
        float(min(_MAX_LEFT, len(theirs))),
        float(len(mine)),
        (len(mine) + len(theirs)) / max(1, len(shorter) + len(longer)),
        float(bool(mine) and set(mine).isdisjoint(theirs)),
        float(min(_MAX_BEHIND, behind)),
        float(before == len(shorter) < len(longer)),
    )


def _strange(title: TitleText, other: TitleText, others: str, plain: str) -> list[str]:
    """The terms that say something of which the other title has no letter."""
    known = {*others, *plain}
    odd = (term for term in set(title.terms).difference(other.terms) if known.isdisjoint(term))
    return [term for term in odd if (word := plain_word(term)) and known.isdisjoint(word)]


def _common(one: str, other: str) -> int:
    """The length of the longest common subsequence, by bits of whole numbers (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for at, letter in enumerate(one):
        places[letter] = places.get(letter, 0) | 1 << at
    every = left = (1 << len(one)) - 1
    for letter in other:
        met = left & places.get(letter, 0)
        left = ((left + met) | (left - met)) & every
    return len(one) - left.bit_count()


def _run(one: str, other: str) -> int:
    """The length of the longest common run of letters."""
    size = 0
    for at in range(len(one)):
        while at + size < len(one) and one[at : at + size + 1] in other:
            size += 1
    return size

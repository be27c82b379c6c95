"""Texts to fill generated pages with: titles, sentences, labels, prices, days and names."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.kind_sites import TAGS

_END = {"zh": re.compile("(?<=[。！？])"), "en": re.compile(r"(?<=[.!?])\s+")}
_TITLE_CHARS = {"zh": (5, 32), "en": (12, 80)}
_SENTENCE_CHARS = {"zh": (12, 120), "en": (40, 300)}
_NAMES = {
    "zh": "王小明 李思远 张悦 陈静 刘洋 周天宇 林夏 赵一鸣".split(),
    "en": "Ann Bell,Tom Rivers,Maria Lopez,J. Okafor,Priya Nair,Sam Lund,Eva Horn,Li Wei".split(","),
}
_GAP = {"zh": "", "en": " "}


@dataclass(frozen=True)
class Words:
    """What is drawn from: sentences in their order by text, and titles, of one language."""

    language: str
    texts: Sequence[Sequence[str]]
    titles: Sequence[str]
    draw: random.Random

    def title(self) -> str:
        """Of a page, a product or a story."""
        return self.draw.choice(self.titles)

    def label(self) -> str:
        """Of a menu entry or a filter: a word or two."""
        return _GAP[self.language].join(self.draw.sample(TAGS[self.language], self.draw.choice((1, 1, 2))))

    def prose(self, chars: int) -> str:
        """Sentences that follow each other, of about `chars` characters, at least one."""
        text = self.draw.choice(self.texts)
        place, found = self.draw.randrange(len(text)), ""
        for sentence in text[place:]:
            if found and len(found) + len(sentence) > chars * 1.3:
                break
            found += (_GAP[self.language] if found else "") + sentence
        return found

    def price(self) -> str:
        """With its currency."""
        amount = self.draw.choice((self.draw.randint(3, 90), self.draw.randint(90, 2500)))
        cents = self.draw.choice((".00", ".99", ".50", ""))
        return f"{self.draw.choice(('¥', '￥', '¥ ') if self.language == 'zh' else ('$', '€', '£', '$', 'US $'))}{amount}{cents}"

    def day(self) -> str:
        """In one of the usual forms."""
        year, month, day = self.draw.randint(2012, 2025), self.draw.randint(1, 12), self.draw.randint(1, 28)
        if self.language == "zh":
            return self.draw.choice((f"{year}年{month}月{day}日", f"{year}-{month:02}-{day:02}"))
        name = "Jan Feb March April May June July Aug Sept Oct Nov Dec".split()[month - 1]
        return self.draw.choice((f"{name} {day}, {year}", f"{day} {name} {year}", f"{month:02}/{day:02}/{year}"))

    def person(self) -> str:
        """No one in particular."""
        return self.draw.choice(_NAMES[self.language])


def words_of(texts: Sequence[tuple[str, str]], language: str) -> Words:
    """From titles ("" if not known) and texts of this language."""
    low, high = _SENTENCE_CHARS[language]
    cut = [_END[language].split(text.replace("\n", " " if language == "en" else "")) for _, text in texts]
    kept = [[each.strip() for each in sentences if low <= len(each.strip()) <= high] for sentences in cut]
    low, high = _TITLE_CHARS[language]
    lines = [line.strip() for title, text in texts for line in (title, *text.split("\n"))]
    titles = [line for line in lines if low <= len(line) <= high and line[-1] not in "。！？.!?:：，,；;"]
    return Words(language, [each for each in kept if each], titles, random.Random(1))

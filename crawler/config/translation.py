"""Sentences of commands, files and errors in Chinese, found by the English ones: the places of values are matched."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

_PLACE = re.compile(r"\{(\d?)\}")
_BETWEEN = "  "
"""Stands between parts of a line, which are sentences of their own."""
_LISTS = ((_BETWEEN, _BETWEEN), ("; ", "；"))
"""What stands between sentences, and in Chinese."""
_MOST_CHARS = 2_000
_DEEPEST = 5
_EDGE_CHARS = 2


@dataclass(frozen=True, slots=True)
class _Translation:
    """The texts around the places of values, and the Chinese with these places."""

    pieces: Sequence[str]
    chinese: str

    @property
    def edge(self) -> str:
        """What a text begins or ends with, by which the sentence is looked up; "" if both are values."""
        first, last = self.pieces[0], self.pieces[-1]
        start, end = first[:_EDGE_CHARS], last[-_EDGE_CHARS:]
        return f"{start}<" if len(start) == _EDGE_CHARS else f">{end}" if len(end) == _EDGE_CHARS else ""

    def values(self, text: str) -> list[str] | None:
        """What stands in the places, up to the next piece; None if this is not the sentence. Linear in the text."""
        first, last = self.pieces[0], self.pieces[-1]
        if len(self.pieces) == 1:
            return [] if text == first else None
        if not text.startswith(first) or not text.endswith(last):
            return None
        found, place = [], len(first)
        for piece in self.pieces[1:-1]:
            if (at := text.find(piece, place)) < 0:
                return None
            found.append(text[place:at])
            place = at + len(piece)
        end = len(text) - len(last)
        return [*found, text[place:end]] if place <= end else None


def environment_language(environment: Mapping[str, str]) -> Literal["zh", "en"]:
    """The language of TOPICRAWL_LANG, else of the locale; English without either."""
    names = ("TOPICRAWL_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
    wished = next((value for name in names if (value := environment.get(name))), "")
    return "zh" if wished.lower().startswith("zh") else "en"


def in_chinese(text: str) -> str:
    """The sentence in Chinese, also those in the places of its values; as it is if it is not known."""
    return _translated(text, _DEEPEST) if len(text) <= _MOST_CHARS else text


@lru_cache(maxsize=1024)
def _translated(text: str, depth: int) -> str:
    if not depth or " " not in text:
        return text
    by_edge = _sentences()
    near = (f"{text[:_EDGE_CHARS]}<", f">{text[-_EDGE_CHARS:]}", "")
    for _, sentence in sorted(entry for edge in near for entry in by_edge.get(edge, ())):
        if (values := sentence.values(text)) is not None and not any(_BETWEEN in value for value in values):
            return _filled(sentence.chinese, [_translated(value, depth - 1) for value in values])
    for between, joined in _LISTS:
        if between in text:
            return joined.join(_translated(part, depth - 1) for part in text.split(between))
    name, found, rest = text.partition(": ")
    said = _translated(rest, depth - 1)
    return f"{name}：{said}" if found and said != rest else text


def _filled(chinese: str, values: Sequence[str]) -> str:
    numbers = iter(range(len(values)))
    return _PLACE.sub(lambda place: values[int(place[1] or next(numbers))], chinese)


@cache
def _sentences() -> Mapping[str, list[tuple[int, _Translation]]]:
    """By edge; the number of a sentence is smaller the more of its text is given."""
    import yaml  # needed for Chinese only

    text = (files("crawler.config") / "chinese_sentences.yaml").read_text(encoding="utf-8")
    known = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)).items()
    found = [_Translation(english.split("{}"), chinese) for english, chinese in known]
    found.sort(key=lambda sentence: -sum(map(len, sentence.pieces)))
    by_edge = defaultdict(list)
    for number, sentence in enumerate(found):
        by_edge[sentence.edge].append((number, sentence))
    return by_edge

"""Sentences of commands, files and errors in Chinese, found by the English ones: the places of values are matched."""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from operator import ne
from typing import Any, Literal

_VALUE = re.compile(r"\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}")
_PLACE = re.compile(r"\{(\d?)\}")
_BETWEEN = "  "
"""Stands between parts of a line, which are sentences of their own."""
_Lists = Sequence[tuple[str, str]]
_COLUMNS: _Lists = ((_BETWEEN, _BETWEEN), ("\t", "\t"))
_LISTS: _Lists = (("; ", "；"), (", ", "，"))
"""Separators of sentences, and the Chinese ones; there are commas in sentences too."""
_MOST_CHARS = 2_000
"""Of a line."""
_MOST_LINES = 500
_DEEPEST = 5
_EDGE_CHARS = 2


@dataclass(frozen=True, slots=True)
class _Translation:
    """The texts around the places of values, and the Chinese with these places."""

    pieces: Sequence[str]
    chinese: str

    @property
    def edge(self) -> str:
        """The beginning or end of a text by which the sentence is looked up; "" if both are values."""
        first, last = self.pieces[0], self.pieces[-1]
        start, end = first[:_EDGE_CHARS], last[-_EDGE_CHARS:]
        return f"{start}<" if len(start) == _EDGE_CHARS else f">{end}" if len(end) == _EDGE_CHARS else ""

    def values(self, text: str) -> list[str] | None:
        """The values in the places, each up to the next piece; None if this is not the sentence. Linear in the text."""
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


def with_values(text: str, values: Mapping[str, Any]) -> str:
    """`{n}` is replaced by a value, `{n|page|pages}` by the word that fits the number n. KeyError for an unknown value."""
    return _VALUE.sub(lambda found: _value(found, values), text)


def _value(found: re.Match[str], values: Mapping[str, Any]) -> str:
    name, one, many = found.groups()
    value = values[name]
    if one is not None:
        return one if value == 1 else many
    return f"{value:,}" if isinstance(value, int) else str(value)


def shown(text: str) -> str:
    """The text in the language of TOPICRAWL_LANG or the locale, for a terminal."""
    return in_chinese(text) if environment_language(os.environ) == "zh" else text


def in_chinese(text: str) -> str:
    """Each line in Chinese, also the sentences in the places of its values; what is not known stays as it is.

    A single word is translated only if it is a line, such as the head of a table: in a sentence it may be a name.
    """
    lines = text.split("\n", _MOST_LINES)
    return "\n".join(
        _known().get(line) or (_translated(line, _DEEPEST) if len(line) <= _MOST_CHARS else line) for line in lines
    )


@lru_cache(maxsize=1024)
def _translated(text: str, depth: int) -> str:
    inner = text.strip()
    if not depth or " " not in inner:
        return text
    if inner != text:
        return text.replace(inner, _translated(inner, depth), 1)
    fitting = [fit for fit in _fitting(text) if not any(_BETWEEN in value for value in fit[1])]
    plain = [fit for fit in fitting if not any(between in value for value in fit[1] for between, _ in _LISTS)]
    said = "" if plain else _each(text, depth, _COLUMNS, any) or _each(text, depth, _LISTS, all)
    if not said and fitting:
        chinese, values = (plain or fitting)[0]
        said = _filled(chinese, [_translated(value, depth - 1) for value in values])
    if said := said or _each(text, depth, _LISTS[:1], any):
        return said
    name, found, rest = text.partition(": ")
    meaning = _translated(rest, depth - 1)
    return f"{name}：{meaning}" if found and meaning != rest else text


def _each(text: str, depth: int, lists: _Lists, known: Callable[[Iterable[bool]], bool]) -> str:
    """The parts of a list, each in Chinese; "" if it is none of which all parts, or any, are known."""
    for between, joined in lists:
        parts = text.split(between) if between in text else []
        said = [_translated(part, depth - 1) for part in parts]
        if parts and known(map(ne, said, parts)):
            return joined.join(said)
    return ""


def _fitting(text: str) -> Iterator[tuple[str, list[str]]]:
    """The Chinese of each sentence that the text may be, with its values; those with more text of their own first."""
    by_edge = _sentences()
    near = (f"{text[:_EDGE_CHARS]}<", f">{text[-_EDGE_CHARS:]}", "")
    for _, sentence in sorted(entry for edge in near for entry in by_edge.get(edge, ())):
        if (values := sentence.values(text)) is not None:
            yield sentence.chinese, values


def _filled(chinese: str, values: Sequence[str]) -> str:
    numbers = iter(range(len(values)))
    return _PLACE.sub(lambda place: values[int(place[1] or next(numbers))], chinese)


@cache
def _known() -> Mapping[str, str]:
    """The Chinese by the English text."""
    import yaml  # needed for Chinese only

    text = (files("crawler.config") / "chinese_sentences.yaml").read_text(encoding="utf-8")
    return dict(yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


@cache
def _sentences() -> Mapping[str, list[tuple[int, _Translation]]]:
    """By edge; the number of a sentence is smaller the more of its text is given."""
    found = [_Translation(english.split("{}"), chinese) for english, chinese in _known().items()]
    found.sort(key=lambda sentence: -sum(map(len, sentence.pieces)))
    by_edge = defaultdict(list)
    for number, sentence in enumerate(found):
        by_edge[sentence.edge].append((number, sentence))
    return by_edge

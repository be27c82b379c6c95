"""A text as sentences and clauses with what is known of their place."""

import re
from dataclasses import dataclass

MAX_TEXT = 20_000
"""Maximum number of characters read."""
MAX_SENTENCES = 40
_MAX_CLAUSES = 24
_SENTENCE = re.compile(r"[^。！？!?；;\n.]+(?:\.(?!\s|$)[^。！？!?；;\n.]*)*[。！？!?；;.]*[”’\"』」）)]?")
_CLAUSE = re.compile(r"[^，,：:—]+[，,：:—]*")
_OPENING = re.compile(
    r"^(?:(?:据|来自)?[^，,。：:]{0,14}(?:获悉|了解到?|报道|消息|介绍|透露|表示|称|电)[，,：:\s]\s*|(?:近日|日前|昨日|昨天|今日|今天|目前|据悉|据介绍|据了解|对此|此外|另外|同时)[，,]?|\d{1,2}月\d{1,2}日[，,]?|【[^】]*】|[（(][^）)]{0,30}[）)]|\d{1,2}[.、])+"
)
_WORD = re.compile(r"[0-9a-z]+(?:['’.-][0-9a-z]+)*|[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]|[^\W_]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence or clause: its text, the number of its sentence and of its paragraph, and whether it begins either."""

    text: str
    sentence: int
    paragraph: int
    begins_sentence: bool
    begins_paragraph: bool


def sentences_of(text: str) -> list[Piece]:
    """At most `MAX_SENTENCES` sentences; pieces with fewer than three letters are dropped."""
    found: list[Piece] = []
    for number, line in enumerate(text[:MAX_TEXT].split("\n")):
        first = True
        for match in _SENTENCE.finditer(line):
            if len(units(match.group())) < 3:
                continue
            found.append(Piece(match.group().strip(), len(found), number, True, first))
            first = False
            if len(found) == MAX_SENTENCES:
                return found
    return found


def clauses_of(sentences: list[Piece]) -> list[Piece]:
    """The clauses of the first sentences, without what only says who reports and when."""
    found: list[Piece] = []
    for sentence in sentences:
        first = True
        plain = _OPENING.sub("", sentence.text) if sentence.sentence else sentence.text
        for match in _CLAUSE.finditer(plain or sentence.text):
            if len(units(match.group())) < 2:
                continue
            found.append(
                Piece(match.group(), sentence.sentence, sentence.paragraph, first, first and sentence.begins_paragraph)
            )
            first = False
            if len(found) == _MAX_CLAUSES:
                return found
    return found


def units(text: str) -> list[str]:
    """The units in which lengths are counted: words of letters, single characters of Chinese, Japanese and Korean."""
    return _WORD.findall(text.lower())


def unit_ends(text: str) -> list[int]:
    """Where each unit ends in a text, in order."""
    return [match.end() for match in _WORD.finditer(text)]

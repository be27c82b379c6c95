"""The contents of a topic's file, and the file with a part of it changed: comments and the order of everything else stay."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from extractors.topic.model import Term, TermClass

_COMMENT = re.compile(r"(?:^|\s)#")
DEFAULT_THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class DeclaredTopic:
    """A topic as people write it, without what its thesaurus and the dictionary add to its terms."""

    name: str
    terms: tuple[Term, ...] = ()
    description: str = ""
    seeds: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    threshold: float = DEFAULT_THRESHOLD
    languages: tuple[str, ...] = ()
    thesaurus: str = ""


def changed_text(text: str, before: DeclaredTopic | None, topic: DeclaredTopic) -> tuple[str, int]:
    """The text of the file with this topic, and how many comments inside the changed parts are lost."""
    root = yaml.compose(text) if text.strip() else None
    if before is None or not isinstance(root, yaml.MappingNode) or root.flow_style:
        return _dumped(_values(topic)), comments_of(text)
    lines = (text if text.endswith("\n") else f"{text}\n").splitlines(keepends=True)
    old, new, lost = _values(before), _values(topic), 0
    parts = _parts(root, lines)
    added = [_dumped({key: new[key]}) for key in new if key not in parts and key not in old]
    for key in sorted(parts, key=lambda each: -parts[each][0]):
        if old.get(key) != new.get(key):
            begin, end = parts[key]
            lost += comments_of("".join(lines[begin:end]))
            lines[begin:end] = [_dumped({key: new[key]})] if key in new else []
    return "".join([*lines, *added]), lost


def comments_of(text: str) -> int:
    """The number of lines with a comment."""
    return sum(1 for line in text.splitlines() if _COMMENT.search(line))


def _parts(root: yaml.MappingNode, lines: list[str]) -> dict[str, tuple[int, int]]:
    """The first line of each key and the one after its value, without comments that may belong to the next key."""
    begins = [key.start_mark.line for key, _ in root.value]
    found = {}
    for (key, _), begin, end in zip(root.value, begins, [*begins[1:], len(lines)], strict=True):
        while end > begin + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
            end -= 1
        found[str(key.value)] = (begin, end)
    return found


def _values(topic: DeclaredTopic) -> dict[str, object]:
    """The values that differ from the defaults, in the order of a file."""
    found: dict[str, object] = {
        "name": topic.name,
        "description": topic.description,
        "terms": {str(each): words for each in TermClass if (words := list(_words(topic, each)))},
        "thesaurus": topic.thesaurus,
        "threshold": topic.threshold if topic.threshold != DEFAULT_THRESHOLD else None,
        "languages": list(topic.languages),
        "seeds": list(topic.seeds),
        "sites": list(topic.sites),
        "sources": list(topic.sources),
    }
    return {key: value for key, value in found.items() if value or value == 0.0}


def _words(topic: DeclaredTopic, term_class: TermClass) -> Iterator[object]:
    for term in topic.terms:
        if term.term_class is term_class:
            more = {"weight": term.weight} if term.weight != 1.0 else {}
            others = {"synonyms": list(term.synonyms)} if term.synonyms else {}
            yield {"word": term.word, **more, **others} if more or others else term.word


def _dumped(values: dict[str, object]) -> str:
    text: str = yaml.safe_dump(values, allow_unicode=True, sort_keys=False, width=math.inf)
    return text

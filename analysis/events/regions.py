"""The provinces and countries that a text names, places in the names of organisations included."""

from collections.abc import Iterable, Iterator

from analysis.names import Name, codes_of, country_of
from extractors.topic.words import simplify


def regions_in(names: Iterable[Name]) -> frozenset[str]:
    """Codes: two figures for a province of China, two letters for another country."""
    return frozenset(code for name in names if name.kind != "person" for code in _codes(simplify(name.text), name.kind))


def _codes(text: str, kind: str) -> Iterator[str]:
    if text.isascii():
        yield from filter(None, (country_of(text) if kind == "place" else "",))
        return
    for length in range(min(len(text), 8), 1, -1):
        part = text[:length]
        if codes := codes_of(part):
            yield from {code[:2] for code in codes}
            return
        if country := country_of(part):
            yield country
            return
        if kind == "place":
            return

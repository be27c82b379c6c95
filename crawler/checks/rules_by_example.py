"""Rules by example: the selectors of the elements that hold given words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import yaml

from crawler.config.yaml_file import Declaration, DeclarationError
from extractors.html.columns import Columns
from extractors.page import Page, check_selector, declared_rules, found_by, site_rules

_HOST = re.compile(r"[\w.-]{1,250}", re.ASCII)
_NAME = re.compile(r"[a-zA-Z_-][\w-]*", re.ASCII)
_OWN_NUMBER = re.compile(r"\d{3}")
"""An id or class with a long number is that of one page."""
_MAX_TRIED, _MAX_CLIMBED = 200, 12
_INLINE = frozenset("p span b strong em i a li h1 h2 h3 h4 font br u small td".split())


def proposed(page: Page, body: Sequence[str], fields: dict[str, str]) -> dict[str, str]:
    """Selectors by field, for the words that a person sees on the page.

    body: words of the main text, best its first and its last. fields: title, author, time, as shown.
    """
    columns = page.columns
    found = {"body": _selector(columns, _body(columns, body))} if body else {}
    for name, words in fields.items():
        found[name] = next(filter(None, (_selector(columns, place) for place in _holders(columns, words))), "")
    return {name: selector for name, selector in found.items() if selector}


def read_by(page: Page, host: str, rule: dict[str, str]) -> Page:
    """The page read by a proposed rule."""
    return Page(page.body, page.url, content_type=page.content_type, rules=site_rules(host, declared_rules(rule, None)))


def fields_of(page: Page) -> list[tuple[str, str, str]]:
    """Each field of a page, where it is from (rule, usual, missing: usual since the rule finds nothing), and its value; "" without one."""
    article, records = page.article, page.records
    by_rule, _, missing = article.method.partition(", rule ")[2].partition(", not found: ")
    origin = dict.fromkeys(by_rule.partition(": ")[2].split(), "rule") | dict.fromkeys(missing.split(), "missing")
    values = (
        ("title", article.title),
        ("author", article.author),
        ("time", f"{article.published} ({article.published_by})" if article.published else ""),
        ("body", article.text),
        ("kind", page.kind.name),
        ("records", f"{len(records.records)} {records.kind}" if records.records else ""),
    )
    return [(name, origin.get(name, "usual") if value else "", value) for name, value in values]


def declared(rule: Mapping[str, str]) -> str:
    """A rule as lines of a site's file."""
    lines = (
        f"  {key}: {yaml.safe_dump(value, width=999, allow_unicode=True).splitlines()[0]}\n"
        for key, value in rule.items()
    )
    return "article:\n" + "".join(lines)


def save_rule(folder: Path, host: str, rule: Mapping[str, str]) -> None:
    """Add a rule to the file of a site, which is made if there is none. Raises DeclarationError if the file has rules of articles or
    cannot be changed."""
    path = folder / "sites" / f"{host}.yaml"
    if not _HOST.fullmatch(host):
        raise DeclarationError(f"{host!r} is not a host")
    try:
        if path.exists() and "article" in Declaration(path).values:
            raise DeclarationError(f"{path} has rules of articles already; change them there")
        before = path.read_text(encoding="utf-8").rstrip("\n") + "\n" if path.exists() else ""
        part = path.with_name(f"{path.name}.part")
        part.write_text(before + declared(rule), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise DeclarationError(f"{path} cannot be written: {error.strerror}") from error


def _body(columns: Columns, words: Sequence[str]) -> int:
    """The smallest element that has all these words in it, and is not a part of a line; −1 for none."""
    places = [next(_holders(columns, each), -1) for each in words]
    if min(places) < 0:
        return -1
    place = places[0]
    while not all(place <= other < columns.end[place] for other in places) or columns.tag_name(place) in _INLINE:
        place = int(columns.parent[place])
        if place < 0:
            return -1
    return place


def _holders(columns: Columns, words: str) -> Iterator[int]:
    """The elements with these words, those that have little else first."""
    wanted = _squeeze(words)
    if not wanted:
        return
    texts = (_squeeze(text) for text in columns.texts)
    begins = [chunk for chunk, text in enumerate(texts) if text and (text in wanted or wanted in text)][:_MAX_TRIED]
    fits: dict[int, int] = {}
    for chunk in begins:
        place = int(columns.owner[chunk])
        for _ in range(_MAX_CLIMBED):
            text = _squeeze(columns.text(place)) if columns.text_length[place] <= 20 * len(wanted) + 5_000 else ""
            if wanted in text:
                fits[place] = len(text)
                break
            place = int(columns.parent[place])
            if place < 0:
                break
    yield from sorted(fits, key=lambda place: (fits[place], place))


def _selector(columns: Columns, place: int) -> str:
    """The shortest selector that finds this element first and few others; "" for none."""
    if place <= 0:
        return ""
    own = list(_names(columns, place))
    above, around = int(columns.parent[place]), list[str]()
    for _ in range(_MAX_CLIMBED):
        if above <= 0:
            break
        around += [name for name in _names(columns, above) if name != columns.tag_name(above)]
        above = int(columns.parent[above])
    tried = [*own, *(f"{outer} {name}" for outer in around for name in own)]
    exact = (each for each in tried[:_MAX_TRIED] if np.array_equal(found_by(each, columns), [place]))
    first = (each for each in tried[:_MAX_TRIED] if found_by(each, columns)[:1].tolist() == [place])
    return next(exact, "") or next(first, "")


def _names(columns: Columns, place: int) -> Iterator[str]:
    """Selectors of an element by its id, its classes, what it declares, and its tag."""
    element, tag = columns.elements[place], columns.tag_name(place)
    identity = element.get("id", "")
    if _NAME.fullmatch(identity) and not _OWN_NUMBER.search(identity):
        yield f"#{identity}"
    for name in element.get("class", "").split()[:8]:
        if _NAME.fullmatch(name) and not _OWN_NUMBER.search(name):
            yield f".{name}"
            yield f"{tag}.{name}"
    for key in ("itemprop", "rel", "role"):
        if _NAME.fullmatch(element.get(key, "")):
            yield f"{tag}[{key}={element.get(key)}]"
    yield check_selector(tag) if _NAME.fullmatch(tag) else "*"


def _squeeze(text: str) -> str:
    return "".join(text.split()).lower()

"""Fill a page of a template with other texts and other numbers of cards, so that its main text is known exactly."""

import re
from collections.abc import Iterator
from copy import deepcopy

from lxml import etree, html
from lxml.html import HtmlElement

from benchmarks.page_frames import FRAME, add_frames
from benchmarks.page_words import Words

_FRAME_TAGS = {"nav", "footer", "aside", "form", "button", "select", "label", "dialog", "noscript", "input", "textarea"}
_WHOLE_TAGS = {"body", "main", "article"}
_FRAME_NAMES = re.compile(
    r"\b(nav|navbar|footer|sidebar|modal|breadcrumb|pagination|pager|dropdown|btn|badge|widget|related|social|copyright"
    r"|offcanvas|toast|alert|newsletter|list-group|comments?|masonry-filter|carousel-control|rating|stars?)\b",
    re.IGNORECASE,
)
_FRAME_COMMENT = re.compile(
    r"side ?bar|side widget|widget|related|footer|navigation|search|categories|pagination|comment|rating|reviews|actions",
    re.IGNORECASE,
)
_DROPPED = ("script", "style", "link", "iframe", "svg", "template", "object", "canvas")
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_PRICE = re.compile(r"^\s*(from )?[$€£¥]\s?\d")
_DAY = re.compile(
    r"(19|20)\d\d\s*$|^(January|February|March|April|May|June|July|August|September|October|November|December) \d"
)
_BY = re.compile(r"^\s*by\b|Posted (on|by)", re.IGNORECASE)
_MIN_CARDS = 3
_PROSE_CHARS = 45
_CARD_NAMES = {
    "collection": "card product product-card product-item grid-item tile item grid__item c-box".split(),
    "listing": "card post teaser entry story item media post-preview list-item hentry".split(),
}
_OTHER_NAMES = "card box feature item".split()
_MOST_CARDS = {"collection": 48, "listing": 30}
_MOST_OTHERS, _MOST_IN_FRAMES = 9, 12


def filled(source: bytes, kind: str, words: Words) -> tuple[bytes, str]:
    """The page with other texts, and its main text in lines."""
    root: HtmlElement = html.document_fromstring(source)
    etree.strip_elements(root, *_DROPPED, with_tail=False)
    _mark(root)
    _multiply(root, kind, words)
    _rename(root, kind, words)
    add_frames(root, words)
    for element in root.iter("title"):
        element.text = words.title()
    lines = list(_fill(root.body, False, words))
    for element in root.iter("*"):
        element.attrib.pop(FRAME, "")
    return html.tostring(root, encoding="utf-8", doctype="<!DOCTYPE html>"), "\n".join(lines)


def _mark(root: HtmlElement) -> None:
    """Elements around the main text get an attribute: by their tags and names, or by the comment before them."""
    for element in root.body.iter():
        if not isinstance(element.tag, str):
            _mark_after(element)
        elif element.tag in _FRAME_TAGS or (element.tag not in _WHOLE_TAGS and _FRAME_NAMES.search(_names(element))):
            element.set(FRAME, "")


def _mark_after(comment: HtmlElement) -> None:
    after = comment.getnext()
    if after is None or not isinstance(after.tag, str) or not _FRAME_COMMENT.search(comment.text or ""):
        return
    if after.tag != "header" and after.find(".//h1") is None:
        after.set(FRAME, "")


def _names(element: HtmlElement) -> str:
    return f"{element.get('class', '')} {element.get('id', '')}"


def _inside_frame(element: HtmlElement) -> bool:
    return bool(element.xpath(f"ancestor-or-self::*[@{FRAME}]"))


def _multiply(root: HtmlElement, kind: str, words: Words) -> None:
    """Other numbers of cards: three or more children alike."""
    draw = words.draw
    for parent in list(root.body.iter("div", "ul", "section", "main", "ol")):
        cards = _cards(parent)
        if len(cards) < _MIN_CARDS or parent.getroottree().getroot() is not root:
            continue
        most = _MOST_IN_FRAMES if _inside_frame(parent) else _MOST_CARDS.get(kind, _MOST_OTHERS)
        place = parent.index(cards[0])
        made = [deepcopy(draw.choice(cards)) for _ in range(draw.randint(2, most))]
        for card in cards:
            parent.remove(card)
        for card in reversed(made):
            parent.insert(place, card)


def _cards(parent: HtmlElement) -> list[HtmlElement]:
    """Children of one tag and class that hold text, if there are few others."""
    alike: dict[tuple[str, str], list[HtmlElement]] = {}
    for child in parent:
        if isinstance(child.tag, str) and child.text_content().strip():
            alike.setdefault((child.tag, child.get("class", "").split(" ")[0]), []).append(child)
    best = max(alike.values(), key=len, default=[])
    return best if len(best) * 2 > sum(map(len, alike.values())) and best[0].tag not in ("p", "section", "form") else []


def _rename(root: HtmlElement, kind: str, words: Words) -> None:
    """Other names of cards and other levels of their headings, the same on the whole page."""
    draw = words.draw
    name = draw.choice(_CARD_NAMES.get(kind, _OTHER_NAMES))
    swapped = {tag: draw.choice((tag, tag, "h2", "h3", "h4", "div")) for tag in ("h4", "h5", "h6")}
    for element in root.body.iter("*"):
        if "class" in element.attrib:
            element.set("class", re.sub(r"\bcard\b", name, element.get("class", "")))
        if element.tag in swapped:
            element.tag = swapped[element.tag]
            element.set("class", element.get("class") or draw.choice(("title", "name", "card-title")))


def _fill(element: HtmlElement, is_frame: bool, words: Words) -> Iterator[str]:
    """Replace every text of the element; yields those of the main text, in their order."""
    is_frame = is_frame or element.get(FRAME) is not None
    if (element.text or "").strip():
        element.text = _other(element.text, element, is_frame, words)
        if not is_frame:
            yield element.text
    for child in element:
        if isinstance(child.tag, str):
            yield from _fill(child, is_frame, words)
        if (child.tail or "").strip():
            child.tail = _other(child.tail, element, is_frame, words)
            if not is_frame:
                yield child.tail


def _other(text: str, element: HtmlElement, is_frame: bool, words: Words) -> str:
    stripped = text.strip()
    if _PRICE.search(stripped):
        return words.price()
    if _BY.search(stripped):
        return (
            f"{words.day()} · {words.person()}" if words.language == "zh" else f"By {words.person()} on {words.day()} "
        )
    if _DAY.search(stripped):
        return words.day()
    if not any(letter.isalpha() for letter in stripped):
        return stripped
    if len(stripped) >= _PROSE_CHARS or (element.tag == "p" and len(stripped) > 20):
        return words.prose(
            int(len(stripped) * words.draw.choice((0.5, 1, 1, 2, 4)) / (3 if words.language == "zh" else 1))
        )
    if is_frame:
        return words.label()
    in_heading = element.tag in _HEADINGS or any(each.tag in _HEADINGS for each in element.iterancestors())
    return words.title() if in_heading or len(stripped) > 14 else words.label()

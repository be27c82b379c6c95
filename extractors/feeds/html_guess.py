"""Finds the list of a page: the repeated elements that have a link with a title each."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from lxml import etree

from extractors.feeds.list_recipe import ListRecipe
from extractors.feeds.selectors import flat_text, selected
from extractors.html.document import Document
from extractors.html.page_selectors import SelectorError
from extractors.text.dates import find_time

_MIN_LINKS, _MAX_LINKS, _MAX_LEVELS = 3, 3_000, 8
_MIN_TITLE_WIDTH = 12
"""Display width: a Chinese character counts 2."""
_MAX_TIME_CHARS, _MAX_TIME_TEXTS, _MAX_CLASSES = 60, 40, 2
_MIN_TIME_SHARE = 0.5
_WIDE_FROM = "\u1100"
Element = Any


def guess_html_list(page: Document, like: Sequence[str] = ()) -> ListRecipe | None:
    """The recipe of the list with most titles, or of the one that has these; None if nothing repeats."""
    links = [each for each in selected("//a[@href]", page.root)[:_MAX_LINKS] if _is_titled(each, like)]
    best, most = None, _MIN_LINKS - 1 if not like else 0
    for group in _groups(links, known=bool(like)):
        recipe = _recipe(page.root, group)
        count = len(selected(recipe.html, page.root)) if recipe is not None else 0
        if count > most:
            best, most = recipe, count
    return best


def _is_titled(link: Element, like: Sequence[str]) -> bool:
    text = flat_text(link) or " ".join((link.get("title") or "").split())
    if like:
        return any(title in text or title in (link.get("title") or "") for title in like)
    return sum(1 + (letter >= _WIDE_FROM) for letter in text) >= _MIN_TITLE_WIDTH


def _groups(links: list[Element], *, known: bool) -> Iterator[list[Element]]:
    """Links of one shape: the tags and classes of the elements around them; examples are one group, whatever their shapes."""
    if known:
        yield links
        return
    by_shape: dict[tuple[str, ...], list[Element]] = defaultdict(list)
    for link in links:
        around = [link, *link.iterancestors()][:4]
        by_shape[tuple(_shape(each) for each in around)].append(link)
    yield from (group for group in by_shape.values() if len(group) >= _MIN_LINKS)


def _shape(element: Element) -> str:
    return f"{element.tag}.{'.'.join(sorted((element.get('class') or '').split())[:_MAX_CLASSES])}"


def _recipe(root: Element, links: list[Element]) -> ListRecipe | None:
    if not links:
        return None
    blocks = _blocks(links)
    selector = _selector(root, blocks)
    if not selector:
        return None
    fields = _link_fields(blocks, links) | _time_field(blocks)
    return ListRecipe(html=selector, fields=fields)


def _blocks(links: list[Element]) -> list[Element]:
    """For each link the highest element around it that has no other of the links; for a single one that among siblings like it."""
    if len(links) == 1:
        return [next((each for each in (links[0], *links[0].iterancestors()) if _repeats(each)), links[0])]
    blocks = list(links)
    for _ in range(_MAX_LEVELS):
        above = [each.getparent() for each in blocks]
        if None in above or len(set(above)) < len(blocks):
            break
        blocks = above
    return blocks


def _repeats(element: Element) -> bool:
    parent = element.getparent()
    return parent is not None and sum(_shape(each) == _shape(element) for each in parent) >= _MIN_LINKS


def _selector(root: Element, blocks: list[Element]) -> str:
    """CSS that finds the blocks: their tag and common classes, below what holds them."""
    own = _name(blocks)
    parents = list({each.getparent(): None for each in blocks})
    for above in _holders(parents):
        selector = f"{above} > {own}" if above else own
        try:
            found = selected(selector, root)
        except SelectorError:
            continue
        if set(blocks) <= set(found) and (above or "." in own):
            return selector
    return ""


def _holders(parents: list[Element]) -> Iterator[str]:
    """Names of what holds the blocks, the most telling first."""
    if len(parents) == 1 and (name := parents[0].get("id") or ""):
        yield f"{parents[0].tag}#{name}"
    if "." in (own := _name(parents)):
        yield own
    over = [parent.getparent() for parent in parents if parent.getparent() is not None]
    if over and len(set(over)) == 1 and (name := over[0].get("id") or ""):
        yield f"#{name} > {own}"
    if over and "." in (upper := _name(over)):
        yield f"{upper} > {own}"
    yield ""
    yield own


def _name(elements: list[Element]) -> str:
    """The tag of elements with the classes that all have; "*" for several tags."""
    tags = {str(each.tag) for each in elements}
    common = set.intersection(*({*(each.get("class") or "").split()} for each in elements))
    ordered = [each for each in (elements[0].get("class") or "").split() if each in common and _is_plain(each)]
    return ".".join([tags.pop() if len(tags) == 1 else "*", *ordered[:_MAX_CLASSES]])


def _is_plain(name: str) -> bool:
    """Whether a class is not one of a single element or of a build, and can stand in a selector."""
    return name.replace("-", "").replace("_", "").isalpha() and name not in (
        "first",
        "last",
        "odd",
        "even",
        "active",
        "on",
    )


def _link_fields(blocks: list[Element], links: list[Element]) -> dict[str, str]:
    """The element that tells the title's link apart where it is not the first link of its block."""
    firsts = [next(iter(selected("a[href]", block)), block) for block in blocks]
    if all(first in links for first in firsts):
        return {}
    parents = [link.getparent() for link in links]
    options = (_name(links), f"{_name(parents)} > a", f"{_name(parents)} a")
    chosen = next((each for each in options if all(_first(each, block) in links for block in blocks)), "a[href]")
    return {"url": chosen, "title": chosen}


def _first(selector: str, block: Element) -> Element | None:
    try:
        return next(iter(selected(selector, block)), None)
    except SelectorError:
        return None


def _time_field(blocks: list[Element]) -> dict[str, str]:
    """The name of the element that has a time in most blocks."""
    names: Counter[str] = Counter()
    for block in blocks:
        names.update({name for each in _small(block) if (name := _timed_name(each))})
    best = names.most_common(1)
    return {"time": best[0][0]} if best and best[0][1] >= _MIN_TIME_SHARE * len(blocks) else {}


def _small(block: Element) -> list[Element]:
    found = [each for each in block.iter() if isinstance(each.tag, str) and each is not block and each.tag != "a"]
    return found[:_MAX_TIME_TEXTS]


def _timed_name(element: etree._Element) -> str:
    if element.tag == "time" and element.get("datetime"):
        return "time"
    own = flat_text(element, 4 * _MAX_TIME_CHARS)
    if (
        not own
        or len(own) > _MAX_TIME_CHARS
        or not find_time(own)
        or any(find_time(flat_text(each)) for each in element)
    ):
        return ""
    return _name([element])

"""Pages of shops and lists in the shapes that their systems write most: a grid of cards, or one product, with what stands
around it. All names and orders are drawn; what is main text follows the gold of WCXB."""

from collections.abc import Callable
from html import escape

from lxml import html

from benchmarks.page_frames import FRAME, add_frames
from benchmarks.page_words import Words

SHAPED = ("collection", "listing", "product")
"""Kinds of pages that are drawn."""
_GRIDS = "grid products product-grid product-list results items collection-grid plp tiles posts stream river articles feed shelf".split()
_CARDS = "card product product-card product-item grid__item tile item result entry post teaser story c-card col-3 promo cell".split()
_TITLES = "title name product-title card__heading item-name headline heading product__title card-title".split()
_PARTS = {
    "price": "price amount product-price money price__regular cost",
    "under": "subtitle variant meta brand kicker category byline",
    "teaser": "excerpt summary description dek teaser text",
    "prose": "description rte content intro category-description seo-text collection-description text copy",
}
_ADD = {
    "en": ("Add to cart", "Quick view", "Buy now", "Read more", "Details"),
    "zh": ("加入购物车", "立即购买", "查看详情", "阅读全文"),
}
_SORT = {"en": "Sort by: Featured Price Newest", "zh": "排序：综合 价格 最新"}
_SPECS = {
    "en": ("Details", "Specifications", "Features", "What's in the box"),
    "zh": ("商品详情", "规格参数", "产品特点", "包装清单"),
}
_REVIEWS = {"en": "Customer reviews", "zh": "用户评价"}


class _Sheet:
    """The page as it is written: markup and lines of main text."""

    def __init__(self, words: Words) -> None:
        self.words, self.draw = words, words.draw
        self.markup: list[str] = []
        self.lines: list[str] = []

    def text(self, line: str) -> str:
        """A piece of main text."""
        self.lines.append(line)
        return escape(line)

    def add(self, markup: str) -> None:
        """Markup as it is."""
        self.markup.append(markup)

    def frame(self, markup: str) -> None:
        """Markup around the main text."""
        self.add(
            f"<div {FRAME}='' class='{self.draw.choice('toolbar tools controls actions bar'.split())}'>{markup}</div>"
        )

    def named(self, part: str) -> str:
        """A class attribute, or none."""
        return f" class='{self.draw.choice(_PARTS[part].split())}'" if self.draw.random() < 0.8 else ""


def drawn_page(kind: str, words: Words) -> tuple[bytes, str]:
    """A page of this kind (collection, listing, product) and its main text in lines."""
    sheet = _Sheet(words)
    outer = words.draw.choice(("main", "div id='content'", "div class='page'", "section", "div", "article"))
    sheet.add(f"<{outer}>")
    _grid_page(sheet, kind) if kind != "product" else _product_page(sheet)
    sheet.add(f"</{outer.split()[0]}>")
    body = f"<html><head><meta charset=utf-8><title>{escape(words.title())}</title></head><body>{''.join(sheet.markup)}</body></html>"
    root = html.document_fromstring(body)
    add_frames(root, words)
    for element in root.iter("*"):
        if FRAME in element.attrib:
            del element.attrib[FRAME]
            for each in element.iter("*"):
                each.text = words.label() if each.text == "label" else each.text
    return html.tostring(root, encoding="utf-8", doctype="<!DOCTYPE html>"), "\n".join(sheet.lines)


def _prose(sheet: _Sheet, paragraphs: int) -> None:
    name = sheet.named("prose")
    sheet.add(f"<div{name}>")
    for _ in range(paragraphs):
        if sheet.draw.random() < 0.4:
            tag = sheet.draw.choice(("h2", "h3", "h2", "strong"))
            sheet.add(f"<{tag}>{sheet.text(sheet.words.title())}</{tag}>")
        sheet.add(f"<p>{sheet.text(sheet.words.prose(sheet.draw.randint(60, 600)))}</p>")
    sheet.add("</div>")


def _grid_page(sheet: _Sheet, kind: str) -> None:
    draw, words = sheet.draw, sheet.words
    if draw.random() < 0.8:
        sheet.add(f"<h1>{sheet.text(words.title())}</h1>")
    if draw.random() < 0.5:
        _prose(sheet, draw.randint(1, 2))
    if kind == "collection" and draw.random() < 0.6:
        sheet.frame(f"<span>{draw.randint(4, 900)}</span><label>{_SORT[words.language]}</label>")
    sheet.add(_cards(sheet, kind, draw.choice((draw.randint(4, 14), draw.randint(8, 60)))))
    if draw.random() < 0.5:
        sheet.frame("".join(f"<a href='?page={number}'>{number}</a> " for number in range(1, draw.randint(3, 9))))
    if kind == "collection" and draw.random() < 0.5:
        _prose(sheet, draw.randint(1, 7))


def _cards(sheet: _Sheet, kind: str, count: int) -> str:
    draw = sheet.draw
    outer, inner = draw.choice((("ul", "li"), ("div", "div"), ("div", "article"), ("section", "div"), ("ol", "li")))
    card = draw.choice(_CARDS)
    parts = _card_parts(sheet, kind)
    cards = "".join(
        f"<{inner} class='{card}'><img src='/i.jpg' alt=''>{''.join(part() for part in parts)}</{inner}>"
        for _ in range(count)
    )
    return f"<{outer} class='{draw.choice(_GRIDS)}'>{cards}</{outer}>"


def _card_parts(sheet: _Sheet, kind: str) -> list[Callable[[], str]]:
    """What each card of the page has, in its order."""
    draw, words = sheet.draw, sheet.words
    tag = draw.choice(("h2", "h3", "h3", "h4", "div", "span", "p"))
    price = draw.choice(("div", "span", "p"))
    names = draw.choice(_TITLES), sheet.named("price"), sheet.named("under"), sheet.named("teaser")
    chars = draw.choice((40, 100, 100, 250))
    is_shop = kind == "collection"
    button = draw.choice(_ADD[words.language])

    def title() -> str:
        return f"<{tag} class='{names[0]}'><a href='/p'>{sheet.text(words.title())}</a></{tag}>"

    def cost() -> str:
        return f"<{price}{names[1]}>{sheet.text(words.price())}</{price}>"

    def under() -> str:
        line = words.label() if is_shop else draw.choice((words.day(), f"{words.person()} • {words.day()}"))
        return f"<div{names[2]}>{sheet.text(line)}</div>"

    def teaser() -> str:
        return f"<p{names[3]}>{sheet.text(words.prose(chars))}</p>"

    def press() -> str:
        return f"<div {FRAME}=''><a class='btn button' href='/p'>{button}</a></div>"

    parts = [title]
    parts += [under] if draw.random() < 0.4 else []
    parts += [teaser] if draw.random() < (0.3 if is_shop else 0.7) else []
    parts += [cost] if is_shop and draw.random() < 0.85 else []
    if draw.random() < 0.3:
        parts.insert(0, parts.pop())
    return [*parts, press] if draw.random() < 0.4 else parts


def _product_page(sheet: _Sheet) -> None:
    draw, words = sheet.draw, sheet.words
    name = draw.choice("product product-main pdp product-single product-detail".split())
    sheet.add(
        f"<div class='{name}'><img src='/i.jpg'><div class='{draw.choice(('info', 'summary', 'product-info', 'col-6'))}'>"
    )
    sheet.add(f"<h1>{sheet.text(words.title())}</h1>")
    sheet.add(f"<div{sheet.named('price')}>{sheet.text(words.price())}</div>")
    _prose(sheet, draw.randint(1, 2))
    sheet.frame(
        f"<label>{words.label()}</label><select><option>1</option></select><button>{_ADD[words.language][0]}</button>"
    )
    sheet.add("</div></div>")
    for heading in draw.sample(_SPECS[words.language], draw.randint(1, 3)):
        sheet.add(
            f"<div class='{draw.choice(('tab', 'panel', 'accordion', 'section', 'details'))}'><h2>{sheet.text(heading)}</h2>"
        )
        draw.choice((_table, _bullets, lambda each: _prose(each, draw.randint(1, 4))))(sheet)
        sheet.add("</div>")
    if draw.random() < 0.5:
        said = "".join(
            f"<div class='review'><b>{words.person()}</b><p>{escape(words.prose(120))}</p></div>"
            for _ in range(draw.randint(1, 9))
        )
        sheet.add(f"<div {FRAME}='' class='reviews'><h2>{_REVIEWS[words.language]}</h2>{said}</div>")
    if draw.random() < 0.6:
        shelf = _Sheet(words)
        sheet.add(f"<div {FRAME}='' class='{draw.choice(('related', 'recommendations', 'upsell', 'carousel'))}'>")
        sheet.add(_cards(shelf, "collection", draw.randint(3, 12)) + "</div>")


def _table(sheet: _Sheet) -> None:
    words = sheet.words
    rows = "".join(
        f"<tr><th>{sheet.text(words.label())}</th><td>{sheet.text(words.title())}</td></tr>"
        for _ in range(words.draw.randint(3, 14))
    )
    sheet.add(f"<table>{rows}</table>")


def _bullets(sheet: _Sheet) -> None:
    words = sheet.words
    sheet.add(
        "<ul>" + "".join(f"<li>{sheet.text(words.title())}</li>" for _ in range(words.draw.randint(3, 10))) + "</ul>"
    )

"""What a page says of its article, by the first of the places that are known to say it."""

import re
from collections.abc import Iterable
from datetime import tzinfo
from typing import Any

import numpy as np
from htmldate import find_date
from lxml import etree, html

from extractors.article.byline import Byline
from extractors.article.language import language_of
from extractors.article.model import Article
from extractors.article.title import title_of
from extractors.html.document import Document
from extractors.html.jsonld import article_data, names_of
from extractors.links.urls import resolve_url
from extractors.text.dates import CHINA, parse_time

_PUBLISHED = (
    "article:published_time", "og:published_time", "datepublished", "pubdate", "publishdate", "publish_date", "publish-date",
    "publication_date", "og:release_date", "weibo: article:create_at", "article:published", "dc.date.issued", "dc.date",
    "dcterms.created", "parsely-pub-date", "sailthru.date", "date", "citation_publication_date", "createdate",
)  # fmt: skip
_MODIFIED = ("article:modified_time", "og:updated_time", "datemodified", "lastmod", "last-modified", "dcterms.modified")
_AUTHOR = ("author", "article:author", "og:article:author", "dc.creator", "byl", "parsely-author", "sailthru.author")
_SOURCE = ("source", "article:source", "mediaid", "contentsource", "copyright_source")
_IMAGE = ("og:image", "og:image:url", "twitter:image", "twitter:image:src", "image")
_GUESSED, _GUESSED_LENGTH = 10_000, 1_000_000
"""Elements and characters of a page whose time is guessed at most: the guess copies the tree and searches all of it."""
_SURE = 0.5
_URL_DAY = re.compile(r"[/_-](20[0-3]\d|19\d\d)[/-]?(0[1-9]|1[0-2])[/-]?(0[1-9]|[12]\d|3[01])(?!\d)")
_LETTER = re.compile(r"[^\W\d_]")
_URL = re.compile(r"^\s*(?:https?:)?//", re.I)


def describe(page: Document, text: str, method: str, confidence: float) -> Article:
    """The article with this main text and everything else that the page says of it."""
    metas, data = meta_values(page), article_data(page)
    title = title_of(page, metas, data)
    byline = Byline(page, title)
    language = language_of(page, text)
    zone = CHINA if language.startswith("zh") else None
    return Article(
        title=title,
        text=text,
        author=_author(metas, data, byline),
        published=_published(
            page, [_text(data.get("datePublished")), *_of(metas, _PUBLISHED)], byline, zone, confidence
        ),
        modified=_time(page, [_text(data.get("dateModified")), *_of(metas, _MODIFIED)], zone),
        source=byline.source
        or _first(_of(metas, _SOURCE))
        or names_of(data.get("publisher"))
        or metas.get("og:site_name", ""),
        keywords=_keywords(metas, data),
        summary=_first(_of(metas, ("description", "og:description", "twitter:description")))
        or _text(data.get("description")),
        language=language,
        image=_image(page, metas, data),
        method=method,
        confidence=confidence,
    )


def meta_values(page: Document) -> dict[str, str]:
    """Name, property or itemprop in lower case → content of the page's meta elements; of equal names the first."""
    columns = page.columns
    found: dict[str, str] = {}
    for place in np.flatnonzero(columns.tagged("meta")).tolist():
        content = columns.value(place, "content").strip()
        name = next(filter(None, (columns.value(place, name) for name in ("property", "name", "itemprop"))), "")
        if name and content:
            found.setdefault(name.strip().lower(), content[:5_000])
    return found


def _of(metas: dict[str, str], names: Iterable[str]) -> list[str]:
    return [metas[name] for name in names if name in metas]


def _first(values: Iterable[str]) -> str:
    return next(filter(None, values), "")


def _text(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _author(metas: dict[str, str], data: dict[str, Any], byline: Byline) -> str:
    """Whom the page declares, else who stands near its title; a site that declares itself comes after both."""
    candidates = [names_of(data.get("author")), *_of(metas, _AUTHOR)]
    declared = [name for name in candidates if len(name) <= 100 and _LETTER.search(name) and not _URL.match(name)]
    houses = {_squeeze(name) for name in (names_of(data.get("publisher")), metas.get("og:site_name", "")) if name}
    return _first(name for name in declared if _squeeze(name) not in houses) or byline.author or _first(declared)


def _squeeze(name: str) -> str:
    return "".join(name.split()).lower()


def _time(page: Document, candidates: Iterable[str], zone: tzinfo | None) -> str:
    """The most exact time of the best place: a later place counts only if it gives the clock time of the same day."""
    best = ""
    for candidate in candidates:
        found = parse_time(candidate, now=page.fetched_at, zone=zone) if candidate else ""
        if not best or (len(best) == 10 and found[:10] == best):
            best = found
    return best


def _published(page: Document, declared: list[str], byline: Byline, zone: tzinfo | None, confidence: float) -> str:
    """What the page declares, else the day in its address, else the time near its title, else what htmldate finds."""
    best = _time(page, declared if any(declared) else [_day_of_url(page.url)], zone)
    if len(best) <= len("2026-01-31"):  # a line near the title may tell the clock time too
        best = _time(page, [best, byline.time], zone)
    if best:
        return best
    if confidence < _SURE or not 0 < len(page.columns) <= _GUESSED:
        return ""
    return _guessed(page)


def _guessed(page: Document) -> str:
    """What htmldate finds in a copy of the page's tree, "" where it finds nothing.

    It takes trees of `lxml.html` alone; of a text it would load the address that the text may be.
    """
    source = etree.tostring(page.root, encoding="unicode", method="html")
    if len(source) > _GUESSED_LENGTH:
        return ""
    try:
        return str(
            find_date(
                html.document_fromstring(source), url=page.url or None, original_date=True, extensive_search=False
            )
            or ""
        )
    except (ValueError, TypeError, AttributeError, etree.LxmlError):
        return ""


def _day_of_url(url: str) -> str:
    found = _URL_DAY.search(url[:500])
    return "-".join(found.groups()) if found else ""


def _keywords(metas: dict[str, str], data: dict[str, Any]) -> tuple[str, ...]:
    value = data.get("keywords")
    text = (
        metas.get("keywords")
        or metas.get("news_keywords")
        or (", ".join(map(str, value)) if isinstance(value, list) else _text(value))
    )
    words = (
        " ".join(word.split())
        for word in re.split(r"[,，、;；|]" if re.search(r"[,，、;；|]", text) else r"\s", text[:2_000])
    )
    return tuple(dict.fromkeys(word for word in words if word and len(word) <= 60))[:30]


def _image(page: Document, metas: dict[str, str], data: dict[str, Any]) -> str:
    value = data.get("image")
    while isinstance(value, list | dict):
        value = (value[0] if value else "") if isinstance(value, list) else value.get("url", "")
    candidates = [*_of(metas, _IMAGE), _text(value)]
    return _first(resolve_url(page.base_url, candidate) for candidate in candidates if candidate)

"""What a page says about its article: for each field the best of the places where pages say it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

import numpy as np
from htmldate import find_date
from lxml import etree, html
from resiliparse.parse.lang import detect_fast

from extractors.article.byline import Byline
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
"""Limits in elements and characters for guessing a time, which copies the whole tree and searches it."""
_SURE = 0.5
_URL_DAY = re.compile(r"[/_-](20[0-3]\d|19\d\d)[/-]?(0[1-9]|1[0-2])[/-]?(0[1-9]|[12]\d|3[01])(?!\d)")
_LETTER = re.compile(r"[^\W\d_]")
_URL = re.compile(r"^\s*(?:https?:)?//", re.I)
_LANGUAGE_SAMPLE_CHARS = 2_000
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_DETECTED_LANGUAGES = (
    "en de fr es pt it nl sv da no fi pl cs sk hu ro bg el ru uk tr ar fa he hi bn ta th vi id hr sr sl lt lv et ca"
).split()
"""What the detector chooses from; more languages would cause more errors than they would find texts."""
_DECLARED_LANGUAGE = re.compile(r"^[a-z]{2}(?=$|[-_])")


@dataclass(frozen=True, slots=True)
class Article:
    """A page's main text and its metadata; "" or an empty tuple where the page does not say.

    Attributes:
        text: each paragraph, heading, list item, row and line of code on its own line.
        published, modified: ISO 8601; a date alone, or to the minute or second, with the zone where the page gives one.
        source: the original publisher ("来源"), else the site's name.
        image: absolute URL of the lead image.
        language: ISO 639-1.
        method: the method that found the text.
        confidence: 0 … 1, that this is the page of one article.
    """

    title: str = ""
    text: str = ""
    author: str = ""
    published: str = ""
    modified: str = ""
    source: str = ""
    keywords: tuple[str, ...] = ()
    summary: str = ""
    language: str = ""
    image: str = ""
    method: str = ""
    confidence: float = 0.0


def describe(page: Document, text: str, method: str, confidence: float) -> Article:
    """The article with this main text, and all other fields from the page."""
    metas, data = meta_values(page), article_data(page)
    title = title_of(page, metas, data)
    byline = Byline(page, title)
    language = language_of(page, text)
    zone = CHINA if language.startswith("zh") else None
    published = [_text(data.get("datePublished")), *_of(metas, _PUBLISHED)]
    modified = [_text(data.get("dateModified")), *_of(metas, _MODIFIED)]
    return Article(
        title=title,
        text=text,
        author=_author(metas, data, byline),
        published=page.attempt("dates", lambda: _published(page, published, byline, zone, confidence), ""),
        modified=page.attempt("dates", lambda: _time(page, modified, zone), ""),
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
    """The declared author, else the name near the title; a site that declares itself is the last choice."""
    candidates = [names_of(data.get("author")), *_of(metas, _AUTHOR)]
    declared = [name for name in candidates if len(name) <= 100 and _LETTER.search(name) and not _URL.match(name)]
    houses = {_squeeze(name) for name in (names_of(data.get("publisher")), metas.get("og:site_name", "")) if name}
    return _first(name for name in declared if _squeeze(name) not in houses) or byline.author or _first(declared)


def _squeeze(name: str) -> str:
    return "".join(name.split()).lower()


def _time(page: Document, candidates: Iterable[str], zone: tzinfo | None) -> str:
    """The first time found; a later candidate counts only if it adds the clock time of the same day."""
    best = ""
    for candidate in candidates:
        found = parse_time(candidate, now=page.fetched_at, zone=zone) if candidate else ""
        if not best or (len(best) == 10 and found[:10] == best):
            best = found
    return best


def _published(page: Document, declared: list[str], byline: Byline, zone: tzinfo | None, confidence: float) -> str:
    """The declared time, else the day in the address, else the time near the title, else what htmldate finds."""
    best = _time(page, declared if any(declared) else [_day_of_url(page.url)], zone)
    if len(best) <= len("2026-01-31"):  # a line near the title may have the clock time too
        best = _time(page, [best, byline.time], zone)
    if best:
        return best
    if confidence < _SURE or not 0 < len(page.columns) <= _GUESSED:
        return ""
    return _guessed(page)


def _guessed(page: Document) -> str:
    """What htmldate finds in a copy of the page's tree, "" where it finds nothing.

    It gets a tree of `lxml.html`: it would take a text for an address and load that.
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


def language_of(page: Document, text: str) -> str:
    """ISO 639-1 code of the text's language, "" for a page without text."""
    sample = text[:_LANGUAGE_SAMPLE_CHARS]
    if not sample.strip():
        return _declared_language(page)
    for pattern, share, language in ((_HANGUL, 0.1, "ko"), (_KANA, 0.1, "ja"), (_HAN, 0.1, "zh")):
        if len(pattern.findall(sample)) > share * len(sample):
            return language
    return _declared_language(page) or _detected_language(sample)


def _detected_language(sample: str) -> str:
    language = str(detect_fast(sample, langs=_DETECTED_LANGUAGES)[0])
    return "" if language == "unknown" else language


def _declared_language(page: Document) -> str:
    found = _DECLARED_LANGUAGE.match(page.columns.value(0, "lang").strip().lower())
    return found.group(0) if found else ""

"""Metadata of an article: for each field the best of its declarations on the page."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from resiliparse.parse.lang import detect_fast

from extractors.article.article_author import author_of, starter_of
from extractors.article.body import find_body
from extractors.article.byline import Byline
from extractors.article.kinds import PageKind, find_kind
from extractors.article.plain_text import to_text
from extractors.article.published import PageEvidence, PublishedTime, declared_time, declared_times, published_time
from extractors.article.ruled import ruled_fields
from extractors.article.shown_time import dated
from extractors.article.title import title_of
from extractors.article.zones import time_style
from extractors.html.document import Document
from extractors.html.jsonld import article_data, names_of
from extractors.html.metas import meta_values
from extractors.links.urls import resolve_url
from extractors.records import Record, RecordSet
from extractors.records import extract as find_records

_SOURCE = ("source", "article:source", "mediaid", "contentsource", "copyright_source")
_IMAGE = ("og:image", "og:image:url", "twitter:image", "twitter:image:src", "image")
_DATED = frozenset(("article", "documentation", "thread"))
"""Kinds of pages for which a time is guessed."""
_NO_POST = Record()
_LANGUAGE_SAMPLE_CHARS, _MIN_PROSE_CHARS = 2_000, 40
_SCRIPTS = ((0xAC00, 0xD7AF, "ko"), (0x3040, 0x30FF, "ja"), (0x3400, 0x9FFF, "zh"))
"""The first and the last character of each, and its language."""
_MIN_SCRIPT_SHARE = 0.1
_DETECTED_LANGUAGES = (
    "en de fr es pt it nl sv da no fi pl cs sk hu ro bg el ru uk tr ar fa he hi bn ta th vi id hr sr sl lt lv et ca"
).split()
"""Candidates of the detector; more languages would add more errors than correct detections."""
_DECLARED_LANGUAGE = re.compile(r"^[a-z]{2}(?=$|[-_])")


@dataclass(frozen=True, slots=True)
class Article:
    """A page's main text and its metadata; "" or an empty tuple where the page has none.

    Attributes:
        text: each paragraph, heading, list item, row and line of code on its own line.
        published, modified: ISO 8601; a date alone, or to the minute or second, with the zone where the page gives one.
        published_by: where the page says when it was published: declared, address, head or text.
        source: the original publisher ("来源"), else the site's name.
        image: absolute URL of the lead image.
        language: ISO 639-1.
        method: the method that found the text; after it, the rule of the site, what is from it, and what it did not find.
        confidence: 0 … 1, that the page is a single article.
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
    published_by: PageEvidence = ""


def describe(page: Document, text: str, method: str, confidence: float) -> Article:
    """The article with this main text, and all other fields from the page."""
    metas, data = page.once(meta_values), page.once(article_data)
    language = language_of(page, text)
    style = time_style(language, page.url)
    ruled = ruled_fields(page, style)
    title = ruled.title or title_of(page, metas, data)
    byline, kind = Byline(page, title), page.once(find_kind)
    guess = kind.name in _DATED
    records = _posts(page, kind)
    first = records[0] if records else _NO_POST
    declared = declared_times(metas, _text(data.get("datePublished")), _text(data.get("dateModified")))
    if dated(first.time_text):
        declared = replace(declared, weak=[*declared.weak, first.time])
    modified = page.attempt("dates", lambda: declared_time(page, declared.modified, style.zone), "")
    starter = starter_of(page, data, byline, records) if records else ""
    published = PublishedTime(ruled.time, "declared") if ruled.time else PublishedTime()
    if not (ruled.time or kind.is_list):
        times = partial(published_time, page, declared, modified, byline, style, guess)
        published = page.attempt("dates", times, published)
    return Article(
        title=title,
        text=text,
        author=ruled.author or ("" if kind.is_list else starter or author_of(page, metas, data, byline, text)),
        published=published.text,
        modified=modified,
        source=byline.source
        or _first(_of(metas, _SOURCE))
        or names_of(data.get("publisher"))
        or metas.get("og:site_name", ""),
        keywords=_keywords(metas, data),
        summary=_first(_of(metas, ("description", "og:description", "twitter:description")))
        or _text(data.get("description")),
        language=language,
        image=_image(page, metas, data),
        method=", ".join(filter(None, (method, ruled.said))),
        confidence=confidence,
        published_by=published.evidence,
    )


def _of(metas: dict[str, str], names: Iterable[str]) -> list[str]:
    return [metas[name] for name in names if name in metas]


def _first(values: Iterable[str]) -> str:
    return next(filter(None, values), "")


def _text(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _posts(page: Document, kind: PageKind) -> tuple[Record, ...]:
    """The posts of a thread that begins on this page; empty for other pages."""
    if kind.name != "thread":
        return ()
    records = page.attempt("records", lambda: page.once(find_records), RecordSet("none")).records
    return tuple(records) if records and records[0].is_first else ()


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
    """ISO 639-1 code of the text's language, ignoring source code; "" for a page without text."""
    sample = _without_code(page, text)[:_LANGUAGE_SAMPLE_CHARS]
    if not sample.strip():
        return _declared_language(page)
    return (
        ("" if sample.isascii() else _language_of_script(sample))
        or _declared_language(page)
        or _detected_language(sample)
    )


def _language_of_script(sample: str) -> str:
    codes = np.frombuffer(sample.encode("utf-32-le", "surrogatepass"), np.uint32)
    found = (
        language
        for first, last, language in _SCRIPTS
        if np.count_nonzero((codes >= first) & (codes <= last)) > _MIN_SCRIPT_SHARE * len(sample)
    )
    return next(found, "")


def _without_code(page: Document, text: str) -> str:
    """The main text outside `pre`, if it is long enough."""
    columns = page.columns
    if not columns.places("pre"):
        return text
    body, code = page.once(find_body), columns.tagged("pre")
    prose = to_text(body.blocks, body.chosen & ~columns.within(code)[body.blocks.home])
    return prose if len(prose) >= _MIN_PROSE_CHARS else text


def _detected_language(sample: str) -> str:
    language = str(detect_fast(sample, langs=_DETECTED_LANGUAGES)[0])
    return "" if language == "unknown" else language


def _declared_language(page: Document) -> str:
    found = _DECLARED_LANGUAGE.match(page.columns.value(0, "lang").strip().lower())
    return found.group(0) if found else ""

"""Removes a host's boilerplate from a page in the worker process, with the crawl's memory of the host."""

import numpy as np

from crawler.links.page_head import canonical_of_page
from crawler.parse_workers.reads import READS
from crawler.parse_workers.values import pack, unpack
from extractors.links.urls import canonical_url, url_key
from extractors.page import Page
from extractors.site_boilerplate import memory_of, mended, page_lines
from pipelines.site_boilerplate import Precleaned

_TEXT_VALUES, _RECORD_VALUES = ("article", "markdown"), ("records", "rows_of_records")
"""Values derived from the text, and from the records."""


def remove_boilerplate(page: Page, names: tuple[str, ...], memory: bytes) -> bytes:
    """The packed values for `load_precleaned`. Call it before any other value of the page is computed, since the cleaned page
    shares the values computed so far."""
    lines = page_lines(page, records="records" in names)
    known = memory_of(memory).with_page(lines.all_keys(), url_key(_name(page)))
    new = mended(page, lines, known)
    changed = {name: pack(new.once(READS[name])) for name in _changing(page, new, names)}
    return pack((np.concatenate((lines.keys, lines.title_keys, lines.order_keys)), lines.record_keys, changed))


def _changing(page: Page, new: Page, names: tuple[str, ...]) -> list[str]:
    """The names of values that differ between the cleaned page and the page itself."""
    if new is page:
        return []
    changing = [name for name in _TEXT_VALUES if name in names]
    if "records" in names and (new.records is not page.records or new.article.language != page.article.language):
        changing += [name for name in _RECORD_VALUES if name in names]
    return changing


def load_precleaned(packed: bytes, host: str) -> Precleaned:
    """The inverse of `remove_boilerplate`. Raises ValueError, TypeError or KeyError for other bytes."""
    keys, record_keys, changed = unpack(packed)
    return Precleaned(host, keys, record_keys, {READS[name]: unpack(value) for name, value in changed.items()})


def _name(page: Page) -> str:
    """The address that the page is a part of, or is stored under, as far as the page itself shows it."""
    return page.records.first_page or page.once(canonical_of_page) or canonical_url(page.url) or page.url

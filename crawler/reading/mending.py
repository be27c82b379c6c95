"""What a host repeats is taken out of a page by the process that reads it, with what the crawl knows of the host."""

import numpy as np

from crawler.links.page_head import canonical_of_page
from crawler.reading.reads import READS
from crawler.reading.values import pack, unpack
from extractors.links.urls import canonical_url, url_key
from extractors.page import Page
from extractors.site_boilerplate import mended, page_lines
from extractors.site_boilerplate.memory import memory_of
from pipelines.precleaned import Precleaned

_OF_TEXT, _OF_RECORDS = ("article", "markdown"), ("records", "rows_of_records")
"""What is read of a text, and of records."""


def mend(page: Page, names: tuple[str, ...], memory: bytes) -> bytes:
    """What `mending_of` reads. It comes first of all that is read of the page: what is derived from a text or from records
    must not be known yet, since the mended page shares what is known."""
    lines = page_lines(page, records="records" in names)
    known = memory_of(memory).with_page(lines.all_keys(), url_key(_name(page)))
    new = mended(page, lines, known)
    changed = {name: pack(new.once(READS[name])) for name in _changing(page, new, names)}
    return pack((np.concatenate((lines.keys, lines.title_keys, lines.order_keys)), lines.record_keys, changed))


def _changing(page: Page, new: Page, names: tuple[str, ...]) -> list[str]:
    """Those of the names that have to be sent of the mended page; all else is as on the page itself."""
    if new is page:
        return []
    changing = [name for name in _OF_TEXT if name in names]
    if "records" in names and (new.records is not page.records or new.article.language != page.article.language):
        changing += [name for name in _OF_RECORDS if name in names]
    return changing


def mending_of(packed: bytes, host: str) -> Precleaned:
    """ValueError, TypeError or KeyError for what `mend` did not write."""
    keys, record_keys, changed = unpack(packed)
    return Precleaned(host, keys, record_keys, {READS[name]: unpack(value) for name, value in changed.items()})


def _name(page: Page) -> str:
    """What the page is a part of, or is kept as, as far as one page says it."""
    return page.records.first_page or page.once(canonical_of_page) or canonical_url(page.url) or page.url

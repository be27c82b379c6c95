"""What a host repeats is taken out of a page by the process that reads it, with what the crawl knows of the host."""

import numpy as np

from crawler.links.page_head import canonical_of_page
from crawler.reading.reads import READS
from crawler.reading.values import pack, unpack
from extractors.links.urls import canonical_url, url_key
from extractors.page import Page
from extractors.site_memory import mended, page_lines
from extractors.site_memory.memory import memory_of
from pipelines.mended_elsewhere import MendedElsewhere

_CHANGING = ("article", "records", "rows_of_records", "markdown")
"""What is read of a text or of records."""


def mend(page: Page, names: tuple[str, ...], memory: bytes) -> bytes:
    """What `mending_of` reads. It comes first of all that is read of the page: what is derived from a text or from records
    must not be known yet, since the mended page shares what is known."""
    lines = page_lines(page, records="records" in names)
    known = memory_of(memory).with_page(lines.all_keys(), url_key(_name(page)))
    new = mended(page, lines, known)
    changing = _CHANGING if new is not page else ()
    changed = {name: pack(new.once(READS[name])) for name in changing if name in names}
    return pack((np.concatenate((lines.keys, lines.title_keys, lines.order_keys)), lines.record_keys, changed))


def mending_of(packed: bytes, host: str) -> MendedElsewhere:
    """ValueError, TypeError or KeyError for what `mend` did not write."""
    keys, record_keys, changed = unpack(packed)
    return MendedElsewhere(host, keys, record_keys, {READS[name]: unpack(value) for name, value in changed.items()})


def _name(page: Page) -> str:
    """What the page is a part of, or is kept as, as far as one page says it."""
    return page.records.first_page or page.once(canonical_of_page) or canonical_url(page.url) or page.url

"""Cleans a page by its host's memory: removes lines, the site's name in the title and a box of records that are on many of the
host's pages, and reads dates in the host's order."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors import article
from extractors.article.blocks import Blocks
from extractors.article.body import Body, body_text, confidence_of, find_body
from extractors.article.title import title_without
from extractors.html.tags import tag_set
from extractors.page import Page
from extractors.records import RecordSet
from extractors.records import extract as find_records
from extractors.site_boilerplate.host_date_order import in_order_of_site
from extractors.site_boilerplate.lines import PageLines
from extractors.site_boilerplate.memory import SiteMemory

_MIN_PAGES = 3
"""Minimum pages with a line for it to be the site's, and minimum pages of a host."""
_MIN_SHARE, _MIN_SHARE_INSIDE = 1 / 4, 1 / 2
"""Minimum share of the host's pages with a line at the edges of the text, and with a line between the page's own lines: a box
of a series is on the few pages of the series."""
_MIN_SHARE_OF_NAME = 1 / 2
_LABELS = tag_set(
    *("h1", "h2", "h3", "h4", "h5", "h6", "th", "td", "dt", "dd", "li", "pre", "caption", "summary", "legend"),
    *("figcaption", "code"),
)
_MAX_LABEL_CHARS = 60
_MIN_COPY_CHARS, _MIN_COPY_SHARE = 200, 0.5
"""Minimum characters of prose, and share of the text, of a run of repeated lines that is the text of a page with several copies."""
_MIN_RUN_PAGES = 8
"""Minimum pages of a host for such a run to be the site's by its share of pages, if the page also has text of its own."""
_MIN_OWN_CHARS = 60


def mended(page: Page, lines: PageLines, memory: SiteMemory) -> Page:
    """The page without boilerplate, with dates in its host's order; the same page if nothing changes. `lines`: of the page.

    The lines of a list stay: they are the beginnings of other pages.
    """
    if lines.has_records:
        page = in_order_of_site(page, lines.order_keys, memory)
    if memory.page_count < _MIN_PAGES or page.kind.is_list:
        return page
    repeated = np.zeros(0, np.int64) if page.lines.by_rule else _repeated(page.lines, lines, memory)
    changed: dict[Any, Any] = {}
    if repeated is None:  # the host has several copies of this page
        repeated = np.zeros(0, np.int64)
    elif len(lines.record_keys) and (own := _own_records(page.records, lines, memory)) is not page.records:
        changed[find_records] = own
    if len(repeated):
        changed[find_body] = _without(page.lines, repeated)
    found = page.having_read(changed) if changed else page
    text = _text(found) if find_body in changed else page.article.text
    new = _article(found, page.article, text, _names_of_site(lines, memory))
    return found if new == page.article else found.having_read({article.extract: new})


def _text(page: Page) -> str:
    return body_text(page) if page.lines.chosen.any() else ""


def _article(page: Page, old: article.Article, text: str, names: tuple[str, ...]) -> article.Article:
    """The article of a page with another text, or with known names of the site."""
    return replace(
        old,
        text=text,
        confidence=old.confidence if text == old.text else confidence_of(page, text),
        title=title_without(page, old.title, names),
        source=old.source or (names[-1] if names else ""),
    )


def _repeated(body: Body, lines: PageLines, memory: SiteMemory) -> NDArray[np.int64] | None:
    """The chosen blocks that the host repeats; None for a page with several copies."""
    counts = memory.counts(lines.keys)
    is_chosen = (body.chosen & ~body.posts)[lines.blocks]
    blocks, counts, known = lines.blocks[is_chosen], counts[is_chosen], memory.page_count
    repeated = counts >= max(_MIN_PAGES, _MIN_SHARE * known)
    own = np.flatnonzero(~repeated)
    if len(own):
        inside = slice(int(own[0]), int(own[-1]))
        few = counts[inside] < max(_MIN_PAGES, _MIN_SHARE_INSIDE * known)
        repeated[inside] &= ~(few | _are_labels(body.blocks, blocks[inside]))
    everywhere = counts >= _MIN_SHARE_INSIDE * known if known >= _MIN_RUN_PAGES else np.zeros(len(counts), np.bool_)
    return None if _is_copy(body.blocks, blocks, repeated, everywhere) else blocks[repeated]


def _are_labels(blocks: Blocks, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """bool of each: a short heading, cell or item, which belongs to the next line."""
    lengths = blocks.sums(blocks.columns.counts("visible"))[numbers]
    return np.asarray(_LABELS[blocks.columns.tag[blocks.home[numbers]]] & (lengths <= _MAX_LABEL_CHARS))


def _is_copy(
    blocks: Blocks, numbers: NDArray[np.int64], repeated: NDArray[np.bool_], everywhere: NDArray[np.bool_]
) -> bool:
    """Whether the page has no text of its own, or one run of repeated lines is most of it. everywhere: bool of each, the
    line is on half of a larger host's pages."""
    if not repeated.any():
        return False
    visible = blocks.columns.counts("visible")
    lengths, prose = blocks.sums(visible)[numbers], blocks.sums(visible * ~blocks.columns.linked)[numbers]
    if lengths[~repeated].sum() < _MIN_OWN_CHARS:
        return True
    least = max(_MIN_COPY_CHARS, _MIN_COPY_SHARE * int(lengths.sum()))
    runs = np.split(np.arange(len(numbers)), np.flatnonzero(np.diff(repeated)) + 1)
    return any(repeated[run[0]] and prose[run].sum() >= least and not everywhere[run].all() for run in runs)


def _without(body: Body, numbers: NDArray[np.int64]) -> Body:
    chosen = body.chosen.copy()
    chosen[numbers] = False
    return replace(body, chosen=chosen)


def _names_of_site(lines: PageLines, memory: SiteMemory) -> tuple[str, ...]:
    """The parts of the page's title that half of the host's pages have, in order."""
    least = max(_MIN_PAGES, _MIN_SHARE_OF_NAME * memory.page_count)
    return tuple(
        part
        for part, count in zip(lines.title, memory.counts(lines.title_keys).tolist(), strict=True)
        if count >= least
    )


def _own_records(found: RecordSet, lines: PageLines, memory: SiteMemory) -> RecordSet:
    """The records without those that the host repeats, if these are at least half: such a box shows the latest posts."""
    repeated = memory.counts(lines.record_keys) >= max(_MIN_PAGES, _MIN_SHARE * memory.page_count)
    repeated &= np.array([not record.is_first or found.kind == "comments" for record in found.records], np.bool_)
    if 2 * int(repeated.sum()) < len(repeated):
        return found
    kept = np.flatnonzero(~repeated).tolist()
    if not kept:
        return RecordSet("none")
    place = {number: new for new, number in enumerate(kept)}
    records = [found.records[number] for number in kept]
    return replace(found, records=tuple(replace(each, parent=place.get(each.parent, -1)) for each in records))

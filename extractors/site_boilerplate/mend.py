"""A page read with what is known of its host: without lines of text, the site's name in its title and a box of records that
stand on many of its pages, and with dates in the order that its pages show."""

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
from extractors.site_boilerplate.date_order import in_order_of_site
from extractors.site_boilerplate.lines import PageLines
from extractors.site_boilerplate.memory import SiteMemory

_MIN_PAGES = 3
"""That have a line before it is the site's, and that a host must have."""
_MIN_SHARE, _MIN_SHARE_INSIDE = 1 / 4, 1 / 2
"""Of the host's pages that must have a line at the edges of the text, and one between lines of this page's own: a box of a
series stands on the few pages of the series."""
_MIN_SHARE_OF_NAME = 1 / 2
_LABELS = tag_set(
    *("h1", "h2", "h3", "h4", "h5", "h6", "th", "td", "dt", "dd", "li", "pre", "caption", "summary", "legend"),
    *("figcaption", "code"),
)
_MAX_LABEL_CHARS = 60
_MIN_COPY_CHARS, _MIN_COPY_SHARE = 200, 0.5
"""Prose, and its share of the text, from which repeated lines in a row are the text of a page that the host has several times."""
_MANY_PAGES = 8
"""From which a share of the host's pages says that even such a run is the site's, if the page has text of its own too."""
_MIN_OWN_CHARS = 60


def mended(page: Page, lines: PageLines, memory: SiteMemory) -> Page:
    """The page without what its host repeats, its dates in its host's order; the same page if nothing changes. `lines` are the
    page's own.

    The lines of a list are left as they are: they are the beginnings of other pages.
    """
    if lines.has_records:
        page = in_order_of_site(page, lines.order_keys, memory)
    if memory.page_count < _MIN_PAGES or page.kind.is_list:
        return page
    repeated = _repeated(page.lines, lines, memory)
    changed: dict[Any, Any] = {}
    if repeated is None:  # the host has this page several times
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
    """The article of a page with another text, or with a site whose names are known now."""
    return replace(
        old,
        text=text,
        confidence=old.confidence if text == old.text else confidence_of(page, text),
        title=title_without(page, old.title, names),
        source=old.source or (names[-1] if names else ""),
    )


def _repeated(body: Body, lines: PageLines, memory: SiteMemory) -> NDArray[np.int64] | None:
    """The chosen blocks that the host repeats; None for a page that it has several times."""
    counts = memory.counts(lines.keys)
    is_chosen = (body.chosen & ~body.posts)[lines.blocks]
    blocks, counts, known = lines.blocks[is_chosen], counts[is_chosen], memory.page_count
    repeated = counts >= max(_MIN_PAGES, _MIN_SHARE * known)
    own = np.flatnonzero(~repeated)
    if len(own):
        inside = slice(int(own[0]), int(own[-1]))
        few = counts[inside] < max(_MIN_PAGES, _MIN_SHARE_INSIDE * known)
        repeated[inside] &= ~(few | _are_labels(body.blocks, blocks[inside]))
    everywhere = counts >= _MIN_SHARE_INSIDE * known if known >= _MANY_PAGES else np.zeros(len(counts), np.bool_)
    return None if _is_copy(body.blocks, blocks, repeated, everywhere) else blocks[repeated]


def _are_labels(blocks: Blocks, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """bool of each: a short heading, cell or item, which belongs to the line that follows."""
    lengths = blocks.sums(blocks.columns.counts("visible"))[numbers]
    return np.asarray(_LABELS[blocks.columns.tag[blocks.home[numbers]]] & (lengths <= _MAX_LABEL_CHARS))


def _is_copy(
    blocks: Blocks, numbers: NDArray[np.int64], repeated: NDArray[np.bool_], everywhere: NDArray[np.bool_]
) -> bool:
    """Whether the page has no text of its own, or one run of repeated lines that is most of it. everywhere: bool of each, the
    line stands on half of a larger host's pages."""
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
    """The parts of the page's title that half of the host's pages have, in their order."""
    least = max(_MIN_PAGES, _MIN_SHARE_OF_NAME * memory.page_count)
    return tuple(
        part
        for part, count in zip(lines.title, memory.counts(lines.title_keys).tolist(), strict=True)
        if count >= least
    )


def _own_records(found: RecordSet, lines: PageLines, memory: SiteMemory) -> RecordSet:
    """The records without those that the host repeats, if these are half of them and more: such a box shows the latest posts."""
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

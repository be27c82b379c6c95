"""The values of a page that worker processes compute: functions whose results spiders and pipelines use.

Other values are computed by the crawl's own process, which then has to parse the page too.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from crawler.links.covered_text import covered_share
from crawler.links.page_head import canonical_of_page, feeds_of_page, linked_headings, refresh_of_page
from extractors import article, records
from extractors.article.kinds import find_kind
from extractors.article.markdown import markdown_of
from extractors.html.document import Document, find_charset
from extractors.links.find import find_links, forbids_following
from extractors.topic.page_text import page_text
from pipelines.compressed_source import compressed_source
from pipelines.discussion import rows_of_records

Read = Callable[[Document], Any]
READS: Mapping[str, Read] = MappingProxyType(
    {
        "charset": find_charset,
        "links": find_links,
        "kind": find_kind,
        "article": article.extract,
        "records": records.extract,
        "rows_of_records": rows_of_records,
        "markdown": markdown_of,
        "canonical": canonical_of_page,
        "feeds": feeds_of_page,
        "refresh": refresh_of_page,
        "nofollow": forbids_following,
        "linked_headings": linked_headings,
        "covered_share": covered_share,
        "page_text": page_text,
        "source": compressed_source,
    }
)
"""Functions by their names in messages."""


def wanted(*, records: bool, markdown: bool, source: bool, topic: bool) -> tuple[str, ...]:
    """The names of the values that a crawl uses: optionally records, Markdown, the stored source, and a topic judge's input."""
    left_out = {
        "records": not records,
        "rows_of_records": not records,
        "covered_share": not records,
        "markdown": not markdown,
        "source": not source,
        "page_text": not topic,
    }
    return tuple(name for name in READS if not left_out.get(name))

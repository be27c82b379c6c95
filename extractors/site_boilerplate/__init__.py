"""Boilerplate of a host: lines on many of its pages, which a single page cannot show, are counted and removed from pages.

`page_lines` gives the lines to count of a page, `SiteMemory` has the counts of a host, `mended` gives the page without the
boilerplate.
"""

from extractors.site_boilerplate.keys import Keys, distinct
from extractors.site_boilerplate.lines import PageLines, page_lines
from extractors.site_boilerplate.memory import NOTHING_KNOWN, SiteMemory, memory_of
from extractors.site_boilerplate.mend import mended

__all__ = ["NOTHING_KNOWN", "Keys", "PageLines", "SiteMemory", "distinct", "memory_of", "mended", "page_lines"]

"""What stands on many pages of a host, which one page alone cannot show: it is counted, and taken out of pages.

`page_lines` reads what is counted of a page, `SiteMemory` has the counts of a host, `mended` is the page without what stands
on many pages.
"""

from extractors.site_boilerplate.lines import PageLines, page_lines
from extractors.site_boilerplate.memory import NOTHING_KNOWN, SiteMemory
from extractors.site_boilerplate.mend import mended

__all__ = ("NOTHING_KNOWN", "PageLines", "SiteMemory", "mended", "page_lines")

"""Summaries: of one page by learned sentence extraction, of several pages by their common content."""

from analysis.summary.choose import summarize
from analysis.summary.multi_page_digest import Difference, Digest, Said, SummarySentence, digest

__all__ = ["Difference", "Digest", "Said", "SummarySentence", "digest", "summarize"]

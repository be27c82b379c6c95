"""Summaries: of a page by a learned choice of its own sentences, of several pages by what most of them say."""

from analysis.summary.choose import summarize
from analysis.summary.digest import Difference, Digest, Said, SummarySentence, digest

__all__ = ["Difference", "Digest", "Said", "SummarySentence", "digest", "summarize"]

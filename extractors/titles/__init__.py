"""Reposts by title: endings that name a site, terms and cosines, an exact online index, rules."""

from extractors.titles.index import TitleIndex, TitleMatch, Verdict
from extractors.titles.repost_rules import PUBLISHED, Rule, Rules, objection
from extractors.titles.snapshot import SnapshotError, check, dump, load
from extractors.titles.suffixes import SuffixLearner
from extractors.titles.title_text import TitleText, cosine, title_text

__all__ = [
    "PUBLISHED",
    "Rule",
    "Rules",
    "SnapshotError",
    "SuffixLearner",
    "TitleIndex",
    "TitleMatch",
    "TitleText",
    "Verdict",
    "additions",
    "bodies",
    "check",
    "cosine",
    "dump",
    "load",
    "objection",
    "snapshot",
    "title_text",
    "wording",
]

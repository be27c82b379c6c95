"""The options of `scrapy topic`, by the actions that read them."""

import argparse

from crawler.terms.expansion import SOURCES as ORIGINS


def add_topic_options(parser: argparse.ArgumentParser) -> None:
    """A group for each action, or for those that share options."""
    _add_finding(parser)
    _add_deciding(parser)


def _add_finding(parser: argparse.ArgumentParser) -> None:
    words = parser.add_argument_group("words")
    words.add_argument("--all", action="store_true", help="words of all stored pages, not only of the topic's sites")
    words.add_argument("--limit", type=int, default=1_000, metavar="N", help="at most N words (default: 1000; 0: all)")
    expansion = parser.add_argument_group("expand")
    expansion.add_argument(
        "--from",
        dest="origins",
        default="thesaurus,newwords,pages",
        metavar="A,B,…",
        help=f"{', '.join(ORIGINS)} (default: thesaurus,newwords,pages)",
    )
    expansion.add_argument("--top", type=int, default=20, metavar="L", help="best pages to read (default: 20)")
    expansion.add_argument(
        "--most", type=int, default=60, metavar="N", help="at most N candidates from each source (default: 60)"
    )
    expansion.add_argument("--published", action="store_true", help="rank by W(e) = (.5 + .5 f/f_max) · idf")


def _add_deciding(parser: argparse.ArgumentParser) -> None:
    review = parser.add_argument_group("review, import, export")
    review.add_argument("--write", default="", metavar="FILE", help="write the candidates as CSV")
    review.add_argument("--read", default="", metavar="FILE", help="import the decisions from such a CSV")
    review.add_argument("--by", default="", metavar="PERSON", help="who decides (default: the system's user)")
    review.add_argument("--candidates", action="store_true", help="imported terms wait for review")
    review.add_argument("--pages", action="store_true", help="pages to mark, the most doubtful first")
    review.add_argument("--sites", action="store_true", help="the file to import lists sites")
    review.add_argument("--output", "-o", default="", metavar="FILE", help="write there instead of to stdout")

    preview = parser.add_argument_group("preview")
    preview.add_argument("--urls", default="", metavar="FILE", help="start pages, one per line (default: the seeds)")
    preview.add_argument(
        "--fetch", action="store_true", help="fetch the start pages that are not stored, and store them"
    )

    learning = parser.add_argument_group("learn")
    learning.add_argument("--like", default="", metavar="FILE", help="addresses of on-topic pages, one per line")
    learning.add_argument("--unlike", default="", metavar="FILE", help="addresses of off-topic pages, one per line")

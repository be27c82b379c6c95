"""The result of a crawl: the exit code of its process, and a sentence for people.

`scrapy crawl`, the table `runs`, the last line of the log and the summary on the terminal all show it; `scrapy schedule`
reads it from the log of a node's job.
"""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class ExitCode(IntEnum):
    """Exit codes of the process. docs/crawling.md has the table for operators."""

    DONE = 0
    FAILED = 1
    WRONG_ARGUMENTS = 2
    LIMIT = 3
    INCOMPLETE = 4
    IN_USE = 5
    UNUSABLE = 6
    NOTHING = 7


@dataclass(frozen=True, slots=True)
class CrawlResult:
    """The outcome of a run.

    Attributes:
        reason: Scrapy's finish reason or one of ours, without spaces.
        sentence: what happened and what to do, on one line.
    """

    code: ExitCode
    reason: str
    sentence: str

    @property
    def log_level(self) -> int:
        """Work that waits for a later run is a warning; the other failures are errors."""
        if not self.is_failure:
            return logging.INFO
        return logging.WARNING if self.code == ExitCode.INCOMPLETE else logging.ERROR

    def __str__(self) -> str:
        return f"Ending: {self.reason} (exit code {self.code}). {self.sentence}"

    @property
    def is_failure(self) -> bool:
        """Whether the operator has to act. Reaching a limit is not a failure."""
        return self.code not in (ExitCode.DONE, ExitCode.LIMIT)


_LINE = re.compile(r"Ending: (\S+) \(exit code (\d)\)\. (.*)")
_CONTINUES = "the same command continues"
_NO_LINKS = "Finished, but the start pages lead to no other page; they may be made by scripts, behind a log-in, or the wrong address"
_REASONS: Mapping[str, tuple[ExitCode, str]] = {
    "finished": (ExitCode.DONE, "Finished"),
    "shutdown": (ExitCode.INCOMPLETE, f"Stopped; {_CONTINUES}"),
    "max_pages": (ExitCode.LIMIT, f"Reached max_pages, which counts pages read; {_CONTINUES}"),
    "memusage_exceeded": (ExitCode.LIMIT, f"Reached the limit of memory; {_CONTINUES}"),
    "no_proxy": (ExitCode.INCOMPLETE, f"No proxy works; correct the list, then {_CONTINUES}"),
    "wrong_arguments": (ExitCode.WRONG_ARGUMENTS, "Wrong arguments or settings"),
    "nothing_to_watch": (
        ExitCode.WRONG_ARGUMENTS,
        "There is nothing to watch: name sites with -a sites=FILE, or accept proposed ones",
    ),
    "frontier_in_use": (ExitCode.IN_USE, "Another run uses this frontier"),
    "frontier_unusable": (ExitCode.UNUSABLE, "The frontier cannot be used"),
    "store_unusable": (ExitCode.UNUSABLE, "The store cannot be used"),
}


def result_of(reason: str, stats: Mapping[str, Any], fault: str = "", lost: str = "") -> CrawlResult:
    """The result of a crawl that was closed with this reason.

    Args:
        stats: Scrapy's, with the counts of the page reader (`pages/…`), of the frontier, and of a search (`search/left`).
        fault: the error message, if the reason is a fault.
        lost: why a part of the queue is gone.
    """
    if reason == "finished":
        return _finished(stats, lost)
    if reason == "unreadable":
        return _unreadable(stats)
    if reason.startswith("closespider_"):
        return CrawlResult(ExitCode.LIMIT, reason, f"Reached {reason.upper()}; {_CONTINUES}")
    code, sentence = _REASONS.get(reason, (ExitCode.FAILED, f"Ended by {reason}; the log says why"))
    return CrawlResult(code, reason, _one_line(f"{sentence}: {fault}" if fault else sentence))


def _finished(stats: Mapping[str, Any], lost: str) -> CrawlResult:
    queued, dead = stats.get("frontier/queued", 0), stats.get("frontier/dead", 0)
    refused, left = stats.get("pages/refused", 0) + stats.get("pages/unsent", 0), stats.get("search/left", 0)
    if not stats.get("pages/answered", 0) and (refused or dead or queued or left):
        why = stats.get("pages/last_refusal", "") or f"{dead} requests failed, {queued + left} wait"
        return CrawlResult(ExitCode.NOTHING, "nothing_fetched", _one_line(f"No page was fetched: {why}"))
    unread = stats.get("pages/unreadable", 0)
    if unread and unread >= stats.get("pages/starts", 0) and not queued:
        return _unreadable(stats)
    if lost:
        return CrawlResult(ExitCode.INCOMPLETE, "frontier_lost", _one_line(f"A part of the queue is lost: {lost}"))
    if queued:
        said = f"{queued} requests wait for hosts that are unavailable; later {_CONTINUES}"
        return CrawlResult(ExitCode.INCOMPLETE, "hosts_left", said)
    if left:
        said = f"{left} query pages wait for search engines that are unavailable; later {_CONTINUES}"
        return CrawlResult(ExitCode.INCOMPLETE, "engines_left", said)
    if stats.get("pages/unlinked", 0) >= stats.get("pages/answered", 0) > 0:
        return CrawlResult(ExitCode.DONE, "finished", _NO_LINKS)
    said = f"Finished, but {_one_line(str(stats.get('pages/last_unreadable', '')))}" if unread else "Finished"
    return CrawlResult(ExitCode.DONE, "finished", said)


def _unreadable(stats: Mapping[str, Any]) -> CrawlResult:
    return CrawlResult(ExitCode.NOTHING, "unreadable", _one_line(str(stats.get("pages/last_unreadable", ""))))


def last_result(log: str) -> CrawlResult | None:
    """The result in a log; None if its process was killed or has not begun to crawl."""
    found = _LINE.findall(log)
    if not found:
        return None
    reason, code, sentence = found[-1]
    return CrawlResult(ExitCode(int(code)), reason, sentence.strip())


def _one_line(text: str) -> str:
    return " ".join(text.split())[:1_000]

"""An engine's answer as one of four: results, truly none, blocked, layout changed."""

from dataclasses import replace

from crawler.engines.answers.generic import generic_results
from crawler.engines.answers.refusals import challenge, refusal, says_nothing_found, titled_challenge
from crawler.engines.base import Answer, BlockedError, Engine, NoResultsError, Reply, Result

MIN_GENERIC = 3
"""So many results of the generic rule show that a page has results which the engine's own rules miss."""


_MIN_TOLD = 5
_SNIPPET = 30


def read(engine: Engine, reply: Reply) -> Answer:
    """What the engine has answered; never raises for what a page holds."""
    if reason := refusal(reply):
        return Answer("blocked", reason=reason)
    try:
        found = engine.results(reply)
    except BlockedError as blocked:
        return Answer("blocked", reason=str(blocked))
    except NoResultsError as nothing:
        return Answer("none", reason=str(nothing))
    if found:
        return Answer("results", _ranked(found), "the engine's own rules")
    return _without_own_results(reply) if engine.is_html else Answer("none", reason="an empty list")


def _without_own_results(reply: Reply) -> Answer:
    if reason := titled_challenge(reply):
        return Answer("blocked", reason=reason)
    found = generic_results(reply.page)
    if (words := says_nothing_found(reply)) and not _are_told_of(found):
        return Answer("none", reason=f"the page says {words!r}")
    if not words and (reason := challenge(reply)):
        return Answer("blocked", reason=reason)
    if len(found) >= MIN_GENERIC:
        return Answer("layout_changed", _ranked(found), "only the generic rule finds results")
    return Answer("layout_changed", reason="neither results nor a word about there being none")


def _are_told_of(results: list[Result]) -> bool:
    """Whether these are results with snippets, as of a query that had none in its first reading, and no list of titles."""
    return sum(len(result.snippet) >= _SNIPPET for result in results) >= _MIN_TOLD


def _ranked(results: list[Result]) -> tuple[Result, ...]:
    return tuple(replace(result, rank=rank) for rank, result in enumerate(results, 1))

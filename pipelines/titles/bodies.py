"""The second opinion on a title: the first sentences of its page and of the page with the nearest title, both from the store."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import TypeVar

from extractors.titles.bodies import BodyMatch, Lead, Verdict, compare_leads, is_sure, lead_of, together
from pipelines.stores.base import Condition, Row, Store
from pipelines.stores.tables import PAGES, PROPAGATION
from pipelines.titles.stories import Decision

Kept = TypeVar("Kept")
_RECENT = 2_000
"""Pages whose lead and story are remembered, for they may not be durable yet."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision by title and body, and what each of them says."""

    decision: Decision
    by_title: Verdict
    body: BodyMatch


class BodyJudge:
    """Decides pages in the order in which their titles were compared; one thread at a time.

    Args:
        compares: whether bodies count; else the title decides alone.
    """

    def __init__(self, store: Store | None, *, compares: bool = True) -> None:
        self._store, self._compares = store, compares
        self._leads = OrderedDict[str, Lead]()
        self._stories = OrderedDict[str, str]()

    def judge(self, page: str, title: str, body: str, decision: Decision) -> Judged:
        """What a page is, by its title's decision and by its text."""
        if not self._compares:
            return Judged(_by_title(decision), decision.verdict, BodyMatch())
        lead = lead_of(body, title)
        _remember(self._leads, page, lead)
        if not decision.matched:
            return Judged(decision, decision.verdict, BodyMatch())
        other = self._lead(decision.matched)
        match = compare_leads(lead, other) if other is not None else BodyMatch()
        sure = is_sure(title, decision.cosine)
        verdict, rule = together(decision.verdict, decision.rule, sure, match.verdict)
        story = self._story(decision) if verdict == "repost" else page
        _remember(self._stories, page, story)
        found = Decision(verdict, story, decision.matched, decision.cosine, rule)
        return Judged(_by_title(found), decision.verdict, match)

    def _lead(self, page: str) -> Lead | None:
        """Of a page that was compared before; None if it is not stored."""
        if page in self._leads:
            return self._leads[page]
        found = self._select(PAGES.name, page)
        return lead_of(found["body"] or "", found["title"] or "") if found else None

    def _story(self, decision: Decision) -> str:
        """The story of the page with the nearest title: a body may have put it into another one than its title."""
        if decision.matched in self._stories:
            return self._stories[decision.matched]
        found = self._select(PROPAGATION.name, decision.matched)
        if found and found["story"]:
            return str(found["story"])
        return decision.story if decision.verdict == "repost" else decision.matched

    def _select(self, table: str, page: str) -> Row | None:
        if self._store is None:
            return None
        if table == PAGES.name:
            rows = self._store.select(PAGES, [Condition("key", "=", page)], limit=1, columns=("title", "body"))
        else:
            rows = self._store.select(PROPAGATION, [Condition("page", "=", page)], limit=1, columns=("story",))
        return next(iter(rows), None)


def _by_title(decision: Decision) -> Decision:
    """New pages name no other page, although one has a title a little like theirs."""
    return Decision("new", decision.story) if decision.verdict == "new" else decision


def _remember(kept: OrderedDict[str, Kept], page: str, value: Kept) -> None:
    kept[page] = value
    kept.move_to_end(page)
    if len(kept) > _RECENT:
        kept.popitem(last=False)

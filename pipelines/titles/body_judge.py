"""The second check of a title: compares the first sentences of its page with those of the stored page with the nearest title."""

import logging
from collections import OrderedDict
from dataclasses import dataclass

from extractors.titles import Rule, Verdict
from extractors.titles.bodies import BodyMatch, Lead, compare_leads, is_sure, lead_of, together
from pipelines.stores.base import Condition, Store, StoreError
from pipelines.stores.tables import PAGES
from pipelines.titles.comparer import TitleDecision
from pipelines.titles.title_requests import TitleRequest

_RECENT_LEADS = 2_000
"""Pages whose first sentences are kept in memory, since they may not be stored yet."""
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict by title and body, the rule that objects, and the result of the bodies alone."""

    verdict: Verdict
    rule: Rule
    body: BodyMatch


class BodyJudge:
    """Judges pages in the order in which their titles were compared; one thread at a time.

    Args:
        compares: compare bodies; else the title decides alone.
    """

    def __init__(self, store: Store, *, compares: bool = True) -> None:
        self._store, self._compares = store, compares
        self._leads = OrderedDict[str, Lead]()

    def judge(self, request: TitleRequest, decision: TitleDecision) -> Judged:
        """The verdict by the decision on the title and by the text."""
        by_title = Judged(decision.verdict, decision.rule, BodyMatch())
        if not self._compares:
            return by_title
        try:
            return self._judge(request, decision)
        except StoreError:
            raise
        except Exception:  # one text must not block all other pages
            _logger.exception("The text of a page cannot be compared: %s", request.page)
            return by_title

    def _judge(self, request: TitleRequest, decision: TitleDecision) -> Judged:
        title = request.facts["title"]
        lead = lead_of(request.text, title)
        self._remember(request.page, lead)
        other = self._lead(decision.matched) if decision.matched else None
        body = compare_leads(lead, other) if other is not None else BodyMatch()
        sure = is_sure(title, decision.cosine)
        return Judged(*together(decision.verdict, decision.rule, sure, body.verdict), body)

    def _lead(self, page: str) -> Lead | None:
        """The lead of a page that was compared before; None if it is not stored."""
        if page in self._leads:
            return self._leads[page]
        rows = self._store.select(PAGES, [Condition("key", "=", page)], limit=1, columns=("title", "body"))
        found = next(iter(rows), None)
        return lead_of(found["body"] or "", found["title"] or "") if found else None

    def _remember(self, page: str, lead: Lead) -> None:
        self._leads[page] = lead
        self._leads.move_to_end(page)
        if len(self._leads) > _RECENT_LEADS:
            self._leads.popitem(last=False)

"""Decides which pages repeat the news of other pages. A decision is durable in the store before it is returned; the index is
rebuilt from these rows, in the order of their `place`."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pipelines.propagation import order_story, pages_with_changed_verdict
from pipelines.stores.base import Condition, MutableRow, Order, Row, Store
from pipelines.stores.people_tables import TITLE_DECISIONS
from pipelines.stores.tables import PAGES, PROPAGATION
from pipelines.titles.body_judge import BodyJudge, Judged
from pipelines.titles.comparer import TitleComparer, TitleDecision
from pipelines.titles.decided import apply_decision, drop_split
from pipelines.titles.title_requests import FACTS, UNDECIDED, TitleRequest, entry_of
from pipelines.waiting import waiting_rows

MAX_GROUP_TITLES = 256
_BY_TIME = (Order("fetched_at"), Order("page"))
_IS_UNDECIDED = Condition("verdict", "=", UNDECIDED)


class TitleDecider:
    """Decides titles one after the other; one thread at a time, in one process at a time (`pipelines.titles.holder`).

    After an error the index may contain titles that the store lacks: load a new one.

    Args:
        place: of the latest title in the comparer.
        confirm: called before decisions are stored; raises LeaseLostError where another process decides.
        analysing: queue pages whose verdict changes for the analysis.
    """

    def __init__(
        self, store: Store, comparer: TitleComparer, bodies: BodyJudge, place: int, confirm: Callable[[], None],
        *, analysing: bool = True,
    ) -> None:  # fmt: skip
        self._store, self.comparer, self._bodies = store, comparer, bodies
        self.place, self._confirm, self._analysing = place, confirm, analysing

    def decide(self, requests: Sequence[TitleRequest]) -> dict[str, str]:
        """Decide and store; returns verdicts by page. A page that comes again with the same title keeps its decision."""
        group = _RequestGroup(self._store, [request.page for request in requests])
        for request in requests:
            self._decide(group, request)
        self._confirm()
        changed = waiting_rows(dict.fromkeys(group.changed_verdicts)) if self._analysing else []
        self._store.write([*((PROPAGATION, row) for row in group.changed.values()), *changed]).result()
        return {request.page: group.rows[request.page]["verdict"] for request in requests}

    def decide_stored(self) -> int:
        """Decide the oldest pages stored without a verdict; returns their number, 0 if there are none."""
        rows = list(self._store.select(PROPAGATION, [_IS_UNDECIDED], _BY_TIME, MAX_GROUP_TITLES, FACTS))
        if rows:
            stored = [Condition("key", "in", [row["page"] for row in rows])]
            bodies = {page["key"]: page["body"] for page in self._store.select(PAGES, stored, columns=("key", "body"))}
            self.decide([TitleRequest(row, bodies.get(row["page"]) or "") for row in rows])
        return len(rows)

    def _decide(self, group: "_RequestGroup", request: TitleRequest) -> None:
        known = group.rows.get(request.page)
        if known is not None and known["place"] and known["title"] == request.facts["title"]:
            group.put_again(known, request.facts)
            return
        self.place += 1
        facts = dict(request.facts) | {"place": self.place}
        decision = self.comparer.compare(entry_of(facts))
        if decision.matched == request.page:  # it repeats its own earlier title
            if known is not None and known["place"]:
                group.put_again(known, facts)
                return
            decision = TitleDecision("new")
        judged = self._bodies.judge(request, decision)
        story = group.story(decision.matched) if judged.verdict == "repost" else request.page
        group.place(facts | _columns(decision, judged, story))


def _columns(decision: TitleDecision, judged: Judged, story: str) -> MutableRow:
    """The columns of a decision before its story is ordered; a new page names no other page, even if one is slightly similar."""
    is_new = judged.verdict == "new"
    return {
        "story": story,
        "original": story,
        "verdict": judged.verdict,
        "rule": "" if is_new else judged.rule,
        "matched": "" if is_new else decision.matched,
        "cosine": 0.0 if is_new else round(decision.cosine, 4),
        "by_title": decision.verdict,
        "by_body": judged.body.verdict,
        "body_likeness": round(judged.body.likeness, 4),
        "delay_hours": None,
        "reposts": 0,
    }


class _RequestGroup:
    """Rows of the table of titles during the decision on a group of pages; some are not stored yet.

    Attributes:
        rows: of these pages, and other rows looked up. changed: rows to store. changed_verdicts: pages that have become reposts, or
            have ceased to be reposts.
    """

    def __init__(self, store: Store, pages: Sequence[str]) -> None:
        self._store = store
        where = [Condition("page", "in", pages)]
        self.rows: dict[str, MutableRow] = {row["page"]: row for row in store.select(PROPAGATION, where)}
        self._people = {row["page"]: row for row in store.select(TITLE_DECISIONS, where)}
        self.changed: dict[str, MutableRow] = {}
        self.changed_verdicts: list[str] = []

    def story(self, page: str) -> str:
        """The story of a page; a page that is not in the store is its own story."""
        row = self.rows.get(page) or self._store.get(PROPAGATION, page)
        if row is not None:
            self.rows[page] = row
        return str(row["story"] or page) if row is not None else page

    def put_again(self, known: MutableRow, facts: Row) -> None:
        """Keep the page's decision; if a node without an answer has overwritten the verdict, derive it from the other columns."""
        row = known | dict(facts) | {"first_seen": known.get("first_seen") or known["fetched_at"]}
        if known["verdict"] != UNDECIDED:
            self._put([row])
            return
        is_member = row["story"] != row["page"] or bool(row["reposts"])
        self.place(row | {"verdict": "repost" if is_member else "suspected" if row["rule"] else "new"})

    def place(self, row: MutableRow) -> None:
        """Place a row alone, or with all rows of the story that it joins; people's decisions override."""
        row = apply_decision(row, self._people.get(row["page"]))
        members = self._members(row["story"]) if row["verdict"] == "repost" else {}
        members[row["page"]] = row
        if len(members) > 1:
            self._put(order_story(members.values()))
        else:
            alone = row["verdict"] == "repost" and row["story"] == row["page"]
            self._put([row | {"verdict": "new"} if alone else row])

    def _members(self, story: str) -> dict[str, MutableRow]:
        where = [Condition("story", "=", story)]
        stored = [row for row in self._store.select(PROPAGATION, where) if row["page"] not in self.changed]
        self.rows |= {row["page"]: row for row in stored}
        later = [row for row in self.changed.values() if row["story"] == story]
        return drop_split(self._store, story, {row["page"]: row for row in (*stored, *later)})

    def _put(self, rows: Iterable[MutableRow]) -> None:
        rows = list(rows)
        before = [known for row in rows if (known := self.rows.get(row["page"])) is not None]
        self.changed_verdicts += pages_with_changed_verdict(before, rows)
        changed: dict[str, Any] = {row["page"]: row for row in rows}
        self.changed |= changed
        self.rows |= changed

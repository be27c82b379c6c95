"""People's decisions on titles, which override every later comparison."""

from collections.abc import Mapping, Sequence
from typing import Literal

from pipelines.propagation import order_story, pages_with_changed_verdict
from pipelines.stores.base import Condition, MutableRow, Row, Store
from pipelines.stores.people_tables import TITLE_DECISIONS
from pipelines.stores.tables import PROPAGATION
from pipelines.waiting import waiting_rows

Verdict = Literal["same", "different"]


def apply_decision(row: Row, decided: Row | None) -> MutableRow:
    """The row of a page whose title was compared, with the decision of a person applied, if there is one."""
    if decided is None:
        return dict(row)
    return _joined(row, decided["story"]) if decided["verdict"] == "same" else _alone(row)


def drop_split(store: Store, story: str, rows: Mapping[str, MutableRow]) -> dict[str, MutableRow]:
    """The members of a story without those that people have split off."""
    where = [Condition("story", "=", story), Condition("verdict", "=", "different")]
    split = {row["page"] for row in store.select(TITLE_DECISIONS, where, columns=["page"])}
    return {page: row for page, row in rows.items() if page not in split}


def decide(store: Store, page: str, story: str, verdict: Verdict, by: str, at: str) -> list[MutableRow]:
    """Store a person's decision on a page and a story, and update the rows of both; returns the previous rows."""
    before = [*_members(store, story), *_members(store, page)]
    row = store.get(PROPAGATION, page)
    if row is not None and page not in {each["page"] for each in before}:
        before.append(row)
    store.upsert(TITLE_DECISIONS, [{"page": page, "story": story, "verdict": verdict, "by": by, "at": at}]).result()
    apply(store, page, story, verdict)
    return list({each["page"]: each for each in before}.values())


def apply(store: Store, page: str, story: str, verdict: Verdict) -> None:
    """Apply a decision to the rows of page and story; the other members of the page's story join too."""
    members = {row["page"]: row for row in _members(store, story)}
    row = store.get(PROPAGATION, page)
    if row is None:
        return
    if verdict == "same":
        members |= {each["page"]: _joined(each, story) for each in (*_members(store, page), row)}
        rows = order_story(members.values())
    else:
        members.pop(page, None)
        rows = [_alone(row), *(order_story(members.values()) if members else ())]
    _put(store, rows)


def apply_all(store: Store) -> None:
    """Apply all decisions, after all titles were compared again."""
    for row in list(store.select(TITLE_DECISIONS)):
        apply(store, row["page"], row["story"], row["verdict"])


def forget(store: Store, page: str, before: list[MutableRow]) -> None:
    """Undo a decision, and restore the previous rows."""
    store.remove(TITLE_DECISIONS, [Condition("page", "=", page)]).result()
    _put(store, before)


def _put(store: Store, rows: Sequence[Row]) -> None:
    """Store rows, and queue pages with a changed verdict for the analysis, which recounts them."""
    keys = [row["page"] for row in rows]
    known = [row for key in keys if (row := store.get(PROPAGATION, key)) is not None]
    changed = waiting_rows(pages_with_changed_verdict(known, rows))
    store.write([*((PROPAGATION, row) for row in rows), *changed]).result()


def _members(store: Store, story: str) -> list[MutableRow]:
    return list(store.select(PROPAGATION, [Condition("story", "=", story)]))


def _joined(row: Row, story: str) -> MutableRow:
    return dict(row) | {"story": story, "verdict": "repost"}


def _alone(row: Row) -> MutableRow:
    own = row["page"]
    return dict(row) | {
        "story": own,
        "original": own,
        "verdict": "new",
        "matched": "",
        "reposts": 0,
        "delay_hours": None,
    }

"""The parts of the event step, each alone: its state, decisions of people, changes of members, the share of time."""

from analysis.events import Settings
from analysis.events.store import decide
from analysis.events.store.applying import DecisionApplier
from analysis.events.store.change import MemberChange
from analysis.events.store.decisions import undo
from analysis.events.store.doubts import START
from analysis.events.store.surviving import EventState
from analysis.events.store.time_share import TimeShare
from pipelines.lease import Lease
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Store


def leased(store: Store) -> Lease:
    lease = Lease(store, "events", 60.0)
    assert lease.gain()
    return lease


def test_the_state_is_what_was_saved_and_other_thresholds_doubt_every_decision(store: Store) -> None:
    lease, settings = leased(store), Settings()
    state = EventState.load(lease, settings)
    assert (state.late, state.decided, state.changing, state.has_reaches) == ([], [], [], False)
    state.late, state.decided, state.moved = [("2026-05-10", "a")], ["first"], [("安全", "2026-05", 0.9)]
    state.save(["quake"])
    assert EventState.load(lease, settings) == EventState(
        lease,
        state.limits,
        60,
        [("2026-05-10", "a")],
        [("安全", "2026-05", 0.9)],
        ["first"],
        [],
        ["quake"],
        has_reaches=True,
    )
    assert EventState.load(lease, Settings(window_days=3)).late == [START]


def test_a_decision_changes_the_members_that_it_affects_until_it_is_undone(store: Store) -> None:
    rows = [{"page": page, "at": "2026-05-10", "placed_event": page, "placed_story": page, "event": page, "story": page}
            for page in ("a", "b", "c")]  # fmt: skip
    store.write([(MEMBERS, row) for row in rows]).result()
    applier = DecisionApplier(store, EventState.load(leased(store), Settings()))
    assert not applier.are_stale()
    key = decide(store, "merge", "a", "b")
    assert applier.are_stale()
    affected, changed = applier.apply()
    assert {row["page"] for row in affected} == {"a", "b"}
    assert [(row["page"], applier.final(row)) for row in changed] == [("a", {"event": "b", "story": "b"})]
    assert not applier.are_stale()
    undo(store, key)
    store.change(MEMBERS, [], {"event": "b"}).result()
    assert {row["page"] for row in applier.apply()[1]} == {"a"}


def test_decisions_are_doubted_from_each_member_on() -> None:
    change = MemberChange([])
    for row in (None, {"at": "2", "page": "b"}, {"at": "1", "page": "c"}, {"at": "3", "page": "a"}):
        change.doubt(row)
    assert change.late == [("2", "b"), ("1", "c"), ("3", "a")]


def test_work_waits_until_it_has_taken_its_share() -> None:
    now = [0.0]
    share = TimeShare(0.1, lambda: now[0])
    assert share.is_free()
    with share.spent():
        now[0] = 2.0
    now[0] = 21.9
    assert not share.is_free()
    now[0] = 22.0
    assert share.is_free()

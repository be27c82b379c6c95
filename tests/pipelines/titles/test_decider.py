"""Decisions are rows of the store: what comes again, late, or without a verdict, and what people have decided."""

from pathlib import Path

import pytest
from scrapy.settings import Settings

from extractors.topic.words import Segmenter
from pipelines.lease import Lease
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE
from pipelines.stores.base import Condition, MutableRow, Store
from pipelines.stores.people_tables import TITLE_DECISIONS
from pipelines.stores.tables import PAGES, PROPAGATION
from pipelines.titles.comparer import TitleComparer
from pipelines.titles.decider import TitleDecider
from pipelines.titles.opening import JOB, load, new_decider
from pipelines.titles.rebuilding import compare_all
from pipelines.titles.title_requests import undecided_row
from tests.extractors.titles.test_bodies import BRIDGE
from tests.pipelines.titles.rows import headline, page_key, request

SEGMENTER = Segmenter()
A, B, C, D = (letter * 20 for letter in "abcd")


pytestmark = pytest.mark.every_store


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings({"DATA_DIR": str(tmp_path)})


@pytest.fixture
def decider(store: Store, settings: Settings) -> TitleDecider:
    return new_decider(settings, store, TitleComparer(segmenter=SEGMENTER), 0, lambda: None)


def row(store: Store, page: str) -> MutableRow:
    found = store.get(PROPAGATION, page)
    assert found is not None
    return found


def queued(store: Store) -> set[str]:
    return {each["page"] for each in store.select(ANALYSIS_QUEUE)}


def test_a_decision_is_stored_before_it_is_told_and_stays_when_the_page_comes_again(
    store: Store, decider: TitleDecider
) -> None:
    asked = [request(headline(1), A), request(headline(1), B), request(headline(2), C)]
    assert decider.decide(asked) == {A: "original", B: "repost", C: "new"}
    stored = list(store.select(PROPAGATION))
    assert [each["place"] for each in sorted(stored, key=lambda each: each["page"])] == [1, 2, 3]
    assert decider.decide([request(headline(1), A), request(headline(1), B)]) == {A: "original", B: "repost"}
    assert list(store.select(PROPAGATION)) == stored
    assert decider.place == 3


def test_an_earlier_page_that_comes_late_turns_the_one_before_into_a_repost(
    store: Store, decider: TitleDecider
) -> None:
    decider.decide([request(headline(1), A, published="2026-11-02")])
    decider.decide([request(headline(1), B, published="2026-11-01")])
    assert [(row(store, page)["verdict"], row(store, page)["original"]) for page in (A, B)] == [
        ("repost", B),
        ("original", B),
    ]
    assert row(store, A)["delay_hours"] == 24.0
    assert queued(store) == {A}


def test_rows_that_were_pruned_do_not_come_back(store: Store, decider: TitleDecider) -> None:
    decider.decide([request(headline(1), page) for page in (A, B)])
    store.remove(PROPAGATION, [Condition("page", "=", A)]).result()
    decider.decide([request(headline(1), C)])
    assert {each["page"] for each in store.select(PROPAGATION)} == {B, C}
    assert row(store, C)["story"] == A


def test_a_page_with_another_title_is_decided_again_and_does_not_repeat_itself(
    store: Store, decider: TitleDecider
) -> None:
    decider.decide([request("本市地铁三号线今天上午正式开通运营", A), request(headline(2), B)])
    assert decider.decide([request("本市地铁三号线今天上午正式开通运营了", A)]) == {A: "new"}
    assert decider.decide([request(headline(2), A)]) == {A: "repost"}
    assert (row(store, A)["story"], row(store, A)["title"], row(store, A)["place"]) == (B, headline(2), 4)


def test_the_story_that_a_text_has_chosen_goes_on(store: Store, decider: TitleDecider) -> None:
    decider.decide([request("湖人客场战胜掘金", A, text=BRIDGE)])
    decider.decide([request("掘金客场战胜湖人", B, text=BRIDGE)])
    decider.decide([request("掘金客场战胜湖人", C, text=BRIDGE)])
    assert [row(store, page)["story"] for page in (A, B, C)] == [A, A, A]


def test_pages_without_a_verdict_are_decided_in_their_order_and_the_analysis_hears_of_it(
    store: Store, decider: TitleDecider
) -> None:
    decider.decide([request(headline(1), A)])
    waiting = [request(title, page_key()) for title in (headline(2), headline(1), headline(2))]
    store.upsert(PROPAGATION, [undecided_row(store, each) for each in reversed(waiting)]).result()
    assert (decider.decide_stored(), decider.decide_stored()) == (3, 0)
    found = [row(store, each.page) for each in waiting]
    assert [(each["verdict"], each["place"]) for each in found] == [("original", 2), ("repost", 3), ("repost", 4)]
    assert found[2]["story"] == waiting[0].page
    assert queued(store) == {waiting[1].page, waiting[2].page}


def test_a_verdict_that_a_node_overwrites_as_undecided_comes_back(store: Store, decider: TitleDecider) -> None:
    requests = [request(title, page) for title, page in ((headline(1), A), (headline(1), B), (headline(2), C))]
    rows = [undecided_row(store, each) for each in requests]
    verdicts = decider.decide(requests)
    assert undecided_row(store, requests[0]) == dict(requests[0].facts), "a decision that is stored stays"
    before = list(store.select(PROPAGATION))
    store.upsert(PROPAGATION, rows).result()
    decider.decide_stored()
    assert list(store.select(PROPAGATION)) == before
    assert verdicts == {A: "original", B: "repost", C: "new"}


def test_what_people_have_decided_holds(store: Store, decider: TitleDecider) -> None:
    said = {"by": "me", "at": "2026-11-01T00:00:00+00:00"}
    decider.decide([request(headline(1), A), request(headline(2), B)])
    store.upsert(TITLE_DECISIONS, [{"page": C, "story": B, "verdict": "same", **said}]).result()
    store.upsert(TITLE_DECISIONS, [{"page": D, "story": A, "verdict": "different", **said}]).result()
    decider.decide([request(headline(1), C), request(headline(1), D)])
    assert (row(store, C)["story"], row(store, D)["verdict"]) == (B, "new")


def test_an_index_that_is_built_from_the_store_decides_alike(
    store: Store, settings: Settings, decider: TitleDecider
) -> None:
    for start in range(0, 60, 7):
        decider.decide([request(headline(number % 23) + "！" * (number % 2)) for number in range(start, start + 7)])
    comparer, place = load(settings, store, "")
    assert (comparer.state(), place) == (decider.comparer.state(), decider.place)


def test_a_rebuild_that_is_stopped_leaves_the_rest_to_others(
    store: Store, settings: Settings, decider: TitleDecider
) -> None:
    pages = [request(headline(number % 5), page_key()) for number in range(9)]
    decider.decide(pages)
    before = {each["page"]: each["verdict"] for each in store.select(PROPAGATION)}
    rows = [{"key": each.page, "first_seen": each.facts["fetched_at"], "body": "", **each.facts} for each in pages]
    store.upsert(PAGES, [{name: each[name] for name in each if name in PAGES.by_name} for each in rows]).result()
    lease = Lease(store, JOB)
    assert lease.gain()

    def stopped(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare_all(settings, store, store, lease, stopped)
    assert compare_all(settings, store, store, lease, lambda _: None) == 9
    assert {each["page"]: each["verdict"] for each in store.select(PROPAGATION)} == before
    assert (tmp := Path(settings["DATA_DIR"]) / "titles.snapshot").exists(), tmp

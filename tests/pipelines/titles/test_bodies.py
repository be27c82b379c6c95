"""Verdicts by title and body over a store: what each of them says, and the story that follows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, PROPAGATION
from pipelines.titles.bodies import BodyJudge
from pipelines.titles.pipeline import decision_columns
from pipelines.titles.stories import Decision
from tests.extractors.titles.test_bodies import BRIDGE, MUSEUM

FIRST, SECOND, THIRD = "a" * 20, "b" * 20, "c" * 20


@pytest.fixture(params=["sqlite", "mongodb"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    address = f"sqlite:///{tmp_path}/a.db" if request.param == "sqlite" else request.getfixturevalue("mongo_uri")
    opened = open_store(address)
    opened.upsert(PAGES, [{"key": FIRST, "url": "http://a.example/1", "title": "大桥通车", "body": BRIDGE}]).result()
    yield opened
    opened.close()


def test_the_same_text_under_another_headline_is_a_repost(store: Store) -> None:
    judge = BodyJudge(store)
    found = judge.judge(SECOND, "八千辆车首日过河", BRIDGE, Decision("new", SECOND, FIRST, 0.6, "wording"))
    row = decision_columns(found)
    assert (row["verdict"], row["story"], row["by_title"], row["by_body"]) == ("repost", FIRST, "new", "same")
    third = judge.judge(THIRD, "八千辆车首日过河了", BRIDGE, Decision("repost", SECOND, SECOND, 0.9))
    assert third.decision.story == FIRST, "the story that the body has chosen goes on"
    store.upsert(PROPAGATION, [{"page": THIRD, "fetched_at": "", **decision_columns(third)}]).result()
    stored = store.get(PROPAGATION, THIRD)
    assert stored is not None
    assert (stored["by_title"], stored["by_body"], stored["body_likeness"]) == ("repost", "same", 1.0)


def test_texts_without_anything_in_common_leave_a_likely_title_open(store: Store) -> None:
    found = BodyJudge(store).judge(SECOND, "大桥展览通车", MUSEUM, Decision("repost", FIRST, FIRST, 0.85)).decision
    assert (found.verdict, found.rule, found.story, found.matched) == ("suspected", "body", SECOND, FIRST)


def test_without_bodies_and_without_the_other_page_the_title_decides(store: Store) -> None:
    near = Decision("new", SECOND, FIRST, 0.6, "wording")
    assert BodyJudge(store, compares=False).judge(SECOND, "八千辆车", BRIDGE, near).decision == Decision("new", SECOND)
    gone = Decision("repost", THIRD, THIRD, 0.9)
    assert BodyJudge(store).judge(SECOND, "八千辆车", BRIDGE, gone).decision == gone

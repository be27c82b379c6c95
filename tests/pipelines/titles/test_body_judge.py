"""Verdicts by title and body over a store: what each of them says."""

import pytest

from pipelines.stores.base import Store
from pipelines.stores.tables import PAGES
from pipelines.titles.body_judge import BodyJudge
from pipelines.titles.comparer import TitleDecision
from tests.extractors.titles.test_bodies import BRIDGE, MUSEUM
from tests.pipelines.titles.rows import request

FIRST, SECOND = "a" * 20, "b" * 20


pytestmark = pytest.mark.every_store


@pytest.fixture
def store(store: Store) -> Store:
    store.upsert(PAGES, [{"key": FIRST, "url": "http://a.example/1", "title": "大桥通车", "body": BRIDGE}]).result()
    return store


def test_the_same_text_under_another_headline_is_a_repost(store: Store) -> None:
    near = TitleDecision("new", FIRST, 0.6, "wording")
    found = BodyJudge(store).judge(request("八千辆车首日过河", SECOND, text=BRIDGE), near)
    assert (found.verdict, found.rule, found.body.verdict, found.body.likeness) == ("repost", "", "same", 1.0)


def test_texts_without_anything_in_common_leave_a_likely_title_open(store: Store) -> None:
    near = TitleDecision("repost", FIRST, 0.85)
    found = BodyJudge(store).judge(request("大桥展览通车", SECOND, text=MUSEUM), near)
    assert (found.verdict, found.rule) == ("suspected", "body")


def test_without_bodies_and_without_the_other_page_the_title_decides(store: Store) -> None:
    asked, near = request("八千辆车", SECOND, text=BRIDGE), TitleDecision("new", FIRST, 0.6, "wording")
    assert BodyJudge(store, compares=False).judge(asked, near).verdict == "new"
    assert BodyJudge(store).judge(asked, TitleDecision("repost", "c" * 20, 0.9)).verdict == "repost"

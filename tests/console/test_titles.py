"""Stories and pairs that people decide on; what they say holds when titles are compared again."""

import pytest
from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from console.queries.article import story as story_of_page
from console.queries.titles import stories
from pipelines.stores.base import Condition
from pipelines.stores.people_tables import DECISIONS, TITLE_DECISIONS
from pipelines.stores.tables import PROPAGATION
from pipelines.titles.decided import apply_all, apply_decision, drop_split
from tests.console.conftest import LogIn, MakeAppContext, browser, send
from tests.console.filling import page, told


@pytest.fixture
def three(make: MakeAppContext) -> AppContext:
    """A page with a copy, and a third that is suspected to be one."""
    app_context = make()
    first, second, third = (page(number) for number in (1, 2, 3))
    rows = [
        told(first, "original", reposts=1),
        told(second, "repost", story=first["key"], original=first["key"], matched=first["key"], cosine=0.9),
        told(third, "suspected", matched=first["key"], cosine=0.8, rule="numbers"),
    ]
    app_context.store.upsert(PROPAGATION, rows).result()
    return app_context


FIRST, SECOND, THIRD = (page(number)["key"] for number in (1, 2, 3))


def verdicts(app_context: AppContext) -> dict[str, tuple[str, str, int]]:
    rows = app_context.store.select(PROPAGATION)
    names = {FIRST: "first", SECOND: "second", THIRD: "third"}
    return {names[row["page"]]: (row["verdict"], names[row["story"]], row["reposts"]) for row in rows}


def test_pairs_and_stories_are_listed(three: AppContext) -> None:
    client = browser(three)
    (pair,) = client.get("/api/titles").json()["rows"]
    assert (pair["page"], pair["other"]["page"], pair["rule"]) == (THIRD, FIRST, "numbers")
    (story,) = client.get("/api/titles?show=stories").json()["rows"]
    assert [copy["page"] for copy in story["copies"]] == [SECOND]
    for path in ("/titles", "/titles?show=stories&lang=en"):
        assert client.get(path).status_code == 200


def test_a_confirmed_pair_is_a_story_and_stays_one(three: AppContext) -> None:
    before = verdicts(three)
    client = browser(three)
    assert send(client, "/titles/same", page=THIRD).status_code == 303
    assert verdicts(three)["third"] == ("original", "first", 2), "it was published first"
    assert client.get("/api/titles").json()["rows"] == []
    compared_again = told(page(3), "suspected", matched=FIRST)
    assert apply_decision(compared_again, three.store.get(TITLE_DECISIONS, compared_again["page"]))["story"] == FIRST
    three.store.upsert(PROPAGATION, [compared_again]).result()
    apply_all(three.store)
    assert verdicts(three)["third"] == ("original", "first", 2)
    assert send(client, "/titles/same", page=THIRD).status_code == 409
    (row,) = three.store.select(DECISIONS)
    send(client, f"/decisions/{row['key']}/undo")
    assert verdicts(three) == before
    assert list(three.store.select(TITLE_DECISIONS)) == []


def test_a_parted_page_is_new_and_stays_new(three: AppContext) -> None:
    before = verdicts(three)
    client = browser(three)
    assert send(client, "/titles/different", page=SECOND).status_code == 303
    assert verdicts(three)["second"] == ("new", "second", 0)
    assert verdicts(three)["first"][2] == 0
    members = {row["page"]: row for row in three.store.select(PROPAGATION)}
    assert set(drop_split(three.store, FIRST, members)) == {FIRST, THIRD}
    three.store.upsert(PROPAGATION, [told(page(2), "repost", story=FIRST, matched=FIRST)]).result()
    apply_all(three.store)
    assert verdicts(three)["second"] == ("new", "second", 0)
    (row,) = three.store.select(DECISIONS)
    send(client, f"/decisions/{row['key']}/undo")
    assert verdicts(three) == before


def test_a_suspected_page_that_is_none_is_not_asked_about_again(three: AppContext) -> None:
    client = browser(three)
    send(client, "/titles/different", page=THIRD)
    three.store.upsert(PROPAGATION, [told(page(3), "suspected", matched=FIRST)]).result()
    assert client.get("/api/titles").json()["rows"] == []
    assert three.store.count(TITLE_DECISIONS, [Condition("page", "=", THIRD)]) == 1


def test_the_first_page_of_a_story_cannot_be_parted_from_itself(three: AppContext) -> None:
    assert send(browser(three), "/titles/different", page=FIRST).status_code == 409
    assert send(browser(three), "/titles/same", page="none").status_code == 404


def test_viewers_decide_no_titles(log_in: LogIn, local: TestClient) -> None:
    viewer = log_in("viewer")
    assert "/titles/same" not in viewer.get("/titles").text
    assert send(viewer, "/titles/same", page=THIRD).status_code == 403


def test_a_stored_delay_that_cannot_be_one_is_not_shown(three: AppContext) -> None:
    for hours, shown in ((101_592.0, None), (-3.0, None), (2.0, 2.0)):
        three.store.change(PROPAGATION, [Condition("page", "=", SECOND)], {"delay_hours": hours}).result()
        (story,) = stories(three.store).rows
        assert [copy["delay_hours"] for copy in story["copies"]] == [shown]
        assert (story_of_page(three.store, SECOND) or {})["own"]["delay_hours"] == shown

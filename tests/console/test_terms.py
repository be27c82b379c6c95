"""Terms of a topic, and its example pages."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from console.queries.topic_overview import topic_files
from crawler.terms.term_store import LiveRelevance, TermStore
from extractors.links.urls import url_key
from extractors.topic.library import TermState
from pipelines.stores.people_tables import DECISIONS
from pipelines.stores.tables import EXAMPLES, TERMS
from tests.console.conftest import MakeAppContext, all_parts, browser, send
from tests.console.filling import ATTACK, SCRIPT, fill
from tests.console.steering import fill_steering, settings_folder


@pytest.fixture
def app_context(make: MakeAppContext, tmp_path: Path) -> AppContext:
    made = make(TOPICRAWL_SETTINGS_DIR=settings_folder(tmp_path))
    fill(made.store)
    fill_steering(made.store)
    return made


def book(app_context: AppContext) -> TermStore:
    return TermStore(app_context.store, topic_files(app_context.settings)[0]["housing"])


def decide(client: TestClient, action: str, words: str, **more: str) -> str:
    fields = {"topic": "housing", "was": "candidate", "words": words, **more}
    answer = send(client, f"/terms/{action}", "/terms", **fields)
    return str(answer.headers.get("location", answer.status_code))


def test_candidates_come_in_parts_the_best_first(local: TestClient) -> None:
    seen, part = all_parts(local, "/api/terms", topic="housing")
    assert [row["word"] for row in seen] == ["<script>", *(f"词{number:03}" for number in range(119))]
    assert part["topic"]["counts"] == {"candidate": 120, "accepted": 3, "rejected": 1}


def test_the_topic_whose_candidates_wait_is_shown_first(local: TestClient) -> None:
    assert local.get("/api/terms").json()["topic"]["name"] == "housing"
    assert "120" in local.get("/articles").text.partition("/terms")[2][:200] or "99+" in local.get("/articles").text


def test_a_running_crawl_uses_an_accepted_term(app_context: AppContext, local: TestClient) -> None:
    running = LiveRelevance(book(app_context), seconds=0.0)
    assert "词003" not in {term.word for term in running.current().topic.terms}
    assert "done=" in decide(local, "accept", "词003", **{"class": "subject"})
    found = {term.word: term for term in running.current().topic.terms}
    assert found["词003"].term_class == "subject"
    entry = book(app_context).library().get("词003")
    assert entry is not None
    assert entry.history[-1].by == "local"


def test_undo_gives_a_term_its_state_and_class_back(app_context: AppContext, local: TestClient) -> None:
    where = decide(local, "accept", "词003\n词004", **{"class": "subject"})
    page = local.get(where).text
    assert "词003、词004" in page
    key = where.partition("done=")[2]
    assert f"/decisions/{key}/undo" in page
    version = book(app_context).version()
    assert send(local, f"/decisions/{key}/undo", "/terms").status_code == 303
    entry = book(app_context).library().get("词003")
    assert entry is not None
    assert (entry.state, entry.term.term_class) == (TermState.CANDIDATE, "professional")
    assert book(app_context).version() > version
    assert send(local, f"/decisions/{key}/undo", "/terms").status_code == 409


def test_who_was_slower_changes_nothing(app_context: AppContext, local: TestClient) -> None:
    decide(local, "reject", "词003")
    assert decide(local, "accept", "词003\n词004") == "409"
    assert {row["state"] for row in app_context.store.select(TERMS) if row["word"] == "词004"} == {"candidate"}
    assert decide(local, "accept", "词003", was="rejected").startswith("/terms?")


def test_an_undo_does_not_take_a_later_decision_away(app_context: AppContext, local: TestClient) -> None:
    key = decide(local, "accept", "词003").partition("done=")[2]
    decide(local, "reject", "词003", was="accepted")
    assert send(local, f"/decisions/{key}/undo", "/terms").status_code == 409
    entry = book(app_context).library().get("词003")
    assert entry is not None
    assert entry.state is TermState.REJECTED


def test_an_added_term_is_in_use_and_undo_removes_it(app_context: AppContext, local: TestClient) -> None:
    answer = send(local, "/terms/add", "/terms", topic="housing", word=" 公积金 ", synonyms="公积金贷款、住房公积金")
    assert answer.status_code == 303
    assert {"公积金"} <= {term.word for term in book(app_context).library().topic().terms}
    entry = book(app_context).library().get("公积金")
    assert entry is not None
    assert entry.term.synonyms == ("公积金贷款", "住房公积金")
    key = answer.headers["location"].partition("done=")[2]
    assert send(local, f"/decisions/{key}/undo", "/terms").status_code == 303
    assert book(app_context).library().get("公积金") is None
    assert send(local, "/terms/add", "/terms", topic="housing", word="首付").status_code == 409


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"topic": ATTACK}, 404),
        ({"words": "没有"}, 409),
        ({"was": "x"}, 400),
        ({"class": "x"}, 400),
        ({"words": ""}, 400),
    ],
)
def test_what_cannot_be_decided_is_said(local: TestClient, fields: dict[str, str], status: int) -> None:
    data = {"topic": "housing", "words": "词001", "was": "candidate", **fields}
    answer = send(local, "/terms/accept", "/terms", **data)
    assert answer.status_code == status
    assert SCRIPT not in answer.text


def test_a_file_that_cannot_be_read_is_named(local: TestClient) -> None:
    assert "broken.yaml" in local.get("/terms").text


def test_without_topics_the_page_says_how_to_make_one(make: MakeAppContext, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    client = browser(make(TOPICRAWL_SETTINGS_DIR=str(tmp_path / "none")))
    assert 'href="/terms/topic"' in client.get("/terms").text
    assert client.get("/terms/pages").status_code == 200


def test_pages_in_doubt_are_marked_and_unmarked(app_context: AppContext, local: TestClient) -> None:
    found = local.get("/api/terms/pages?topic=housing").json()
    assert len({row["url"].split("/")[2] for row in found["doubtful"]}) >= 2
    assert [abs(row["relevance"] - 0.5) for row in found["doubtful"]] == sorted(
        abs(row["relevance"] - 0.5) for row in found["doubtful"]
    )
    url = found["doubtful"][0]["url"]
    answer = send(local, "/terms/pages/mark", "/terms/pages", topic="housing", url=url, answer="no")
    assert answer.status_code == 303
    row = app_context.store.get(EXAMPLES, "housing", url_key(url))
    assert row is not None
    assert (row["wanted"], row["by"]) == (0, "local")
    again = local.get("/api/terms/pages?topic=housing").json()
    assert url not in [row["url"] for row in again["doubtful"]]
    assert again["counts"] == {"yes": 0, "no": 1}
    key = answer.headers["location"].partition("done=")[2]
    assert send(local, f"/decisions/{key}/undo", "/terms/pages").status_code == 303
    assert app_context.store.get(EXAMPLES, "housing", url_key(url)) is None
    assert [row["undone_by"] for row in app_context.store.select(DECISIONS)] == ["local"]


def test_an_address_that_is_none_is_not_marked(local: TestClient) -> None:
    for url in ("javascript:alert(1)", ATTACK):
        assert (
            send(local, "/terms/pages/mark", "/terms/pages", topic="housing", url=url, answer="yes").status_code == 400
        )


def test_hostile_terms_are_text(local: TestClient) -> None:
    paths = ("/terms", "/terms?state=rejected", "/terms?state=accepted&lang=en", "/terms/pages")
    for path in (*paths, f"/terms?topic={ATTACK}", f"/terms/pages?topic={ATTACK}"):
        html = local.get(path).text
        assert "<img" not in html, path
        assert "<script>" not in html, path
        assert 'href="javascript:' not in html, path


def test_viewers_see_and_do_not_decide(app_context: AppContext) -> None:
    from console.access.people import Role
    from tests.console.conftest import PASSWORD

    app_context.people.add("eva", Role.VIEWER, PASSWORD)
    client = browser(app_context)
    send(client, "/login", "/login", user="eva", password=PASSWORD)
    html = client.get("/terms").text
    assert "词001" in html
    assert "/terms/accept" not in html
    assert decide(client, "accept", "词001") == "403"


def test_terms_of_both_stores_are_the_same(make: MakeAppContext, mongo_uri: str, tmp_path: Path) -> None:
    folder, answers = settings_folder(tmp_path), []
    for given in ({}, {"STORE": mongo_uri}):
        app_context = make(TOPICRAWL_SETTINGS_DIR=folder, **given)
        fill(app_context.store)
        fill_steering(app_context.store)
        client = browser(app_context)
        part = client.get("/api/terms?topic=housing").json()
        answers.append([part, client.get("/api/terms", params={"topic": "housing", "after": part["after"]}).json()])
        assert "done=" in decide(client, "accept", "词003")
    assert answers[0] == answers[1]

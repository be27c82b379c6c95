"""Rules of a site in the browser: what is read of a stored page, a rule by example, saved for crawls."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from crawler.config.sites import read_sites
from extractors.page import Page
from pipelines.content import ContentPipeline
from pipelines.items import PageItem
from tests.console.conftest import LogIn, MakeAppContext, send
from tests.crawler.commands.test_site_rule_commands import PAGE

URL, HERE = "https://paper.example/1.html", "/sites/rules"
WORDS = {"url": URL, "like": "The council met\nIt ends here", "author": "Jane Miller"}


@pytest.fixture
def app_context(make: MakeAppContext, tmp_path: Path) -> AppContext:
    (tmp_path / "set" / "sites").mkdir(parents=True)
    made = make(TOPICRAWL_SETTINGS_DIR=str(tmp_path / "set"))
    item = PageItem(URL, URL, 200, Page(PAGE.encode(), URL), ())
    made.store.write(ContentPipeline().process_item(item).rows).result()
    return made


def test_words_of_a_stored_page_give_a_rule_that_is_saved_once(local: TestClient, app_context: AppContext) -> None:
    fields = {row["name"]: row for row in local.get(f"/api{HERE}?url={URL}").json()["tried"]["fields"]}
    assert (fields["title"]["value"], fields["title"]["origin"]) == ("Bridge talk", "usual")
    shown = send(local, f"{HERE}/try", HERE, **WORDS).text
    assert "body: .story" in shown
    assert "author: .by" in shown
    assert send(local, f"{HERE}/save", HERE, **WORDS).status_code == 303
    rules = read_sites(app_context.settings).rules("paper.example")
    assert str(rules) == "body, author"
    fields = {row["name"]: row for row in local.get(f"/api{HERE}?url={URL}").json()["tried"]["fields"]}
    assert (fields["author"]["value"], fields["author"]["origin"]) == ("Jane Miller", "rule")
    again = send(local, f"{HERE}/save?lang=en", HERE, **WORDS)
    assert again.status_code == 409
    assert "has rules of articles already" in again.text


def test_what_is_missing_is_said(local: TestClient) -> None:
    assert local.get(f"/api{HERE}?url=https://other.example/").json()["tried"] is None
    assert "is not stored" in local.get(f"{HERE}?url=https://other.example/&lang=en").text
    shown = send(local, f"{HERE}/try?lang=en", HERE, **WORDS | {"like": "not on the page"}).text
    assert "No element has the words given for: Text" in shown


def test_analysts_try_and_administrators_save(log_in: LogIn) -> None:
    assert log_in("viewer").get(HERE).status_code == 403
    analyst = log_in("analyst")
    assert send(analyst, f"{HERE}/try", HERE, **WORDS).status_code == 200
    assert send(analyst, f"{HERE}/save", HERE, **WORDS).status_code == 403

"""A list that changes its shape is noticed at its next answer, and an empty one is no change."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy.http import HtmlResponse, Request
from scrapy.settings import Settings

from crawler.checks.site_health import lists
from crawler.sources.list_answers import ListAnswer, ListReader
from crawler.sources.list_health import ListHealth
from crawler.sources.source_catalog import SourceCatalog, read_sources
from extractors.links.urls import url_key
from pipelines.stores.base import Row, Store
from pipelines.stores.opening import open_store
from pipelines.stores.watch_tables import LIST_STATES
from pipelines.zstd import Zstd

URL, PAGE = "https://some.example/list", "https://some.example/page"
RECIPE = f"url: {URL}\nlist: data\nfields: {{url: u, title: t, time: at, author: by}}\n"
OF_PAGE = f"url: {PAGE}\nhtml: ul.news > li\nfields: {{time: b}}\n"
ITEM = {"u": "/{}", "t": "Story {}", "at": 1764200000, "by": "Ann"}


class Lists:
    """Answers of lists, read one after the other with what was stored of the one before."""

    def __init__(self, folder: Path) -> None:
        (folder / "sources").mkdir()
        (folder / "sources/mine.yaml").write_text(RECIPE)
        (folder / "sources/page.yaml").write_text(OF_PAGE)
        self.catalog: SourceCatalog = read_sources(Settings({"TOPICRAWL_SETTINGS_DIR": str(folder)}))
        self.address = f"sqlite:///{folder / 'a.db'}"
        self.store: Store = open_store(self.address)
        self.counted: list[str] = []
        self.reader = ListReader(self.catalog, ListHealth(lambda: self.store, self.counted.append).see)

    def see(self, body: str | list[dict[str, Any]], url: str = URL) -> ListAnswer:
        text = body if isinstance(body, str) else json.dumps({"data": body})
        response = HtmlResponse(url, body=text.encode(), request=Request(url))
        answer = self.reader._judge(response, self.reader.read_now(response))
        self.store.write(list(answer.rows)).result()
        return answer

    def row(self, url: str = URL) -> Row:
        row = self.store.get(LIST_STATES, url_key(url))
        assert row is not None
        return row


@pytest.fixture
def known(tmp_path: Path) -> Iterator[Lists]:
    """Two lists that were read once."""
    made = Lists(tmp_path)
    made.see(items())
    made.see(page(range(5)), PAGE)
    yield made
    made.store.close()


def items(**changed: Any) -> list[dict[str, Any]]:
    wanted = {name: value for name, value in (ITEM | changed).items() if value is not None}
    return [json.loads(json.dumps(wanted).replace("{}", str(number))) for number in range(5)]


def page(numbers: Any, around: str = "news") -> str:
    lines = "".join(f"<li><a href=/{n}>Story {n}</a><b>2026-11-2{n}</b></li>" for n in numbers)
    return f"<ul class={around}>{lines}</ul>"


CHANGES = {
    "another path": ('{"result": []}', "there is nothing at list: data"),
    "no JSON": ("<html>Sorry", "it is not JSON"),
    "titles gone": (items(t=None), "of 5 items none has"),
    "addresses gone": (items(u="javascript:void(0)"), "of 5 items none has"),
    "half of the fields gone": (items(at=None), "the items have no time any more"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_shape_is_an_alarm_with_both_answers(known: Lists, name: str) -> None:
    body, reason = CHANGES[name]
    known.see(body)
    row = known.row()
    assert (row["state"], known.counted) == ("layout_changed", ["layout_changed"])
    assert reason in row["reason"]
    assert row["changed_at"]
    assert json.loads(Zstd(3).decompress(row["good"], 1_000_000)) == {"data": items()}
    assert row["bad"]
    (finding,) = lists(Settings({"STORE": known.address}))
    assert (finding.state, finding.subject) == ("warning", "mine")
    known.see(items())
    row = known.row()
    assert (row["state"], row["reason"]) == ("read", "")
    assert row["mended_at"]


def test_an_empty_list_is_no_change(known: Lists) -> None:
    known.see([])
    known.see(page(()), PAGE)
    assert (known.row()["state"], known.row(PAGE)["state"]) == ("read", "read")
    assert known.row()["items"] == 5


def test_a_page_without_what_holds_the_items_has_changed(known: Lists) -> None:
    known.see(page(range(5), "fresh"), PAGE)
    assert known.row(PAGE)["state"] == "layout_changed"
    assert "html: ul.news > li finds nothing" in known.row(PAGE)["reason"]


def test_a_list_that_was_never_read_is_unreadable_and_no_alarm(known: Lists) -> None:
    other = "https://other.example/list.json"
    known.see('{"x": 1}', other)
    assert (known.row(other)["state"], known.counted) == ("unreadable", [])


def test_an_empty_list_without_a_recipe_is_known_by_where_it_was(known: Lists) -> None:
    other = "https://other.example/list.json"
    known.see(json.dumps({"data": [{"url": f"/{n}", "title": f"Story {n}"} for n in range(4)]}), other)
    answer = known.see('{"data": []}', other)
    assert answer.feed is not None
    assert known.row(other)["state"] == "read"
    assert known.see('{"error": 3}', other).feed is None
    assert known.row(other)["state"] == "layout_changed"

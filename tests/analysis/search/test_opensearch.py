"""Search in OpenSearch finds what the index in the store finds.

The server is a small one that evaluates the clauses that are sent, and a real one where there is one.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy.settings import Settings

from analysis import running
from analysis.own_steps import steps_of
from analysis.search import Searcher, hits, open_searcher, verified
from analysis.search.opensearch import OpenSearchSearcher
from analysis.search.opensearch_client import Client
from pipelines.stores.analysis_tables import SEARCH_DOCUMENTS
from pipelines.stores.base import Store, StoreError
from pipelines.stores.tables import RECORDS
from pipelines.waiting import waiting_rows
from testbed.servers.search_server import REAL_VARIABLE, SearchServer, search_server
from tests.analysis.search.test_search import NOW, PAGES_STORED, QUERIES, put


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/a.db"


@pytest.fixture(params=["small", "real"])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[SearchServer]:
    address = os.environ.get(REAL_VARIABLE, "") if request.param == "real" else ""
    if request.param == "real" and not address:
        pytest.skip(f"{REAL_VARIABLE} does not name an OpenSearch server")
    with search_server(address) as running_server:
        monkeypatch.setenv("OPENSEARCH_URL", f"http://ann:s%40cret@127.0.0.1:{running_server.server_port}/web")
        yield running_server


def analyse(store: Store) -> None:
    running.run(store, more=steps_of(Settings()))


def answers(store: Store, query: str) -> list[str]:
    ranked = verified(store, open_searcher(store).search(query, NOW), query)
    keys = [hit.page + hit.record for hit in hits(store, ranked, query)]
    assert not ranked.exact or len(keys) == len(ranked)
    return keys


def test_the_same_queries_have_the_same_hits(
    store: Store, server: SearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.search.opensearch._AT_ONCE", 2)
    put(store, *PAGES_STORED)
    analyse(store)
    found = {query: answers(store, query) for query in QUERIES}
    assert {query: "".join(sorted(keys)) for query, keys in found.items()} == QUERIES
    ranked = open_searcher(store).search("地铁", NOW)
    assert (ranked.per_day(), ranked.per_host()) == ({"2025-01-01": 1, "2026-11-03": 1}, {"b.example": 2})
    assert {authorization for *_, authorization in server.requests} == {"Basic YW5uOnNAY3JldA=="}

    monkeypatch.delenv("OPENSEARCH_URL")  # back to the index in the store
    analyse(store)
    assert isinstance(open_searcher(store), Searcher)
    assert {query: answers(store, query) for query in QUERIES} == found
    monkeypatch.setenv("OPENSEARCH_URL", f"http://127.0.0.1:{server.server_port}/other")
    analyse(store)
    assert {query: answers(store, query) for query in QUERIES} == found


def test_changed_pages_and_records_replace_what_was_found_before(store: Store, server: SearchServer) -> None:
    put(store, *PAGES_STORED)
    analyse(store)
    put(store, ("a", "省气象台发布预警", "明天有大雨", "news.example.com", "article", "2026-11-02"))
    post = {"page": "b", "key": "1", "kind": "post", "text": "大雨中的地铁", "time_at": "2026-11-05T00:00:00+00:00"}
    store.upsert(RECORDS, [post]).result()
    store.write(waiting_rows(["b"])).result()
    analyse(store)
    assert answers(store, "侨务") == []
    assert sorted(answers(store, "大雨")) == ["a", "b1"]
    assert sorted(answers(store, "地铁 -kind:post")) == ["b", "d"]
    assert server.count("web") == 5
    running.rebuild(store, more=steps_of(Settings()))
    assert sorted(answers(store, "大雨")) == ["a", "b1"]


def test_an_end_between_two_writes_loses_and_doubles_nothing(
    store: Store, server: SearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, *PAGES_STORED[:2])
    analyse(store)
    new = ("a", "新的侨务标题", "", "news.example.com", "article", "2026-11-02")
    killed_at = {"opensearch.OpenSearchIndex._save": (new,), "opensearch_client.Client.bulk": PAGES_STORED[2:]}
    for name, pages in killed_at.items():
        put(store, *pages)
        with monkeypatch.context() as patched:
            patched.setattr(f"analysis.search.{name}", _killed)
            with pytest.raises(OSError, match="killed"):
                analyse(store)
    analyse(store)
    assert server.count("web") == store.count(SEARCH_DOCUMENTS) == len(PAGES_STORED)
    assert answers(store, "侨务") == ["a"]


def _killed(*given: object) -> None:
    raise OSError("killed")


def test_what_is_wrong_is_said(store: Store, server: SearchServer) -> None:
    with pytest.raises(StoreError, match="never written"):
        OpenSearchSearcher(store, Client("http://127.0.0.1:1/x")).search("地铁", NOW)
    put(store, *PAGES_STORED)
    analyse(store)
    with pytest.raises(StoreError, match=r"http://127.0.0.1:1 cannot be asked"):
        OpenSearchSearcher(store, Client("http://ann:secret@127.0.0.1:1/x")).search("地铁", NOW)
    server.drop("web")
    with pytest.raises(StoreError, match="404"):
        open_searcher(store).search("地铁", NOW)
    with pytest.raises(StoreError, match="OPENSEARCH_URL must be"):
        Client("localhost:9200")

"""Where the index is: lost and damaged indexes, ends at any moment, several processes, servers that refuse."""

import math
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import running
from analysis.search import NoIndexError, Searcher, hits
from analysis.search.opensearch_client import Client
from analysis.search.query import parse
from analysis.search.search_documents import SearchDocument
from analysis.search.tantivy_index import TantivyIndex
from pipelines.lease import LeaseLostError
from pipelines.stores.analysis_tables import ANALYSIS_JOBS, ANALYSIS_QUEUE
from pipelines.stores.base import Store, StoreError
from pipelines.stores.opening import open_store
from testbed.local_server import AnsweringHandler, serving
from tests.analysis.search.test_search import NOW, PAGES_STORED, put

ROOT = Path(__file__).resolve().parents[3]
LOST = "is missing, damaged or of another version"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Analysed, its index by tantivy."""
    with closing(open_store(f"sqlite:///{tmp_path}/a.db")) as opened:
        put(opened, *PAGES_STORED)
        running.run(opened)
        yield opened


def pages(store: Store, query: str) -> list[str]:
    return sorted(hit.page for hit in hits(store, Searcher(store).search(query, NOW), query))


def _segment(folder: Path, ending: str) -> Path:
    return next(file for file in folder.iterdir() if file.suffix == ending)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "no folder": shutil.rmtree,
    "no identity": lambda folder: (folder / "topicrawl.json").unlink(),
    "another format": lambda folder: (folder / "topicrawl.json").write_text('{"identity": "x", "format": 0}'),
    "unreadable identity": lambda folder: (folder / "topicrawl.json").write_text("[]"),
    "unreadable catalog": lambda folder: (folder / "meta.json").write_text("{"),
    "no segment": lambda folder: _segment(folder, ".idx").unlink(),
    "half a segment": lambda folder: _segment(folder, ".term").write_bytes(_segment(folder, ".term").read_bytes()[:9]),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_lost_or_damaged_index_is_said_and_made_again(
    store: Store, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    DAMAGES[damage](Path(f"{store.location}.search"))
    with pytest.raises(StoreError, match=LOST):
        Searcher(store).search("地铁", NOW)
    assert running.run(store) == len(PAGES_STORED)
    assert [record.message for record in caplog.records if LOST in record.message]
    assert pages(store, "地铁") == ["b", "d"]
    caplog.clear()
    assert running.run(store) == 0
    assert not caplog.records


def test_an_index_of_another_database_does_not_answer(store: Store, tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path}/b.db")) as other:
        put(other, PAGES_STORED[0])
        with pytest.raises(NoIndexError, match="scrapy analysis run"):
            Searcher(other).search("地铁", NOW)
        running.run(other)
        shutil.rmtree(f"{other.location}.search")
        shutil.copytree(f"{store.location}.search", f"{other.location}.search")
        with pytest.raises(StoreError, match=LOST):
            Searcher(other).search("地铁", NOW)


KILLED = """
import os, signal, sys
import tantivy
from analysis import running
from analysis.search import tantivy_index
from pipelines.stores.opening import open_store

class Writer:
    def __init__(self, writer):
        self._writer = writer

    def __getattr__(self, name):
        return getattr(self._writer, name)

    def commit(self):
        if sys.argv[2] == "after":
            self._writer.commit()
        os.kill(os.getpid(), signal.SIGKILL)

opened = tantivy_index.TantivyIndex._open_writer
tantivy_index.TantivyIndex._open_writer = lambda index: Writer(opened(index))
running.run(open_store(sys.argv[1]))
"""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_kill_while_pages_are_indexed_loses_and_doubles_nothing(store: Store, moment: str) -> None:
    put(store, ("a", "新的地铁标题", "", "news.example.com", "article", "2026-11-02"))
    command = [sys.executable, "-c", KILLED, f"sqlite:///{store.location}", moment]
    assert subprocess.run(command, cwd=ROOT, check=False, timeout=60).returncode == -signal.SIGKILL
    assert store.count(ANALYSIS_QUEUE) == 1
    assert pages(store, "地铁") == (["a", "b", "d"] if moment == "after" else ["b", "d"])
    for job in ("analysis", *running.STEPS):  # as when the leases of the dead process have ended
        store.upsert(ANALYSIS_JOBS, [{"name": job, "until": 0.0}]).result()
    running.run(store)
    assert pages(store, "地铁") == ["a", "b", "d"]
    assert pages(store, "侨务") == []
    assert len(Searcher(store).search("since:2020-01-01", NOW)) == len(PAGES_STORED)


def test_searches_run_side_by_side_while_pages_come(store: Store) -> None:
    searcher, counts, faults = Searcher(store), list[int](), list[Exception]()

    def ask() -> None:
        try:
            counts.extend(len(searcher.search("地铁", NOW)) for _ in range(100))
        except Exception as error:
            faults.append(error)

    askers = [threading.Thread(target=ask) for _ in range(4)]
    for asker in askers:
        asker.start()
    for number in range(5):
        put(store, (f"n{number}", "地铁", "", "a.example", "article", "2026-11-05"))
        running.run(store)
    for asker in askers:
        asker.join()
    assert not faults
    assert set(counts) <= set(range(2, 8))
    assert len(searcher.search("地铁", NOW)) == 7


def test_one_process_writes(tmp_path: Path) -> None:
    index, other = TantivyIndex(tmp_path / "i"), TantivyIndex(tmp_path / "i")
    index.create()
    index.write(["p"], [])
    with pytest.raises(LeaseLostError, match="still writes"):
        other.write(["p"], [])
    index.close()
    other.write(["p"], [])
    other.close()
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be made"):
        TantivyIndex(tmp_path / "file").create()


WORDS = ("地铁", "公交", "metro", "开通")
CHANGES = st.lists(st.tuples(st.integers(0, 5), st.sets(st.sampled_from(WORDS))), max_size=12)


@settings(max_examples=25, deadline=None)
@given(CHANGES)
def test_after_any_changes_each_word_finds_the_pages_that_have_it(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, set[str]]]
) -> None:
    index, state = TantivyIndex(tmp_path_factory.mktemp("index") / "i"), dict[str, set[str]]()
    index.create()
    for number, words in changes:  # no words: the page is removed
        page = f"p{number}"
        state[page] = words
        document = SearchDocument(page, "", "", "", " ".join(sorted(words)), "", "a.example", "article", "")
        index.write([page], [document] if words else [])
    index.identity()
    for word in WORDS:
        matches = index.find(parse(word), NOW, "best")
        assert sorted(each.page for each in matches) == sorted(page for page in state if word in state[page])
    index.close()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 300)), min_size=1, max_size=20))
def test_scores_of_a_word_are_those_of_bm25_by_exact_lengths(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[int, int]]
) -> None:
    index = TantivyIndex(tmp_path_factory.mktemp("index") / "i")
    index.create()
    bodies = {f"p{at}": "metro " * often + "word " * others for at, (often, others) in enumerate(texts)}
    documents = [
        SearchDocument(page, "", "", "an author", body, "", "a.example", "", "") for page, body in bodies.items()
    ]
    index.write(bodies, [*documents, SearchDocument("other", "", "", "", "word", "", "", "", "")])
    index.identity()
    found = {each.page: each.score for each in index.find(parse("metro"), NOW, "best")}
    mean = (sum(map(sum, texts)) + 1) / (len(texts) + 1)
    rarity = math.log1p((1 + 0.5) / (len(texts) + 0.5))
    for at, (often, others) in enumerate(texts):
        share = often / (often + 1.2 * (0.4 + 0.6 * (often + others) / mean))
        assert found[f"p{at}"] == pytest.approx(2.2 * rarity * share, rel=0.01)
    index.close()


def test_a_database_on_servers_needs_opensearch_for_search(mongo_uri: str, caplog: pytest.LogCaptureFixture) -> None:
    with closing(open_store(mongo_uri)) as store:
        put(store, *PAGES_STORED)
        assert running.run(store) == len(PAGES_STORED)
        assert "set OPENSEARCH_URL" in caplog.text
        with pytest.raises(NoIndexError, match="set OPENSEARCH_URL"):
            Searcher(store).search("地铁", NOW)


def test_what_is_wrong_with_a_server_is_said_without_the_password(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENSEARCH_URL", "http://ann:secret@127.0.0.1:1/x")
    for use in (lambda: Searcher(store).search("地铁", NOW), lambda: running.run(store)):
        with pytest.raises(StoreError, match=r"http://127.0.0.1:1 cannot be asked") as raised:
            use()
        assert "secret" not in str(raised.value)
    with pytest.raises(StoreError, match="OPENSEARCH_URL must be"):
        Client("localhost:9200")


def test_user_and_password_of_the_address_are_sent() -> None:
    seen = list[str]()

    class Handler(AnsweringHandler):
        def do_GET(self) -> None:
            seen.append(self.headers["Authorization"])
            self.send_error(403)

    with serving(Handler) as server, pytest.raises(StoreError, match="answers 403 to GET web"):
        Client(f"http://ann:s%40cret@127.0.0.1:{server.server_port}/web").describe()
    assert seen == ["Basic YW5uOnNAY3JldA=="]

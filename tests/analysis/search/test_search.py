"""Search over a store as pages come, change and go, on both stores."""

import contextlib
import itertools
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import running
from analysis.jobs import work_once
from analysis.search import JOB, QueryError, Searcher, SearchIndex, hits, verified
from analysis.search.hits import passage_of
from analysis.search.query import parse
from analysis.search.segments import Postings, pack_chunk, postings_of, unpack_chunk
from analysis.search.terms import query_of, terms_of
from pipelines.lease import Lease
from pipelines.stores.analysis_tables import SEARCH_CHUNKS, SEARCH_SEGMENTS
from pipelines.stores.base import Store, Table
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, RECORDS
from pipelines.waiting import waiting_rows

NOW = datetime(2026, 11, 20, tzinfo=UTC)
PAGES_STORED = (
    ("a", "省侨务办公室召开会议", "会议讨论了今年的侨务工作，李明出席。", "news.example.com", "article", "2026-11-02"),
    ("b", "地铁三号线今天开通", "本市的地鐵三號線今天上午開通，市民免費乘坐。", "b.example", "article", "2026-11-03"),
    (
        "c",
        "Climate change talks end",
        "Talks on climate change ended; the change of climate goes on.",
        "c.example",
        "list",
        "2026-11-03",
    ),
    ("d", "三号地铁线", "号线三 地铁", "b.example", "article", "2025-01-01"),
)


def put(store: Store, *pages: tuple[str, str, str, str, str, str]) -> None:
    rows: list[tuple[Table, dict[str, str]]] = [
        (PAGES, {"key": key, "url": f"https://{host}/{key}", "title": title, "body": body, "host": host, "kind": kind, "author": "王芳",
                 "topic": "交通", "published_at": f"{day}T08:00:00+00:00", "fetched_at": "2026-11-04T00:00:00+00:00"})
        for key, title, body, host, kind, day in pages
    ]  # fmt: skip
    store.write([*rows, *waiting_rows([page[0] for page in pages])]).result()


def found(store: Store, query: str) -> list[str]:
    ranked = verified(store, Searcher(store).search(query, NOW), query)
    keys = [hit.page + hit.record for hit in hits(store, ranked, query)]
    assert not ranked.exact or len(keys) == len(ranked)
    return keys


QUERIES = {
    "侨务": "a", "侨": "a", "侨务办": "a", "僑務": "a", "务办公": "a", '"地铁三号线"': "b", "三號線": "b", "climate talks": "c",
    "climat": "", '"climate change"': "c", '"change talks ended"': "", "地铁 -免费": "d", "地铁 NOT 免费": "d",
    "侨务 OR climate": "ac", "(侨务 OR 地铁) 免费": "b", "title:李明": "", "title:侨务": "a", "author:王芳 climate": "c",
    "host:example.com 会议": "a", "host:b.example 地铁": "bd", "kind:list change": "c", "topic:交通 会议": "a",
    "地铁 since:2026-01-01": "b", "地铁 until:2025-12-31": "d", "since:2026-11-03": "bc", "没有的词语": "",
}  # fmt: skip


def test_queries(indexed: Store) -> None:
    assert {query: "".join(sorted(found(indexed, query))) for query in QUERIES} == QUERIES


@pytest.fixture
def indexed(store: Store) -> Store:
    put(store, *PAGES_STORED)
    assert running.run(store) == len(PAGES_STORED)
    return store


def test_hits_show_where_the_words_are_and_how_many_there_are(indexed: Store) -> None:
    ranked = Searcher(indexed).search("地铁", NOW)
    first = next(hits(indexed, ranked, "地铁"))
    assert (first.page, first.url, first.at) == ("b", "https://b.example/b", "2026-11-03T08:00:00+00:00")
    assert first.marked() == "本市的«地鐵»三號線今天上午開通，市民免費乘坐。"
    assert ranked.per_day() == {"2025-01-01": 1, "2026-11-03": 1}
    assert ranked.per_host() == {"b.example": 2}


def test_changed_pages_and_records_replace_what_was_found_before(indexed: Store) -> None:
    put(indexed, ("a", "省气象台发布预警", "明天有大雨", "news.example.com", "article", "2026-11-02"))
    indexed.upsert(
        RECORDS,
        [{"page": "b", "key": "1", "kind": "post", "text": "大雨中的地铁", "time_at": "2026-11-05T00:00:00+00:00"}],
    ).result()
    indexed.write(waiting_rows(["b"])).result()
    assert running.run(indexed) == 2
    assert found(indexed, "侨务") == []
    assert sorted(found(indexed, "大雨")) == ["a", "b1"]
    assert sorted(found(indexed, "地铁 -kind:post")) == ["b", "d"]


def test_a_page_without_changes_is_not_indexed_again(indexed: Store) -> None:
    before = Searcher(indexed).columns.numbers.tolist()
    put(indexed, *PAGES_STORED)
    running.run(indexed)
    assert Searcher(indexed).columns.numbers.tolist() == before


def test_a_searcher_sees_what_came_when_it_is_refreshed(indexed: Store) -> None:
    searcher = Searcher(indexed)
    put(indexed, ("e", "新的地铁", "", "b.example", "article", "2026-11-05"))
    running.run(indexed)
    assert len(searcher.search("地铁", NOW)) == 2
    searcher.refresh()
    assert len(searcher.search("地铁", NOW)) == 3


def test_rebuilt_equals_incremental_with_merges_and_changes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.search.index._SMALLEST", 1)
    monkeypatch.setattr("analysis.search.segments.CHUNK", 16)
    monkeypatch.setattr("analysis.search.index._SLICE", 8_192)
    words = ["地铁", "公交", "开通", "事故", "climate", "会议"]
    for number in range(9):
        text = " ".join(words[(number * step) % len(words)] for step in range(1, 5))
        put(
            store,
            (f"p{number % 7}", text, text[::-1], f"h{number % 3}.example", "article", f"2026-11-{number % 28 + 1:02}"),
        )
        running.run(store)
    queries = ["地铁", "地铁 -公交", "climate OR 会议", "title:开通 host:h1.example"]

    def answers() -> list[list[tuple[str, float]]]:
        searcher = Searcher(store)
        return [
            sorted((hit.page, hit.score) for hit in hits(store, searcher.search(query, NOW), query))
            for query in queries
        ]

    incremental = answers()
    assert store.count(SEARCH_SEGMENTS) < 12
    running.rebuild(store)
    assert answers() == incremental
    assert any(incremental)


FREQUENT = (
    "地铁", "的", "的 开通", "开通 事故 的", "事故 OR 会议", "地铁 -公交", "-公交", "-事故 -公交 的", "climate host:h1.example", "的地铁",
    '"地铁的地铁"', "title:地铁 的 since:2026-11-05", "(公交 OR climate) (会议 OR 事故) 的", "没有 OR 会议",
)  # fmt: skip


def test_a_term_of_many_chunks_is_found_as_one_of_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks that are left out, and parts that were written before chunks said where they begin, change no answer."""
    words = ["地铁", "公交", "开通", "事故", "climate", "会议"]
    texts = [" ".join(f"的{words[at * step % 6]}" for step in range(1, 2 + at % 4)) for at in range(30)]
    days = [f"2026-11-{at % 9 + 1:02}" for at in range(30)]

    def answers(store: Store) -> list[tuple[str, str, float]]:
        searcher = Searcher(store)
        found = [(query, searcher.search(query, NOW)) for query in FREQUENT]
        return sorted((query, hit.page, hit.score) for query, ranked in found for hit in hits(store, ranked, query))

    with contextlib.closing(open_store(f"sqlite:///{tmp_path}/a.db")) as store:
        put(
            store,
            *((f"p{at}", texts[at], texts[at] * 2, f"h{at % 3}.example", "article", days[at]) for at in range(30)),
        )
        running.run(store)
        of_one_chunk = answers(store)
        monkeypatch.setattr("analysis.search.segments.CHUNK", 4)
        monkeypatch.setattr("analysis.search.lookup._FEW", 2)
        running.rebuild(store)
        assert answers(store) == of_one_chunk
        rows = list(store.select(SEARCH_SEGMENTS, columns=["segment"]))
        store.upsert(SEARCH_SEGMENTS, [{"segment": row["segment"], "starts": None} for row in rows]).result()
        assert answers(store) == of_one_chunk
    assert {query for query, _, _ in of_one_chunk} == {*FREQUENT}


def test_behind_the_best_hits_come_the_others_each_once(indexed: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    every = Searcher(indexed).search("地铁 OR 会议 OR climate", NOW)
    monkeypatch.setattr("analysis.search.ranked._MOST_RANKED", 1)
    found = Searcher(indexed).search("地铁 OR 会议 OR climate", NOW)
    assert found.places[0] == every.places[0]
    assert sorted(found.places.tolist()) == sorted(every.places.tolist())
    assert found.per_day() == every.per_day()


@pytest.mark.parametrize("writes", [0, 2, 4, 5, 6, 8])
def test_an_end_at_any_write_loses_and_doubles_nothing(
    store: Store, writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, *PAGES_STORED[:2])
    running.run(store)
    put(store, ("a", "新的侨务标题", "", "news.example.com", "article", "2026-11-02"), *PAGES_STORED[2:])
    lease = Lease(store, JOB)
    assert lease.gain()
    index = SearchIndex(store, lease)
    ended = _EndAfter(store, writes)
    monkeypatch.setattr(index, "_store", ended)
    monkeypatch.setattr(lease, "_store", ended)
    with contextlib.suppress(_EndError):
        work_once(store, [index])
    monkeypatch.undo()
    lease.release()
    running.run(store)
    assert [sorted(found(store, query)) for query in ("侨务", "地铁", "climate")] == [["a"], ["b", "d"], ["c"]]
    named = {row["segment"] for row in store.select(SEARCH_SEGMENTS)}
    assert {row["segment"] for row in store.select(SEARCH_CHUNKS)} == named


class _EndError(Exception):
    pass


class _EndAfter:
    """A store whose process ends after so many writes."""

    def __init__(self, store: Store, writes: int) -> None:
        self._store, self._left = store, writes

    def __getattr__(self, name: str) -> Callable[..., object]:
        method: Callable[..., object] = getattr(self._store, name)

        def counted(*args: object, **named: object) -> object:
            if name in ("upsert", "change", "remove", "write"):
                if not self._left:
                    raise _EndError
                self._left -= 1
            return method(*args, **named)

        return counted


@pytest.mark.parametrize(
    "query", ["", "(", "a)", "a OR", "NOT", "(a", "-", "...", "since:never", "x " * 200, "(" * 100 + "a"]
)
def test_queries_that_make_no_sense_get_a_sentence(store: Store, query: str) -> None:
    with pytest.raises(QueryError):
        Searcher(store).search(query)


@given(st.text(max_size=60))
def test_any_text_is_a_query_or_gets_a_sentence(text: str) -> None:
    with contextlib.suppress(QueryError):
        assert parse(text)


@given(st.text(max_size=40), st.integers(0, 40), st.integers(1, 8))
def test_every_part_of_unspaced_text_has_terms_of_the_text(text: str, start: int, length: int) -> None:
    text = "地铁" + text + "开通了"
    part = text[start : start + length]
    if part and all("一" <= character <= "鿿" for character in part):
        assert set(query_of(part).terms) <= set(terms_of(text).tolist())


@given(
    st.lists(
        st.tuples(st.integers(0, 2**40 - 1), st.integers(0, 2**32 - 1), st.integers(1, 255)),
        min_size=1,
        unique_by=lambda row: row[:2],
    )
)
def test_a_chunk_comes_back_as_it_was(rows: list[tuple[int, int, int]]) -> None:
    import numpy as np

    terms, documents, counts = zip(*sorted(rows), strict=True)
    given = Postings(np.array(terms, np.uint64), np.array(documents, np.uint32), np.array(counts, np.uint8))
    back = unpack_chunk(pack_chunk(given))
    for one, other in zip(
        (given.terms, given.documents, given.counts), (back.terms, back.documents, back.counts), strict=True
    ):
        assert one.tolist() == other.tolist()


def test_terms_are_counted_and_spread() -> None:
    postings = postings_of(7, terms_of("地铁 地铁 metro Metro"))
    assert sorted(postings.counts.tolist()) == [2, 2, 2, 2]
    words = ["".join(pair) for pair in itertools.product("abcdefghijklmnop", repeat=3)]
    assert len({query_of(word).terms for word in words}) == len(words)


def test_the_passage_is_where_most_words_are() -> None:
    from analysis.search.hits import _pattern
    from analysis.search.query import Word

    text = "地铁。" + "无关的话" * 100 + "地铁开通\n当天" + "无关的话" * 100
    passage, marks = passage_of(text, [_pattern(Word("地铁")), _pattern(Word("开通"))])
    assert [passage[start:end] for start, end in marks] == ["地铁", "开通"]
    assert "\n" not in passage
    assert len(passage) == 160

"""Search over a store as pages come, change and go, in both engines."""

import contextlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import running
from analysis.search import QueryError, Searcher, hits, verified, zero_reasons
from analysis.search.found import Checked
from analysis.search.hits import passage_of
from analysis.search.opensearch_client import Client
from analysis.search.query import parse
from analysis.search.terms import terms_of, terms_of_word
from pipelines.stores.base import Condition, Store, StoreError, Table
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
                 "language": "en" if kind == "list" else "zh-CN", "topic": "交通",
                 "published_at": f"{day}T08:00:00+00:00", "fetched_at": "2026-11-04T00:00:00+00:00"})
        for key, title, body, host, kind, day in pages
    ]  # fmt: skip
    store.write([*rows, *waiting_rows([page[0] for page in pages])]).result()


def found(store: Store, query: str) -> list[str]:
    matches = verified(store, Searcher(store).search(query, NOW), query)
    keys = [hit.page + hit.record for hit in hits(store, matches, query, exact=matches.exact)]
    assert not matches.exact or len(keys) == len(matches)
    return keys


QUERIES = {
    "侨务": "a", "侨": "a", "侨务办": "a", "僑務": "a", "务办公": "a", '"地铁三号线"': "b", "三號線": "b", "climate talks": "c",
    "climat": "", '"climate change"': "c", '"change talks ended"': "", "地铁 -免费": "d", "地铁 NOT 免费": "d",
    "侨务 OR climate": "ac", "(侨务 OR 地铁) 免费": "b", "title:李明": "", "title:侨务": "a", "author:王芳 climate": "c",
    "host:example.com 会议": "a", "host:b.example 地铁": "bd", "kind:list change": "c", "topic:交通 会议": "a",
    "地铁 since:2026-01-01": "b", "地铁 until:2025-12-31": "d", "since:2026-11-03": "bc", "-site:b.example -kind:list": "a",
    '"地铁三号线" -host:c.example': "b", '"地铁三号线" -(免费 site:c.example)': "b", "language:en": "c", "change -lang:en": "",
    "没有的词语": "",
}  # fmt: skip


def test_queries(indexed: Store) -> None:
    assert {query: "".join(sorted(found(indexed, query))) for query in QUERIES} == QUERIES


@pytest.fixture
def indexed(store: Store) -> Store:
    put(store, *PAGES_STORED)
    assert running.run(store) == len(PAGES_STORED)
    return store


def test_hits_show_where_the_words_are_and_how_many_there_are(indexed: Store) -> None:
    matches = Searcher(indexed).search("地铁", NOW)
    first = next(hits(indexed, matches, "地铁"))
    assert (first.page, first.url, first.at) == ("b", "https://b.example/b", "2026-11-03T08:00:00+00:00")
    assert first.marked() == "本市的«地鐵»三號線今天上午開通，市民免費乘坐。"
    assert matches.per_day(UTC) == {"2025-01-01": 1, "2026-11-03": 1}
    assert matches.per_host() == {"b.example": 2}
    phrase = Searcher(indexed).search('"地铁三号线"', NOW)
    assert (phrase.exact, phrase.per_host()) == (False, {"b.example": 1})
    checked = verified(indexed, Searcher(indexed).search('"三号地铁"', NOW), '"三号地铁"')
    assert (len(checked), checked.per_day(UTC), checked.per_host()) == (1, {"2025-01-01": 1}, {"b.example": 1})


@pytest.mark.parametrize("name", ["Asia/Shanghai", "America/New_York", "Europe/Berlin", "Asia/Kathmandu", "UTC"])
def test_days_are_those_of_the_time_zone(store: Store, name: str) -> None:
    moments = [datetime(2026, 7, 1, 22, 30, tzinfo=UTC), datetime(2026, 11, 2, 16, 10, tzinfo=UTC), NOW]
    store.write(
        [(PAGES, {"key": at.isoformat(), "title": "地铁", "published_at": at.isoformat()}) for at in moments]
        + [
            (PAGES, {"key": "undated", "title": "地铁"}),
            *waiting_rows([*(at.isoformat() for at in moments), "undated"]),
        ]
    ).result()
    running.run(store)
    zone, searcher = ZoneInfo(name), Searcher(store)
    days = [at.astimezone(zone).date().isoformat() for at in moments]
    found = searcher.search("地铁", NOW)
    assert found.per_day(zone) == {"": 1} | dict.fromkeys(days, 1)
    assert Checked(list(found)).per_day(zone) == found.per_day(zone)
    for day in days:
        spans = searcher.search(f"地铁 since:{day} until:{day}", NOW.astimezone(zone))
        assert spans.per_day(zone) == {day: 1}


@pytest.mark.parametrize(
    ("query", "alone", "without", "near"),
    [
        ("侨务 免费", {'"侨务"': 1, '"免费"': 1}, {}, {}),
        ("侨务 host:b.example since:2020-01-01", {'"侨务"': 1}, {'host:"b.example"': 1}, {}),
        ("侨务 -会议", {'"侨务"': 1}, {'-"会议"': 1}, {}),
        ("(侨务 OR 免费) kind:list", {'("侨务" OR "免费")': 2}, {'kind:"list"': 2}, {}),
        ("climats", {}, {}, {"climate": 1}),
        ("climats talks", {'"climats"': 0, '"talks"': 1}, {}, {"climate": 1}),
        ("zzzz", {}, {}, {}),
    ],
)  # fmt: skip
def test_a_search_without_hits_has_its_reasons(
    indexed: Store, query: str, alone: dict[str, int], without: dict[str, int], near: dict[str, int]
) -> None:
    assert found(indexed, query) == []
    reasons = zero_reasons(indexed, Searcher(indexed), query, NOW)
    assert {part.text: part.count for part in reasons.alone} == alone
    assert {part.text: part.count for part in reasons.without} == without
    assert {part.text: part.count for part in reasons.near} == near


@pytest.mark.parametrize("query", sorted(query for query, pages in QUERIES.items() if not pages))
def test_any_search_without_hits_is_explained(indexed: Store, query: str) -> None:
    reasons = zero_reasons(indexed, Searcher(indexed), query, NOW)
    assert all(part.count for part in (*reasons.without, *reasons.near))


def test_changed_pages_and_records_replace_what_was_found_before(indexed: Store) -> None:
    put(indexed, ("a", "省气象台发布预警", "明天有大雨", "news.example.com", "article", "2026-11-02"))
    post = {"page": "b", "key": "1", "kind": "post", "text": "大雨中的地铁", "time_at": "2026-11-05T00:00:00+00:00"}
    indexed.upsert(RECORDS, [post]).result()
    indexed.write(waiting_rows(["b"])).result()
    assert running.run(indexed) == 2
    assert found(indexed, "侨务") == []
    assert sorted(found(indexed, "大雨")) == ["a", "b1"]
    assert sorted(found(indexed, "地铁 -kind:post")) == ["b", "d"]
    assert sorted(each.record for each in Searcher(indexed).search("地铁", NOW).among(["b"])) == ["", "1"]


def test_pages_that_are_no_longer_stored_leave_the_index(indexed: Store) -> None:
    indexed.remove(PAGES, [Condition("key", "=", "b")]).result()
    gone = Searcher(indexed).search("地铁", NOW)
    assert [hit.page for hit in hits(indexed, gone, "地铁", exact=True)] == ["d"]
    indexed.write(waiting_rows(["b"])).result()
    running.run(indexed)
    assert len(Searcher(indexed).search("地铁", NOW)) == 1


def test_a_searcher_sees_what_comes_and_is_the_same_after_a_rebuild(indexed: Store) -> None:
    searcher = Searcher(indexed)
    before = searcher.search("地铁", NOW)
    put(indexed, ("e", "新的地铁", "", "b.example", "article", "2026-11-05"))
    running.run(indexed)
    assert (len(before), len(searcher.search("地铁", NOW))) == (2, 3)
    queries = ("地铁", "地铁 OR 会议", "climate", "since:2026-11-01")
    incremental = {query: found(indexed, query) for query in queries}
    running.rebuild(indexed)
    assert {query: found(indexed, query) for query in queries} == incremental
    assert len(searcher.search("地铁", NOW)) == 3


@pytest.fixture
def many(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Thirty pages of which a third has each word; blocks of results are small."""
    for engine in ("opensearch.OpenSearchFound", "tantivy_query.TantivyFound"):
        monkeypatch.setattr(f"analysis.search.{engine}.block", 4)
    words = ("地铁", "公交", "事故")
    for at in range(30):
        text = f"{words[at % 3]}开通" + "的" * (at % 7)
        put(store, (f"p{at:02}", text, text * 2, f"h{at % 2}.example", "article", f"2026-11-{at // 2 + 1:02}"))
    running.run(store)
    return store


def test_hits_have_an_order_that_can_be_read_from_any_place(many: Store) -> None:
    searcher = Searcher(many)
    for order in ("best", "published", "new"):
        matches = searcher.search("地铁 OR 公交", NOW, order)  # type: ignore[arg-type]
        pages = [each.page for each in matches]
        assert len(set(pages)) == len(pages) == len(matches) == 20
        for start in (0, 3, 4, 19, 20):
            assert [each.page for each in matches.part(start, 6)] == pages[start : start + 6]
    assert pages == sorted(pages, reverse=True)  # "new": as they were indexed
    times = [each.seconds for each in searcher.search("地铁", NOW, "published")]
    assert times == sorted(times, reverse=True)
    among = searcher.search("地铁 OR 公交", NOW, "published").among(["p00", "p02", "p04"])
    assert [each.page for each in among] == ["p04", "p00"]


def test_of_equal_texts_the_later_page_is_the_better_hit(store: Store) -> None:
    days = [f"{NOW - timedelta(days=days):%Y-%m-%d}" for days in (75, 20, 400)]
    put(store, *((f"p{at}", "地铁开通", "地铁开通", "a.example", "article", day) for at, day in enumerate(days)))
    running.run(store)
    matches = list(Searcher(store).search("地铁", NOW))
    assert [each.page for each in matches] == ["p1", "p0", "p2"]
    ratios = [matches[0].score / matches[2].score, matches[1].score / matches[2].score]
    assert ratios == pytest.approx([1.16, 1.04], abs=0.01)


def test_words_of_titles_count_more_than_those_of_texts(store: Store) -> None:
    put(
        store,
        ("a", "开通", "今天地铁的站很多", "a.example", "article", "2026-11-03"),
        ("b", "地铁", "今天开通的站很多", "a.example", "article", "2026-11-03"),
    )
    running.run(store)
    assert found(store, "地铁") == ["b", "a"]


def test_an_index_that_opensearch_has_lost_is_said_and_made_again(
    tmp_path: Path, opensearch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENSEARCH_URL", f"{opensearch}/lost")
    client = Client(f"{opensearch}/lost")
    with contextlib.closing(open_store(f"sqlite:///{tmp_path}/a.db")) as store:
        put(store, *PAGES_STORED)
        for lose in (lambda: None, lambda: client.create({"mappings": {"dynamic": "false"}})):
            lose()
            with pytest.raises(StoreError, match=r"run scrapy analysis run|missing, damaged or of another version"):
                Searcher(store).search("地铁", NOW)
            monkeypatch.setattr("analysis.search.opensearch_client._BULK_BYTES", 100)  # several requests
            assert running.run(store) == len(PAGES_STORED)
            assert sorted(found(store, "地铁")) == ["b", "d"]
    with pytest.raises(StoreError, match="refuses a document"):
        client.bulk([({"index": {}}, {"unknown": 1})])


@pytest.mark.parametrize(
    "query", ["", "(", "a)", "a OR", "NOT", "(a", "-", "...", "since:never", "x " * 200, "(" * 100 + "a"]
)
def test_queries_that_make_no_sense_get_a_sentence(indexed: Store, query: str) -> None:
    with pytest.raises(QueryError):
        Searcher(indexed).search(query)


@given(st.text(max_size=60))
def test_any_text_is_a_query_or_gets_a_sentence(text: str) -> None:
    with contextlib.suppress(QueryError):
        assert parse(text)


@given(st.text(max_size=40), st.integers(0, 40), st.integers(1, 8))
def test_every_part_of_unspaced_text_has_terms_of_the_text(text: str, start: int, length: int) -> None:
    text = "地铁" + text + "开通了"
    part = text[start : start + length]
    if part and all("一" <= character <= "鿿" for character in part):
        assert set(terms_of_word(part).terms) <= set(terms_of(text))


def test_terms_are_words_characters_and_pairs() -> None:
    assert terms_of("5G地鐵站 Metro") == ["5g", "地", "铁", "站", "地铁", "铁站", "metro"]
    assert terms_of_word("地铁站").terms == ("地铁", "铁站")
    assert [terms_of_word(word).exact for word in ("站", "地铁", "metro", "地铁站", "a股")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_the_passage_is_where_most_words_are() -> None:
    from analysis.search.hits import _pattern
    from analysis.search.query import QueryWord

    text = "地铁。" + "无关的话" * 100 + "地铁开通\n当天" + "无关的话" * 100
    passage, marks = passage_of(text, [_pattern(QueryWord("地铁")), _pattern(QueryWord("开通"))])
    assert [passage[start:end] for start, end in marks] == ["地铁", "开通"]
    assert "\n" not in passage
    assert len(passage) == 160

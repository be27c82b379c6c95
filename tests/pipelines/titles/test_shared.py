"""Titles shared by nodes: the same decisions everywhere, also after a kill; stories from their original on."""

import io
import multiprocessing
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import redis
from redis.crc import key_slot
from scrapy.settings import BaseSettings

from extractors.titles import Match, TitleIndex, TitleText
from pipelines.propagation import order_story, write_graphml
from pipelines.stores.base import StoreAwayError, StoreBrokenError
from pipelines.stores.instants import instants
from pipelines.titles.log import Entry, FileLog, TitleLog
from pipelines.titles.replica import Replica
from pipelines.titles.shared import SharedTitles, new_replica, open_log
from pipelines.titles.stream import RedisLog, open_stream
from tests.servers import redis_server

WORDS = "地震 台风 股市 高考 芯片 火箭 医院 学校 港口 铁路 森林 河流 机场 体育 电影 音乐 税收 粮食 能源 海关".split()


def entry(number: int, writer: int = 0) -> Entry:
    """Of 120 news items, told again and again by every writer."""
    item = number * 7 % 120
    words = [WORDS[(item * step + step * step) % len(WORDS)] for step in range(1, 8)]
    return Entry(f"{writer:04x}{number:016x}", "".join(words) + f"第{item}号通报全文", f"site{writer}.example")


@pytest.fixture(params=["file", "redis"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> TitleLog:
    if request.param == "file":
        return FileLog(tmp_path / "titles.db")
    return RedisLog(redis.Redis.from_url(request.getfixturevalue("redis_url")))


def test_a_node_that_starts_late_goes_on_from_snapshot_and_log(log: TitleLog) -> None:
    first = SharedTitles(log, Replica(), snapshot_every=50)
    decided = [first.decide([entry(number)])[0] for number in range(130)]
    assert {decision.verdict for decision in decided} >= {"new", "repost"}
    first.wait_for_segments()
    kept = log.snapshot()
    assert kept is not None
    assert len(log.read(kept.place)) < 50, "what the snapshot covers is cut off"
    late = SharedTitles(log, Replica(), snapshot_every=50)
    assert late.replica.snapshot() == first.replica.snapshot()
    assert late.decide([entry(5, writer=9)])[0].verdict == "repost"


def test_what_another_program_adds_to_the_file_is_read_in_its_place(tmp_path: Path) -> None:
    one, other = FileLog(tmp_path / "titles.db"), FileLog(tmp_path / "titles.db")
    for number in range(0, 12, 3):
        one.append([entry(number)])
        other.append([entry(number + 1), entry(number + 2)])
    keys = [entry(number).key for number in range(12)]
    assert [each.key for _, each in one.read("")] == [each.key for _, each in other.read("")] == keys
    place = one.append([entry(12)])[0]
    assert one.read(place) == []
    other.append([entry(13)])
    assert [each.key for _, each in one.read(place)] == [entry(13).key]


def test_many_entries_are_added_whole_and_in_order(tmp_path: Path) -> None:
    log, given = FileLog(tmp_path / "titles.db"), [entry(number) for number in range(2_345)]
    places = [*log.append(given[:5]), *log.append(given[5:])]
    read = log.read("")
    while more := log.read(read[-1][0]):
        read += more
    assert read == list(zip(places, given, strict=True))
    assert [each for _, each in log.read(places[4])] == given[5:1_005]


def test_a_replica_left_behind_takes_the_snapshot(log: TitleLog) -> None:
    slow = SharedTitles(log, Replica(), snapshot_every=1_000)
    slow.decide([entry(0)])
    quick = SharedTitles(log, Replica(), snapshot_every=20)
    for number in range(1, 60):
        quick.decide([entry(number)])
    quick.wait_for_segments()
    slow.replica.catch_up(log)
    assert slow.replica.snapshot() == quick.replica.snapshot()


def test_a_page_collected_again_is_what_it_was(log: TitleLog) -> None:
    titles = SharedTitles(log, Replica())
    pages = [
        Entry("a" * 20, "本市地铁三号线今天上午正式开通运营市民免费乘坐一天", "a.example"),
        Entry("b" * 20, "本市地铁三号线今天上午正式开通运营市民免费乘坐", "b.example"),
    ]
    once = titles.decide(pages)
    assert [decision.verdict for decision in once] == ["new", "repost"]
    assert once[1].story == "a" * 20
    again = titles.decide(pages)
    assert [(decision.verdict, decision.story) for decision in again] == [("new", "a" * 20), ("repost", "a" * 20)]


def test_a_title_on_which_a_step_fails_stops_nobody(log: TitleLog, monkeypatch: pytest.MonkeyPatch) -> None:
    titles = SharedTitles(log, Replica())
    search = TitleIndex.search

    def fails(index: TitleIndex, title: TitleText, day: int) -> Match:
        if day == 13:
            raise KeyError("ſ")
        return search(index, title, day)

    with monkeypatch.context() as patch:
        patch.setattr(TitleIndex, "search", fails)
        assert titles.decide([Entry("d" * 20, "这个标题让一步失败", "a.example", "", 13)])[0].verdict == "new"
        assert titles.decide([entry(1)])[0].verdict == "new"
        assert SharedTitles(log, Replica()).replica.applied == 2, "a node that starts passes over it too"
    assert titles.decide([entry(1, writer=3)])[0].verdict == "repost"


def test_no_snapshot_is_kept_while_it_runs_if_nobody_wants_one(log: TitleLog) -> None:
    titles = SharedTitles(log, Replica(), snapshot_every=0)
    for number in range(5):
        titles.decide([entry(number)])
    assert log.snapshot() is None


def test_a_damaged_file_is_said_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "noise.db").write_bytes(b"noise" * 10_000)
    with pytest.raises(StoreBrokenError, match="scrapy titles rebuild"):
        FileLog(tmp_path / "noise.db")
    log = FileLog(tmp_path / "titles.db")
    log._file.execute("DROP TABLE log")
    for use in (lambda: log.read(""), lambda: log.append([entry(1)])):
        with pytest.raises(StoreBrokenError, match="scrapy titles rebuild"):
            use()


def test_a_full_disk_is_waited_for(tmp_path: Path) -> None:
    log = FileLog(tmp_path / "titles.db")
    log._file.execute("PRAGMA max_page_count = 1")
    with pytest.raises(StoreAwayError):
        log.append([entry(number) for number in range(1_000)])
    log._file.execute("PRAGMA max_page_count = 100000")
    assert len(log.append([entry(1)])) == 1


def test_nodes_that_would_decide_otherwise_are_refused(redis_url: str) -> None:
    client = redis.Redis.from_url(redis_url)
    SharedTitles(RedisLog(client), Replica(0.8))
    SharedTitles(RedisLog(client), Replica(0.8))
    with pytest.raises(
        ValueError, match=r"with a threshold of 0\.8.* this node with a threshold of 0\.7.*scrapy titles rebuild"
    ):
        SharedTitles(RedisLog(client), Replica(0.7))
    RedisLog(client).check_config(Replica(0.7).config, replace=True)
    SharedTitles(RedisLog(client), Replica(0.7))


def test_all_keys_of_a_log_lie_in_one_slot_of_a_redis_cluster(redis_url: str) -> None:
    client = redis.Redis.from_url(redis_url)
    for key in ("news", "{news}", "ours:{news}"):
        titles = SharedTitles(RedisLog(client, key), Replica(), snapshot_every=1)
        titles.decide([entry(1)])
        titles.decide([entry(2)])
        titles.wait_for_segments()
    keys = client.keys("*")
    assert len(keys) == 6, "news and {news} are the same"
    for prefix in (b"{news}", b"ours:{news}"):
        assert len({key_slot(key) for key in keys if key.startswith(prefix)}) == 1


def write(url: str, writer: int, count: int) -> None:
    titles = SharedTitles(RedisLog(redis.Redis.from_url(url)), Replica(), snapshot_every=10)
    for number in range(count):
        titles.decide([entry(number, writer)])


def test_four_writers_one_killed_agree_with_a_serial_replay(redis_url: str) -> None:
    client = redis.Redis.from_url(redis_url)
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write, args=(redis_url, number, 150)) for number in range(4)]
    for writer in writers:
        writer.start()
    while client.xlen("{titles}:log") < 40 and any(writer.is_alive() for writer in writers):
        writers[1].join(0.01)
    writers[0].kill()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers[1:]] == [0, 0, 0]
    log = RedisLog(client)
    ones = [SharedTitles(log, Replica()).replica for _ in range(2)]
    serial = Replica()
    kept = log.snapshot()
    assert kept is not None
    serial.start_from(kept)
    for place, waiting in log.read(kept.place):
        serial.apply(place, waiting)
    assert ones[0].snapshot() == ones[1].snapshot() == serial.snapshot()
    stories = [place for place, first in enumerate(serial.stories.firsts) if first == place]
    assert len(stories) <= 120, "no news item was accepted by two"


def test_the_original_is_the_earliest_also_when_it_is_found_later() -> None:
    rows = [
        {"page": "p1", "story": "p1", "published": "2026-11-02T10:00:00+08:00", "cosine": 0.0},
        {"page": "p2", "story": "p1", "published": "2026-11-02T01:00:00+00:00", "cosine": 0.9},
        {"page": "p3", "story": "p1", "published": "", "cosine": 0.9},
    ]
    told = order_story(rows)
    assert [row["page"] for row in told] == ["p2", "p1", "p3"]
    assert {row["original"] for row in told} == {"p2"}
    assert [row["delay_hours"] for row in told] == [0.0, 1.0, None]
    out = io.StringIO()
    named = [row | {"title": "甲 & <乙>", "url": "", "site": "", "author": ""} for row in told]
    assert write_graphml(named, out) == 2
    assert len(ElementTree.fromstring(out.getvalue())[-1]) == 5


def test_times_without_a_zone_are_compared_as_instants() -> None:
    rows = [
        {
            "page": "p1",
            "story": "p1",
            "published": "2026-11-02 10:00",
            **instants("published", "2026-11-02T10:00:00", "zh"),
        },
        {"page": "p2", "story": "p1", "published": "2026-11-02T03:00:00+00:00", "published_at": None},
    ]
    ordered = order_story([row | {"cosine": 0.9} for row in rows])
    assert [(row["page"], row["delay_hours"]) for row in ordered] == [("p1", 0.0), ("p2", 1.0)]


def test_a_node_whose_log_goes_away_says_so_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    server = redis_server(tmp_path)
    server.start()
    try:
        titles = SharedTitles(open_stream(BaseSettings({"REDIS_URL": server.address})), Replica(), snapshot_every=5)
        decided = [titles.decide([entry(number)])[0] for number in range(12)]
        server.stop()
        for call in (lambda: titles.decide([entry(12)]), titles.log.snapshot, lambda: titles.log.read("")):
            with pytest.raises(StoreAwayError, match="log of titles is away"):
                call()
        server.start()
        assert [titles.decide([entry(number)])[0].story for number in range(12)] == [d.story for d in decided]
    finally:
        server.stop()


def test_the_log_asks_sentinels_for_the_master_as_the_frontier_does(redis_url: str, tmp_path: Path) -> None:
    configuration = tmp_path / "sentinel.conf"
    port = redis.Redis.from_url(redis_url).connection_pool.connection_kwargs["port"]
    configuration.write_text(f"sentinel monitor ours 127.0.0.1 {port} 1\n")
    sentinel = redis_server(tmp_path / "sentinel")
    sentinel.command = [sentinel.command[0], str(configuration), "--sentinel", "--port", str(sentinel.port)]
    sentinel.start()
    values = {
        "TITLES_LOG": "redis",
        "TITLES_KEY": "{titles}",
        "REDIS_SENTINELS": [f"127.0.0.1:{sentinel.port}"],
        "REDIS_SENTINEL_MASTER": "ours",
    }
    try:
        log = open_log(BaseSettings(values))
        log.append([entry(1)])
        assert [waiting for _, waiting in log.read("")] == [entry(1)]
        log.close()
    finally:
        sentinel.stop()
    with pytest.raises(ValueError, match="host:port"):
        open_log(BaseSettings(values | {"REDIS_SENTINELS": ["somewhere"]}))
    with pytest.raises(ValueError, match="local or redis"):
        open_log(BaseSettings(values | {"TITLES_LOG": "memory"}))


def test_every_rule_has_its_switch() -> None:
    off = {"TITLES_THRESHOLD": 0.6, "TITLES_COMPARE_NUMBERS": False, "TITLES_COMPARE_LETTERS": False}
    for values, verdict in ((off, "repost"), (off | {"TITLES_COMPARE_LETTERS": True}, "suspected")):
        replica = new_replica(BaseSettings(values))
        replica.apply("1-0", Entry("a" * 20, "王者荣耀新皮肤"))
        assert replica.apply("2-0", Entry("b" * 20, "王者荣耀皮肤")).verdict == verdict

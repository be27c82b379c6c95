"""Nodes that divide the search decide as one node does, also when one of them is killed."""

import itertools
import multiprocessing
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import redis
from hypothesis import given, settings
from hypothesis import strategies as st
from scrapy.settings import BaseSettings

from extractors.titles import Rules
from extractors.titles.answers import SHARES
from extractors.topic.words import Segmenter
from pipelines.stores.base import StoreAwayError
from pipelines.titles.additions import merged, unpack
from pipelines.titles.divided import DividedTitles
from pipelines.titles.divided_replica import DividedReplica
from pipelines.titles.leases import ShareLeases
from pipelines.titles.log import Entry
from pipelines.titles.log import unpack as unpack_entry
from pipelines.titles.messages import Message, fields_of, message_of
from pipelines.titles.replica import Replica
from pipelines.titles.shared import SharedTitles, check_titles, open_titles
from pipelines.titles.stories import Decision
from pipelines.titles.stream import RedisLog
from tests.servers import ServerProcess

SEGMENTER = Segmenter()
HEADS = (
    "暴雨今天夜里到达本市沿海各区",
    "暴雨今夜到达本市沿海",
    "湖人客场战胜掘金",
    "掘金客场战胜湖人",
    "第12集剧情介绍",
    "第13集剧情介绍",
    "？？？",
)
ENDINGS = ("", " - 小站之家", "_河边杂谈", " - Riverside Weekly News", " | 体育 - 小站之家")
ENTRIES = st.lists(
    st.tuples(st.sampled_from(HEADS), st.sampled_from(ENDINGS), st.integers(0, 40), st.sampled_from((0, 100, 120))).map(
        lambda made: Entry(f"{made[2]:020x}", made[0] + made[1], "a.example", "", made[3])
    ),
    max_size=70,
)


def serial(entries: Sequence[Entry], rules: Rules) -> tuple[list[Decision], Replica]:
    replica = Replica(rules=rules, segmenter=SEGMENTER)
    return [replica.apply(f"{number}-0", entry) for number, entry in enumerate(entries, 1)], replica


def run(replicas: Sequence[DividedReplica], entries: Sequence[Entry], sizes: Sequence[int]) -> list[Decision]:
    """Entries come in groups; every replica reads one list of messages, and says what it has to say."""
    messages: list[Message] = []
    waiting, decided, turns = list(entries), dict[str, Decision](), itertools.cycle(sizes)
    read = [0] * len(replicas)
    while len(decided) < len(entries):
        messages += [
            replicas[0].prepared(entry) for entry in (waiting.pop(0) for _ in range(min(next(turns), len(waiting))))
        ]
        for number, replica in enumerate(replicas):
            for at in range(read[number], len(messages)):
                decided.update(replica.take(f"{at + 1}-0", message_of(encoded(messages[at]))))
            read[number] = len(messages)
            said = replica.next_message()
            messages += [said] if said else []
    for number, replica in enumerate(replicas):
        for at in range(read[number], len(messages)):
            replica.take(f"{at + 1}-0", messages[at])
    return [decided[place] for place in sorted(decided, key=lambda place: int(place[:-2]))]


def encoded(message: Message) -> dict[bytes, bytes]:
    return {name.encode(): data for name, data in fields_of(message).items()}


def state(parts: Sequence[bytes]) -> tuple[object, ...]:
    """What segments hold, without the places of the log."""
    found = merged([unpack(part) for part in parts])
    columns = (
        found.index.lengths,
        found.index.terms,
        found.index.days,
        found.index.marks,
        found.index.marked,
        found.stories,
    )
    matches = {name: column.tolist() for name, column in found.matches.items()}
    hosts = {host: (titles, sorted(tails.items())) for host, (titles, tails, _) in found.learned["hosts"].items()}
    return found.applied, found.index.names, found.keys, matches, hosts, *(column.tolist() for column in columns)


@settings(max_examples=60, deadline=None)
@given(ENTRIES, st.integers(1, 4), st.lists(st.integers(1, 40), min_size=1, max_size=4), st.sampled_from((0, 7)))
def test_divided_replicas_decide_as_one_that_holds_everything(
    entries: list[Entry], nodes: int, sizes: list[int], window: int
) -> None:
    rules = Rules(window_days=window)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("extractors.titles.vocabulary._SHARE_BITS", 1)  # so that few titles make long steps
        patch.setattr("extractors.titles.days._BLOCK", 4)
        wanted, whole = serial(entries, rules)
        replicas = [DividedReplica(rules=rules, segmenter=SEGMENTER) for _ in range(nodes)]
        for number, replica in enumerate(replicas):
            replica.own = frozenset(range(number, SHARES, nodes))
        assert run(replicas, entries, sizes) == wanted
    for replica in replicas if entries else ():
        replica.seal()
        [sealed] = replica.sealed
        assert state([segment.data for segment in sealed.segments()]) == state(whole.snapshot().parts)


NEWS = "地震 台风 股市 高考 芯片 火箭 医院 学校 港口 铁路 森林 河流 机场 体育 电影 音乐 税收 粮食 能源 海关".split()


def news(number: int, writer: int = 0) -> Entry:
    """Of 120 news items, told again and again by every writer."""
    item = number * 7 % 120
    words = "".join(NEWS[(item * step + step * step) % len(NEWS)] for step in range(1, 8))
    ending = " - 大河新闻网" if (number + writer) % 4 == 0 else ""
    return Entry(f"{writer:04x}{number:016x}", f"{words}第{item}号通报全文{ending}", f"site{writer}.example")


def node(url: str, snapshot_every: int = 0) -> DividedTitles:
    return DividedTitles(RedisLog(redis.Redis.from_url(url)), DividedReplica(segmenter=SEGMENTER), snapshot_every, 2.0)


def write(url: str, writer: int) -> None:
    """Until it is killed."""
    titles = node(url)
    for number in itertools.count(step=5):
        titles.decide([news(number + more, writer) for more in range(5)])


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_when_one_is_killed_the_others_take_its_shares_and_decide_as_one_node_would(redis_url: str) -> None:
    client = redis.Redis.from_url(redis_url)
    writer = multiprocessing.get_context("spawn").Process(target=write, args=(redis_url, 1))
    writer.start()
    titles, told = node(redis_url), dict[str, Decision]()
    asked = [news(number, 9) for number in range(200)]
    wait_until(lambda: 0 < len(titles.replica.own) < SHARES)
    for start in range(0, 200, 10):
        if start == 100:
            writer.kill()
            writer.join()
        some = asked[start : start + 10]
        told |= {entry.key: decision for entry, decision in zip(some, titles.decide(some), strict=True)}
    assert len(titles.replica.own) == SHARES, "its shares were taken over"
    replica, right, rows = Replica(segmenter=SEGMENTER), dict[str, Decision](), client.xrange("{titles}:log")
    titles.close()
    for place, fields in rows:
        if b"e" in fields:
            entry = unpack_entry(fields[b"e"])
            right.setdefault(entry.key, replica.apply(place.decode(), entry))
    assert len(right) > len(asked) + 20, "the other one has entered some too"
    assert told == {entry.key: right[entry.key] for entry in asked}


def test_nodes_come_and_go_and_segments_are_kept(redis_url: str) -> None:
    entries = [news(number, number % 3) for number in range(240)]
    wanted, whole = serial(entries, Rules())
    nodes, told = [node(redis_url, 50)], list[Decision]()
    for start in range(0, 240, 8):
        if start in (40, 160):
            nodes.append(node(redis_url, 50))
            wait_until(lambda: all(len(each.replica.own) == SHARES // len(nodes) for each in nodes))
        if start == 120:
            nodes.pop(0).close()
        told += nodes[start // 8 % len(nodes)].decide(entries[start : start + 8])
    for each in nodes:
        each.close()
    assert told == wanted
    late = SharedTitles(RedisLog(redis.Redis.from_url(redis_url)), Replica(segmenter=SEGMENTER), 0)
    assert state(late.replica.snapshot().parts) == state(whole.snapshot().parts), (
        "a node that divides nothing reads it too"
    )
    assert len(late.log.spans()) > 2


def test_shares_are_given_out_evenly_and_given_back(redis_url: str) -> None:
    log = RedisLog(redis.Redis.from_url(redis_url))
    leases = [ShareLeases(log, 1.0) for _ in range(3)]
    wait_until(lambda: [len(each.own) for each in leases] == [SHARES // 3] * 3)
    assert frozenset().union(*(each.own for each in leases)) == frozenset(range(SHARES))
    leases.pop().close()
    wait_until(lambda: [len(each.own) for each in leases] == [SHARES // 2] * 2)
    for each in leases:
        each.close()


def test_who_asks_while_the_server_is_away_is_told_so_and_answered_when_it_is_back(own_redis: ServerProcess) -> None:
    titles = node(own_redis.address)
    first = titles.decide([news(1)])
    own_redis.stop()
    with pytest.raises(StoreAwayError):
        titles.decide([news(2)])
    own_redis.start()
    again = titles.decide([news(1)])
    titles.close()
    assert again == first


def test_a_node_that_divides_nothing_is_refused_beside_others_that_do(redis_url: str, tmp_path: Path) -> None:
    titles = node(redis_url)
    values = {"TITLES_LOG": "redis", "REDIS_URL": redis_url, "TITLES_KEY": "{titles}"}
    with pytest.raises(ValueError, match="TITLES_DIVIDED"):
        open_titles(BaseSettings(values))
    with pytest.raises(ValueError, match="TITLES_DIVIDED"):
        check_titles(BaseSettings(values))
    titles.close()
    open_titles(BaseSettings(values)).close()
    with pytest.raises(ValueError, match="TITLES_LOG"):
        open_titles(BaseSettings({"TITLES_LOG": "local", "TITLES_DIVIDED": True, "DATA_DIR": str(tmp_path)}))

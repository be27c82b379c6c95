"""One title, one verdict: whatever was learned in between, however often a page enters, whatever the server forgets."""

import contextlib
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from hypothesis import given, settings
from hypothesis import strategies as st
from scrapy.settings import BaseSettings

from extractors.titles import Rules
from extractors.topic.words import Segmenter
from pipelines.stores.base import StoreAwayError
from pipelines.titles.log import Entry, FileLog, Snapshot, TitleLog
from pipelines.titles.replica import Replica
from pipelines.titles.shared import SharedTitles
from pipelines.titles.stories import Decision
from pipelines.titles.stream import RedisLog, open_stream
from tests.servers import ServerProcess, redis_server

NAME = "小站之家"
ENDINGS = ("", f" - {NAME}", "_河边杂谈", f" | 体育 - {NAME}", " - Riverside Weekly News", " 小站之家")
HEADS = (
    "暴雨今到",
    "暴雨今天夜里到达本市沿海各区",
    "湖人客场战胜掘金",
    "掘金客场战胜湖人",
    "第12集剧情",
    "第13集剧情",
    "a very short one",
)
HOSTS = ("a.example", "b.example", "")
SEGMENTER = Segmenter()
_numbers = itertools.count(1)


def page() -> str:
    return f"{next(_numbers):020x}"


def apply(replica: Replica, title: str, host: str = "", *, key: str = "", day: int = 0, source: str = "") -> Decision:
    return replica.apply(str(replica.applied + 1), Entry(key or page(), title, host, source, day))


def learn(replica: Replica, ending: str, count: int) -> None:
    """So many titles of other news that end so; on no host, because then all count alike."""
    for number in range(count):
        apply(replica, f"{'甲乙丙丁戊己庚辛壬癸'[number % 10] * 5}{chr(0x5000 + 97 * number) * 4}{ending}")


@pytest.mark.parametrize("again", ["暴雨今到 - 小站之家", "暴雨，今到！｜小站之家", "暴雨今到 — 小站之家"])
def test_a_title_whose_ending_is_learned_in_between_is_a_repost_of_itself(again: str) -> None:
    replica = Replica()
    first = apply(replica, f"暴雨今到 - {NAME}", key="a" * 20)
    learn(replica, f" - {NAME}", 12)
    second = apply(replica, again, key="b" * 20)
    assert (first.verdict, second.verdict, second.story) == ("new", "repost", "a" * 20)
    assert apply(replica, "暴雨今到", key="c" * 20).story == "a" * 20, "what was cut off is known of the story too"


def test_a_title_that_one_page_tells_the_name_of_its_site_for_and_another_does_not() -> None:
    replica = Replica()
    apply(replica, "暴雨今到 - 某某地", source="某某地", key="a" * 20)
    assert apply(replica, "暴雨今到 - 某某地").story == "a" * 20


def test_numbers_and_window_hold_for_titles_that_were_cut_otherwise_too() -> None:
    replica = Replica(rules=Rules(window_days=7))
    for number in (12, 13):
        apply(replica, f"暴雨第{number}号通报 - {NAME}", key=f"{number}" * 10, day=100)
    learn(replica, f" - {NAME}", 12)
    inside = apply(replica, f"暴雨第13号通报 - {NAME}", day=105)
    assert (inside.verdict, inside.story) == ("repost", "13" * 10)
    assert apply(replica, f"暴雨第14号通报 - {NAME}", day=105).verdict != "repost"
    outside = apply(replica, f"暴雨第12号通报 - {NAME}", day=120, key="e" * 20)
    assert (outside.verdict, outside.rule) == ("suspected", "window")
    assert apply(replica, f"暴雨第12号通报 - {NAME}", day=122).story == "e" * 20


def test_titles_of_which_nothing_but_the_name_can_be_read_stay_apart() -> None:
    replica = Replica()
    assert [apply(replica, f"{unread} - 新浪网").verdict for unread in ("？？？？？？", "????????")] == ["new", "new"]


TITLES = st.tuples(st.sampled_from(HEADS), st.sampled_from(ENDINGS)).map("".join)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("title"), TITLES, st.sampled_from(HOSTS), st.sampled_from(("", NAME)), st.integers(0, 30)),
        st.tuples(st.just("learn"), st.sampled_from(ENDINGS[1:]), st.integers(1, 12)),
        st.tuples(st.just("snapshot")),
    ),
    max_size=30,
)


@settings(max_examples=80, deadline=None)
@given(STEPS, st.sampled_from((0, 7)))
def test_an_identical_title_in_the_window_is_never_new_and_replicas_agree(
    steps: list[tuple[object, ...]], window: int
) -> None:
    rules, accepted = Rules(window_days=window), []
    one, other = Replica(rules=rules, segmenter=SEGMENTER), Replica(rules=rules, segmenter=SEGMENTER)
    for kind, *values in steps:
        if kind == "learn":
            start = next(_numbers)
            for replica in (one, other):
                for number in range(values[1]):
                    head = chr(0x5000 + (start + number) % 9_000) * 5
                    replica.apply(str(replica.applied + 1), Entry(f"{start * 100 + number:020x}", head + values[0]))
        elif kind == "snapshot":
            kept = other.snapshot()
            other = Replica(rules=rules, segmenter=SEGMENTER)
            other.start_from(Snapshot(kept.place, kept.parts))
        else:
            title, host, source, day = values
            entry = Entry(page(), title, host, source, day)
            decided = one.apply(str(one.applied + 1), entry)
            assert other.apply(str(other.applied + 1), entry) == decided
            same = [
                of for told, of in accepted if told == title and not (window and day and of and abs(day - of) > window)
            ]
            assert not same or decided.verdict == "repost"
            if decided.verdict != "repost":
                accepted.append((title, day))
    assert one.snapshot() == other.snapshot()


@settings(max_examples=80, deadline=None)
@given(st.lists(TITLES, min_size=1, max_size=12), st.data())
def test_an_entry_that_comes_again_is_what_it_was_whatever_came_in_between(
    titles: list[str], data: st.DataObject
) -> None:
    replica, told = Replica(segmenter=SEGMENTER), {}
    for title in titles:
        entry = Entry(page(), title)
        told[entry] = replica.apply(str(replica.applied + 1), entry)
        learn(replica, data.draw(st.sampled_from(ENDINGS[1:])), data.draw(st.integers(0, 9)))
        again = data.draw(st.sampled_from(list(told)))
        decided = replica.apply(str(replica.applied + 1), again)
        assert (decided.verdict, decided.story, decided.rule) == (
            told[again].verdict,
            told[again].story,
            told[again].rule,
        )


def test_an_entry_that_comes_again_names_what_it_was_like_not_itself() -> None:
    replica = Replica(0.6)
    titles = (
        "女子上班第一天因已婚被辞退，公司的做法违反了哪些法律",
        "女子上班第一天因已婚被公司辞退，公司的做法违反哪些法律",
        "本市今日新增确诊病例12例详情公布",
        "本市今日新增确诊病例15例详情公布",
    )
    entries = [Entry(f"{number:020x}", title) for number, title in enumerate(titles)]
    once = [replica.apply("1", entry) for entry in entries]
    assert [decision.verdict for decision in once] == ["new", "repost", "new", "suspected"]
    assert [replica.apply("2", entry) for entry in entries] == once


@pytest.fixture
def client(redis_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_url) as opened:
        yield opened


@pytest.fixture(params=["file", "redis"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TitleLog]:
    opened = FileLog(tmp_path / "titles.db") if request.param == "file" else RedisLog(request.getfixturevalue("client"))
    yield opened
    opened.close()


def test_a_node_left_behind_does_not_take_a_later_snapshot_s_place(log: TitleLog) -> None:
    slow, quick = SharedTitles(log, Replica()), SharedTitles(log, Replica(), snapshot_every=4)
    slow.decide([Entry(page(), "暴雨今夜到达本市")])
    quick.decide(
        [Entry(page(), title) for title in ("湖人客场战胜掘金", "地铁三号线开通", "新校区落成典礼", "粮食产量公布")]
    )
    quick.wait_for_segments()
    assert log.keep(slow.replica.whole(slow.replica.place)) == "covered"
    assert SharedTitles(log, Replica()).replica.snapshot() == quick.replica.snapshot()


Node = Callable[[ServerProcess, int], SharedTitles]


@pytest.fixture
def node() -> Iterator[Node]:
    """Makes nodes that do not wait long for a server, and lets them go."""
    impatient = {"socket_timeout": 0.2, "socket_connect_timeout": 0.2}
    with contextlib.ExitStack() as opened:

        def make(server: ServerProcess, snapshot_every: int) -> SharedTitles:
            log = open_stream(BaseSettings({"REDIS_URL": server.address, "REDIS_PARAMS": impatient}))
            opened.callback(log.close)
            return SharedTitles(log, Replica(segmenter=SEGMENTER), snapshot_every)

        yield make


NEWS = [
    f"{'暴雨台风地震股市高考芯片火箭医院学校港口铁路森林'[2 * n : 2 * n + 2]}{chr(0x5000 + 211 * n) * 4} - {NAME}"
    for n in range(12)
]


def entries(writer: int) -> list[Entry]:
    """The same news in another order."""
    order = [(number * (5, 7)[writer] + writer) % len(NEWS) for number in range(len(NEWS))]
    return [Entry(f"{writer:04x}{number:016x}", NEWS[number], f"{writer}.example") for number in order]


def told_once(told: dict[Entry, Decision]) -> None:
    accepted = [entry.title for entry, decision in told.items() if decision.verdict != "repost"]
    assert sorted(accepted) == sorted(NEWS), "each is accepted, and by one"


def all_equal(titles: list[SharedTitles]) -> None:
    late = SharedTitles(titles[0].log, Replica())
    for each in titles:
        each.replica.catch_up(each.log)
        assert each.replica.snapshot() == late.replica.snapshot()


@pytest.mark.parametrize("snapshot_every", [5, 1_000])
def test_who_asks_again_because_the_server_hung_is_told_one_thing(
    own_redis: ServerProcess, node: Node, snapshot_every: int
) -> None:
    titles, told = [node(own_redis, snapshot_every) for _ in range(2)], dict[Entry, Decision]()
    waiting = list(itertools.chain(*zip(*map(entries, range(2)), strict=True)))
    for number, entry in enumerate(waiting):
        writer = int(entry.key[:4], 16)
        if number % 4 == 3:
            own_redis.pause()
            with pytest.raises(StoreAwayError):
                titles[writer].decide([entry])
            own_redis.resume()
        told[entry] = titles[writer].decide([entry])[0]
    for each in titles:
        each.wait_for_segments()
    asked = [
        pair[1].key for pair in titles[0].log.read(titles[0].log.snapshot().place if titles[0].log.snapshot() else "")
    ]
    if snapshot_every > len(waiting):
        assert len(asked) > len(set(asked)), (
            "what a hanging server was asked for stands in the log, and stands there again"
        )
    told_once(told)
    for entry, decision in told.items():
        again = titles[1 - int(entry.key[:4], 16)].decide([entry])[0]
        assert (again.verdict, again.story) == (decision.verdict, decision.story)
    all_equal(titles)


@pytest.mark.parametrize("snapshot_every", [5, 1_000])
@pytest.mark.parametrize("kept", ["everything", "nothing", "the beginning"])
def test_what_a_server_forgets_when_it_ends_is_not_accepted_again(
    tmp_path: Path, node: Node, kept: str, snapshot_every: int
) -> None:
    server = redis_server(tmp_path, *(("--appendonly", "yes") if kept == "everything" else ()))
    server.start()
    try:
        titles, told = [node(server, snapshot_every) for _ in range(2)], dict[Entry, Decision]()
        for step, pair in enumerate(zip(*map(entries, range(2)), strict=True)):
            if step == 3 and kept == "the beginning":
                with redis.Redis.from_url(server.address) as client:
                    client.save()
            if step == 6:
                server.kill()
                for writer, entry in enumerate(pair):
                    with pytest.raises(StoreAwayError):
                        titles[writer].decide([entry])
                server.start()
            for writer, entry in enumerate(pair):
                told[entry] = titles[writer].decide([entry])[0]
        told_once(told)
        all_equal(titles)
    finally:
        server.stop()


def test_a_node_that_has_read_what_the_server_forgot_enters_nothing_before_that(client: redis.Redis) -> None:
    titles = SharedTitles(RedisLog(client), Replica())
    first = titles.decide([Entry("a" * 20, NEWS[0])])[0]
    client.flushdb()
    other = titles.decide([Entry("b" * 20, NEWS[0])])[0]
    assert (first.verdict, other.verdict, other.story) == ("new", "repost", "a" * 20)

"""A log's segments, added, merged and replaced in whatever order, are the replica that has read the whole log."""

from pathlib import Path

import msgpack
import pytest
import redis
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.titles import SnapshotError, SuffixLearner, dump
from extractors.topic.words import Segmenter
from pipelines.titles import chain
from pipelines.titles.additions import merged_bytes, unpack
from pipelines.titles.chain import Segment, Span, to_merge, with_spans
from pipelines.titles.log import Entry, FileLog, Snapshot, TitleLog
from pipelines.titles.replica import Replica
from pipelines.titles.shared import SharedTitles
from pipelines.titles.stream import RedisLog

SEGMENTER = Segmenter()
ENDINGS = ("", " - 小站之家", "_河边杂谈", " - Riverside Weekly News", " - 山城新闻网", "｜湖边")
ENTRIES = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 9), st.sampled_from(ENDINGS), st.sampled_from(("a.example", "b", ""))),
    max_size=40,
)


def entries(drawn: list[tuple[int, int, str, str]]) -> list[Entry]:
    return [
        Entry(f"{number:020x}", f"{chr(0x5000 + 97 * item) * 3}第{part}号通报{ending}", host, "", 20_000 + part)
        for number, (item, part, ending, host) in enumerate(drawn)
    ]


def applied(drawn: list[tuple[int, int, str, str]], every: int = 0) -> Replica:
    replica = Replica(segmenter=SEGMENTER)
    for number, entry in enumerate(entries(drawn), 1):
        replica.apply(str(number), entry)
        if every and not number % every:
            replica.seal()
    return replica


@settings(max_examples=25, deadline=None)
@given(ENTRIES, st.integers(1, 12), st.lists(st.integers(0, 40), max_size=4), st.integers(2, 5))
def test_segments_and_merged_ones_are_the_whole(
    drawn: list[tuple[int, int, str, str]], every: int, cuts: list[int], most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("extractors.titles.suffixes._MAX_TAILS", most)  # endings are forgotten, and learned again
        patch.setattr("extractors.titles.suffixes._MAX_HOST_TAILS", most)
        whole = applied(drawn, every)
        whole.seal()
        parts = [part.data for sealed in whole.sealed for part in sealed.segments()]
        for cut in cuts:
            if len(parts) > 1:
                first = cut % (len(parts) - 1)
                parts[first : first + 2] = [merged_bytes(parts[first : first + 2])]
        again = Replica(segmenter=SEGMENTER)
        if parts:
            again.start_from(Snapshot(whole.place, tuple(parts)))
        assert again.snapshot() == whole.snapshot()
        assert [again.apply("x", entry) for entry in entries(drawn)] == [
            whole.apply("x", entry) for entry in entries(drawn)
        ]


def test_very_many_titles_are_several_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.titles.additions._MOST_TITLES", 7)
    whole = applied([(number, 1, ENDINGS[number % 6], "a.example") for number in range(30)])
    segments = whole.whole(whole.place)
    assert len(segments) > 3
    assert [segment.begin for segment in segments] == ["", *(segment.end for segment in segments[:-1])]
    again = Replica(segmenter=SEGMENTER)
    again.start_from(Snapshot(whole.place, tuple(segment.data for segment in segments)))
    monkeypatch.undo()
    assert again.snapshot() == whole.snapshot()


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20)), max_size=30))
def test_a_chain_has_no_gap_and_never_loses_its_end(spans: list[tuple[int, int]]) -> None:
    found: list[Span] = []
    for begin, length in spans:
        before = found
        new = [Span(str(begin or ""), str(begin + length), length)]
        said, found, old = with_spans(found, new, lambda place: int(place or 0))
        assert [span.begin for span in found] == ["", *(span.end for span in found[:-1])][: len(found)]
        assert not before or int(found[-1].end) >= int(before[-1].end)
        assert (said == "kept") == (new[0] in found and found != before)
        assert len(found) == len(before) - len(old) + (said == "kept")


def earlier_version(replica: Replica) -> bytes:
    """A whole snapshot as it was before there were segments."""
    matches = {name: column.tobytes() for name, column in replica.stories.matches.since(0).items()}
    state = replica.applied, dump(replica.index), replica.learner.state(), bytes(replica.stories.keys)
    data: bytes = msgpack.packb((*state, replica.stories.firsts.tobytes(), matches))
    return data


@pytest.fixture(params=["file", "redis"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> TitleLog:
    if request.param == "file":
        return FileLog(tmp_path / "titles.db")
    return RedisLog(redis.Redis.from_url(request.getfixturevalue("redis_url")))


NEWS = [(number, number % 3, ENDINGS[number % 6], "a.example") for number in range(60)]


def test_a_snapshot_of_an_earlier_version_becomes_the_first_segment(log: TitleLog) -> None:
    known = entries(NEWS)
    places = log.append(known[:30])
    old = Replica(segmenter=SEGMENTER)
    for place, entry in zip(places, known, strict=False):
        old.apply(place, entry)
    if isinstance(log, FileLog):
        log._file.execute("INSERT INTO snapshot VALUES (1, ?, ?)", (places[-1], earlier_version(old)))
        log._file.execute("DELETE FROM log")
        log.close()
        log = FileLog(log._path)
    else:
        log._client.hset("{titles}:snapshot", mapping={"place": places[-1], "data": earlier_version(old)})
        log._client.delete("{titles}:log")
    titles = SharedTitles(log, Replica(segmenter=SEGMENTER), snapshot_every=10)
    assert titles.replica.snapshot() == old.snapshot()
    for entry in known[30:]:
        titles.decide([entry])
    titles.wait_for_segments()
    assert [span.begin for span in log.spans()][:2] == ["", places[-1]]
    late = Replica(segmenter=SEGMENTER)
    late.start_from(log.snapshot())
    assert late.snapshot() == titles.replica.snapshot()
    titles.close()


def test_small_segments_are_merged_and_each_title_is_written_twice_at_most(
    log: TitleLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = applied(NEWS[:2]).whole("2")[0]
    monkeypatch.setattr(chain, "SMALL_BYTES", (2 * len(first.data),))
    monkeypatch.setattr(chain, "MERGED", 12)
    written = list[Segment]()
    keep = type(log).keep
    monkeypatch.setattr(type(log), "keep", lambda self, given: (written.extend(given), keep(self, given))[1])
    titles = SharedTitles(log, Replica(segmenter=SEGMENTER), snapshot_every=2)
    for entry in entries(NEWS):
        titles.decide([entry])
    titles.wait_for_segments()
    assert len(log.spans()) <= 30 - 11
    assert sum(len(unpack(segment.data).keys) for segment in written) <= 2 * len(titles.replica.stories.keys)
    assert SharedTitles(log, Replica(segmenter=SEGMENTER)).replica.snapshot() == titles.replica.snapshot()
    titles.close()


def test_nodes_that_seal_at_other_places_and_a_rebuilt_log_are_joined_again(log: TitleLog) -> None:
    one = SharedTitles(log, Replica(segmenter=SEGMENTER), snapshot_every=4)
    other = SharedTitles(log, Replica(segmenter=SEGMENTER), snapshot_every=7)
    for number, entry in enumerate(entries(NEWS)):
        (one, other)[number % 2].decide([entry])
    one.wait_for_segments()
    one.replica.catch_up(log)
    log.replace(one.replica.whole(one.replica.place))
    for entry in entries(NEWS):
        one.decide([entry])
    one.wait_for_segments()
    other.decide([entries(NEWS)[0]])
    assert log.spans()[-1].end != log.start
    late = SharedTitles(log, Replica(segmenter=SEGMENTER))
    assert late.replica.snapshot() == other.replica.snapshot()


def test_a_damaged_segment_is_refused() -> None:
    data = applied(NEWS[:5]).whole("5")[0].data
    for wrong in (b"", b"junk", data[:-3], data[:13] + b"\0" * 30):
        with pytest.raises(SnapshotError, match="scrapy titles rebuild"):
            unpack(wrong)


def test_what_is_merged_fits_one_segment() -> None:
    few = [Span(str(number), str(number + 1), 900_000) for number in range(63)]
    assert to_merge(few) == []
    large = Span("0", "1", 30_000_000)
    run = [Span(str(number), str(number + 1), 900_000) for number in range(1, 65)]
    assert to_merge([large, *run]) == run
    assert sum(span.size for span in run) <= 64_000_000


def test_changes_are_noted_from_the_last_call_on() -> None:
    learner = SuffixLearner()
    learner.learn("暴雨今到本市 - 小站之家", "a.example")
    assert learner.changes()["hosts"]["a.example"][0] == 1
    assert learner.changes() == {"hosts": {}, "everywhere": [{}, False]}

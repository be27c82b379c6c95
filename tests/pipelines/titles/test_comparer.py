"""One title, one verdict: whatever was learned in between; an index that is built again decides alike."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.titles import Rules
from extractors.topic.words import Segmenter
from pipelines.titles.comparer import TitleComparer, TitleDecision
from pipelines.titles.snapshot_file import read_snapshot, write_snapshot
from pipelines.titles.title_requests import TitleEntry

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


def apply(
    comparer: TitleComparer, title: str, host: str = "", *, key: str = "", day: int = 0, source: str = ""
) -> TitleDecision:
    return comparer.compare(TitleEntry(key or page(), title, host, source, day))


def learn(comparer: TitleComparer, ending: str, count: int) -> None:
    """So many titles of other news that end so; on no host, because then all count alike."""
    for number in range(count):
        apply(comparer, f"{'甲乙丙丁戊己庚辛壬癸'[number % 10] * 5}{chr(0x5000 + 97 * number) * 4}{ending}")


@pytest.mark.parametrize("again", ["暴雨今到 - 小站之家", "暴雨，今到！｜小站之家", "暴雨今到 — 小站之家"])
def test_a_title_whose_ending_is_learned_in_between_is_a_repost_of_itself(again: str) -> None:
    comparer = TitleComparer()
    first = apply(comparer, f"暴雨今到 - {NAME}", key="a" * 20)
    learn(comparer, f" - {NAME}", 12)
    second = apply(comparer, again, key="b" * 20)
    assert (first.verdict, second.verdict, second.matched) == ("new", "repost", "a" * 20)
    assert apply(comparer, "暴雨今到", key="c" * 20).verdict == "repost", "what was cut off is known of the story too"


def test_a_title_that_one_page_tells_the_name_of_its_site_for_and_another_does_not() -> None:
    comparer = TitleComparer()
    apply(comparer, "暴雨今到 - 某某地", source="某某地", key="a" * 20)
    assert apply(comparer, "暴雨今到 - 某某地").matched == "a" * 20


def test_numbers_and_window_hold_for_titles_that_were_cut_otherwise_too() -> None:
    comparer = TitleComparer(rules=Rules(window_days=7))
    for number in (12, 13):
        apply(comparer, f"暴雨第{number}号通报 - {NAME}", key=f"{number}" * 10, day=100)
    learn(comparer, f" - {NAME}", 12)
    inside = apply(comparer, f"暴雨第13号通报 - {NAME}", day=105)
    assert (inside.verdict, inside.matched) == ("repost", "13" * 10)
    assert apply(comparer, f"暴雨第14号通报 - {NAME}", day=105).verdict != "repost"
    outside = apply(comparer, f"暴雨第12号通报 - {NAME}", day=120, key="e" * 20)
    assert (outside.verdict, outside.rule) == ("suspected", "window")
    assert apply(comparer, f"暴雨第12号通报 - {NAME}", day=122).matched == "e" * 20


def test_titles_of_which_nothing_but_the_name_can_be_read_stay_apart() -> None:
    comparer = TitleComparer()
    assert [apply(comparer, f"{unread} - 新浪网").verdict for unread in ("？？？？？？", "????????")] == ["new", "new"]


TITLES = st.tuples(st.sampled_from(HEADS), st.sampled_from(ENDINGS)).map("".join)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("title"), TITLES, st.sampled_from(HOSTS), st.sampled_from(("", NAME)), st.integers(0, 30)),
        st.tuples(st.just("learn"), st.sampled_from(ENDINGS[1:]), st.integers(1, 12)),
        st.tuples(st.just("snapshot")),
        st.tuples(st.just("rows")),
    ),
    max_size=30,
)


@settings(max_examples=80, deadline=None)
@given(STEPS, st.sampled_from((0, 7)))
def test_an_identical_title_in_the_window_is_never_new_and_an_index_that_is_built_again_agrees(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[object, ...]], window: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "titles.snapshot"
    rules, accepted, rows = Rules(window_days=window), [], list[tuple[TitleEntry, bool]]()
    one, other = (TitleComparer(rules=rules, segmenter=SEGMENTER) for _ in range(2))

    def both(entry: TitleEntry) -> TitleDecision:
        decided = one.compare(entry)
        assert other.compare(entry) == decided
        rows.append((entry, decided.verdict == "repost"))
        return decided

    for kind, *values in steps:
        if kind == "learn":
            for number in range(values[1]):
                both(TitleEntry(page(), chr(0x5000 + (int(page(), 16) + number) % 9_000) * 5 + values[0]))
        elif kind == "title":
            title, host, source, day = values
            decided = both(TitleEntry(page(), title, host, source, day))
            same = [
                of for told, of in accepted if told == title and not (window and day and of and abs(day - of) > window)
            ]
            assert not same or decided.verdict == "repost"
            if decided.verdict != "repost":
                accepted.append((title, day))
        else:
            built = TitleComparer(rules=rules, segmenter=SEGMENTER)
            if kind == "snapshot":
                write_snapshot(path, other, len(rows), "x")
                assert read_snapshot(path, built, "x") == len(rows)
            else:
                for entry, is_repost in rows:
                    built.restore(entry, is_repost=is_repost)
            other = built
    assert one.state() == other.state()


def test_a_page_that_comes_again_with_its_title_matches_itself_or_what_it_repeats() -> None:
    comparer = TitleComparer(0.6)
    titles = (
        "女子上班第一天因已婚被辞退，公司的做法违反了哪些法律",
        "女子上班第一天因已婚被公司辞退，公司的做法违反哪些法律",
        "本市今日新增确诊病例12例详情公布",
        "本市今日新增确诊病例15例详情公布",
    )
    entries = [TitleEntry(f"{number:020x}", title) for number, title in enumerate(titles)]
    once = [comparer.compare(entry) for entry in entries]
    assert [decision.verdict for decision in once] == ["new", "repost", "new", "suspected"]
    assert [comparer.compare(entry).matched for entry in entries] == [entry.key for entry in entries]


@pytest.mark.parametrize("damage", ["junk", "cut", "other order", "other rules"])
def test_a_snapshot_that_does_not_fit_is_not_used(tmp_path: Path, damage: str) -> None:
    path, comparer = tmp_path / "titles.snapshot", TitleComparer(segmenter=SEGMENTER)
    comparer.compare(TitleEntry(page(), HEADS[0]))
    write_snapshot(path, comparer, 1, "x")
    assert read_snapshot(path, TitleComparer(segmenter=SEGMENTER), "x") == 1
    if damage in ("junk", "cut"):
        path.write_bytes(b"junk" if damage == "junk" else path.read_bytes()[:-9])
    rules = Rules(numbers=False) if damage == "other rules" else None
    empty = TitleComparer(rules=rules, segmenter=SEGMENTER)
    assert read_snapshot(path, empty, "y" if damage == "other order" else "x") == 0
    assert len(empty.index) == 0

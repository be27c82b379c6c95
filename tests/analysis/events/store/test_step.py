"""Events in the store: as pages come in any order, with kills and corrections, on both stores."""

import contextlib
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from analysis import running
from analysis.events import Settings
from analysis.events.store import decide
from analysis.events.store.decisions import undo
from analysis.events.store.restoring import restored
from analysis.jobs import work_once
from pipelines.stores.analysis_tables import ANALYSIS_JOBS, EVENT_REACHES, EVENTS, MEMBERS, READINGS
from pipelines.stores.base import Row, Store
from pipelines.stores.tables import PAGES, RECORDS
from pipelines.waiting import waiting_rows

QUAKE = "5月10日06时53分辽宁省海城市发生4.3级地震，震源深度10公里，目前尚无人员伤亡的报告，当地居民感到明显震动。"
AGAIN = (
    "据中国地震台网测定，今天06时53分辽宁海城发生4.3级地震，震源深度10公里。海城市居民李晓梅说震动明显，暂无伤亡报告。"
)
OTHER = "5月10日11时20分云南省瑞丽市发生4.9级地震，震源深度8公里，已有19人受伤，当地居民感到明显震动。"
FIRE = "5月9日晚，浙江温州一家鞋厂发生火灾，消防部门出动十二辆消防车，两小时后明火被扑灭，火灾原因正在调查。"
STREAM = (
    ("fire", "温州鞋厂发生火灾", FIRE, "2026-05-09T22:00:00+08:00", "a.example"),
    ("quake", "辽宁海城发生4.3级地震", QUAKE, "2026-05-10T08:00:00+08:00", "a.example"),
    ("again", "海城地震震感明显", AGAIN, "2026-05-10T09:00:00+08:00", "b.example"),
    ("other", "云南瑞丽发生4.9级地震", OTHER, "2026-05-10T12:00:00+08:00", "b.example"),
    ("copy", "温州一鞋厂发生火灾", FIRE, "2026-05-10T13:00:00+08:00", "c.example"),
    ("late", "温州鞋厂火灾已被扑灭", FIRE, "2026-09-10T13:00:00+08:00", "c.example"),
)


def put(store: Store, *pages: tuple[str, str, str, str, str], kind: str = "article") -> None:
    rows = [
        (PAGES, {"key": key, "url": f"https://{host}/{key}", "title": title, "body": body, "host": host, "kind": kind, "language": "zh",
                 "topic": "安全", "published": published, "published_at": published, "fetched_at": "2026-10-01T00:00:00+00:00"})
        for key, title, body, published, host in pages
    ]  # fmt: skip
    store.write([*rows, *waiting_rows([page[0] for page in pages])]).result()


def tables(store: Store) -> list[list[Row]]:
    """Everything that was computed."""
    return [
        sorted(
            ({name: value for name, value in row.items() if name != "changed_at"} for row in store.select(table)),
            key=str,
        )
        for table in (EVENTS, EVENT_REACHES, MEMBERS, READINGS)
    ]


def groups(store: Store) -> set[frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in store.select(MEMBERS):
        found.setdefault(row["event"], set()).add(row["page"])
    return set(map(frozenset, found.values()))


ALL = {frozenset({"fire", "copy"}), frozenset({"quake", "again"}), frozenset({"other"}), frozenset({"late"})}


@pytest.fixture
def analysed(store: Store) -> Store:
    put(store, *STREAM)
    running.run(store)
    return store


def test_an_event_has_name_time_place_people_and_sources(analysed: Store) -> None:
    assert groups(analysed) == ALL
    event = analysed.get(EVENTS, "quake") or {}
    assert event["name"] == "辽宁海城发生4.3级地震"
    assert (event["begin"], event["place"][:2], event["place_code"][:2]) == ("2026-05-10T06:53:00", "辽宁", "21")
    assert event["people"] == ["李晓梅"]
    assert (event["first_at"], event["first_site"]) == ("2026-05-10T00:00:00+00:00", "a.example")
    assert [each["site"] for each in event["sites"]] == ["a.example", "b.example"]
    assert (event["pages"], event["site_count"], event["topic"]) == (2, 2, "安全")
    texts = {page[0]: page[2] for page in STREAM}
    assert all(each["sentence"] in texts[each["page"]] for each in event["elements"])
    assert {each["kind"] for each in event["elements"]} == {"when", "where", "who"}


def test_what_rules_look_for_is_kept_and_made_for_older_stores(analysed: Store) -> None:
    rows = sorted(analysed.select(EVENT_REACHES), key=lambda row: row["event"])
    assert [(row["event"], row["sites"], row["width"]) for row in rows] == [
        ("fire", 2, 15 * 3_600),
        ("quake", 2, 3_600),
    ]
    analysed.remove(EVENT_REACHES, []).result()
    analysed.change(ANALYSIS_JOBS, [], {"state": {}}).result()  # as a version without these rows has left it
    running.run(analysed)
    assert sorted(analysed.select(EVENT_REACHES), key=lambda row: row["event"]) == rows


def test_names_and_times_can_be_marked_in_the_text(analysed: Store) -> None:
    text = f"{STREAM[2][1]}\n{STREAM[2][2]}"
    row = analysed.get(READINGS, "again") or {}
    assert ("person", "李晓梅") in [(name[2], text[name[0] : name[1]]) for name in row["names"]]
    assert ("2026-05-10T06:53:00", "今天06时53分") in [(each[2], text[each[0] : each[1]]) for each in row["times"]]


@pytest.mark.parametrize("seed", [2])
def test_any_order_of_pages_gives_the_same_as_a_rebuild(store: Store, seed: int) -> None:
    pages = list(STREAM)
    random.Random(seed).shuffle(pages)
    for start in range(0, len(pages), 2):
        put(store, *pages[start : start + 2])
        running.run(store)
    put(store, ("fire", "温州鞋厂火灾原因查明", FIRE, "2026-05-09T23:00:00+08:00", "a.example"))
    running.run(store)
    incremental = tables(store)
    running.rebuild(store)
    assert tables(store) == incremental
    assert groups(store) == ALL


class _Reads:
    """A store that notes which readings are read."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.pages: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def select(self, table: Any, *args: Any, **named: Any) -> Iterator[Any]:
        for row in self._store.select(table, *args, **named):
            self.pages += [row["page"]] if table is READINGS else []
            yield row


def test_what_is_restored_is_bounded_and_gives_the_same_as_a_rebuild(
    store: Store,
) -> None:
    days = range(1, 29)
    pages = [
        (f"p{day}", f"温州鞋厂火灾{day // 3}", FIRE * (1 + day % 2), f"2026-05-{day:02}T08:00:00+08:00", "a.example")
        for day in days
    ]
    for start in range(0, len(pages), 9):
        put(store, *pages[start : start + 9])
        running.run(store)
    reads = _Reads(store)
    restored(reads, Settings(window_days=4, counted=5))  # type: ignore[arg-type]
    assert {"p25", "p28"} <= set(reads.pages) <= {f"p{day}" for day in range(20, 29)}
    put(store, ("late", "温州鞋厂火灾7", FIRE, "2026-05-22T08:00:00+08:00", "b.example"))
    running.run(store)
    incremental = tables(store)
    running.rebuild(store)
    assert tables(store) == incremental


def test_a_date_in_the_future_does_not_end_what_goes_on(store: Store) -> None:
    future = ("future", "海城地震百年", QUAKE.replace("4.3级", "强烈"), "2126-05-10T08:00:00+08:00", "z.example")
    put(store, *STREAM[:2], future)
    running.run(store)
    put(store, *STREAM[2:])
    running.run(store)
    assert (store.get(MEMBERS, "future") or {})["at"] == "2026-10-01T00:00:00+00:00"
    assert groups(store) == {*ALL, frozenset({"future"})}
    assert {row["page"] for row in store.select(MEMBERS)} == {"future", *(page[0] for page in STREAM)}


def test_pages_that_are_lists_now_leave_their_events(analysed: Store) -> None:
    put(analysed, STREAM[1], kind="list")
    running.run(analysed)
    assert groups(analysed) == {group - {"quake"} for group in ALL}
    assert analysed.get(EVENTS, "quake") is None
    assert (analysed.get(EVENTS, "again") or {})["pages"] == 1


def test_comments_are_counted_as_they_come(analysed: Store) -> None:
    analysed.upsert(
        RECORDS, [{"page": "quake", "key": str(number), "text": "震", "is_first": 0} for number in range(3)]
    ).result()
    analysed.write(waiting_rows(["quake"])).result()
    running.run(analysed)
    assert (analysed.get(EVENTS, "quake") or {})["comments"] == 3


def test_decisions_of_people_hold(analysed: Store) -> None:
    decide(analysed, "split", "fire", "copy", by="ann")
    merge = decide(analysed, "merge", "other", "again")
    decide(analysed, "rename", "again", value="两次地震")
    decide(analysed, "drop", "late")
    running.run(analysed)
    wanted = {frozenset({"fire"}), frozenset({"copy"}), frozenset({"quake", "again", "other"}), frozenset({"late"})}
    assert groups(analysed) == wanted
    assert (analysed.get(EVENTS, "quake") or {})["name"] == "两次地震"
    assert (analysed.get(EVENTS, "late") or {})["state"] == "dropped"
    decided = tables(analysed)
    running.rebuild(analysed)
    assert tables(analysed) == decided
    undo(analysed, merge)
    running.run(analysed)
    assert groups(analysed) == wanted - {frozenset({"quake", "again", "other"})} | {
        frozenset({"quake", "again"}),
        frozenset({"other"}),
    }


def test_an_analysis_that_goes_on_applies_a_decision_while_no_page_waits(analysed: Store) -> None:
    with running.working(analysed) as (steps, _):
        work_once(analysed, steps)
        merge = decide(analysed, "merge", "other", "again")
        work_once(analysed, steps)
        assert frozenset({"quake", "again", "other"}) in groups(analysed)
        undo(analysed, merge)
        work_once(analysed, steps)
        assert groups(analysed) == ALL


class _EndError(Exception):
    pass


class _Ending:
    """A store whose process ends after a number of writes; a write is a part of its rows only, as on a server."""

    def __init__(self, store: Store, writes: int) -> None:
        self._store, self._left = store, writes

    @property
    def location(self) -> str:
        return self._store.location

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method: Callable[..., Any] = getattr(self._store, name)

        def counted(*args: Any, **named: Any) -> Any:
            if name in ("upsert", "change", "remove", "write"):
                if not self._left:
                    if name == "write":
                        self._store.write(args[0][: len(args[0]) // 2]).result()
                    raise _EndError
                self._left -= 1
            return method(*args, **named)

        return counted


@pytest.mark.parametrize("writes", [9, 12, 16])
def test_a_kill_loses_and_doubles_nothing(tmp_path: Any, writes: int) -> None:
    from pipelines.stores.opening import open_store

    with contextlib.closing(open_store(f"sqlite:///{tmp_path}/a.db")) as store:
        put(store, *STREAM[2:])
        running.run(store)
        put(store, ("again", "温州鞋厂火灾原因查明", FIRE, "2026-05-10T07:00:00+08:00", "a.example"), *STREAM[:2])
        with contextlib.suppress(_EndError):
            running.run(_Ending(store, writes))  # type: ignore[arg-type]
        for job in ("analysis", *running.STEPS):
            _free(store, job)
        running.run(store)
        after = tables(store)
        running.rebuild(store)
        assert tables(store) == after


def _free(store: Store, job: str) -> None:
    """As when the lease of the dead process has ended."""
    from pipelines.stores.analysis_tables import ANALYSIS_JOBS

    if store.get(ANALYSIS_JOBS, job):
        store.upsert(ANALYSIS_JOBS, [{"name": job, "until": 0.0}]).result()

"""The queue of changed pages and the lease, on both stores."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event

import pytest

from analysis import running
from analysis.jobs import StoredPage, queue_all_pages, work_once
from pipelines.lease import Lease, LeaseLostError
from pipelines.stores.analysis_tables import ANALYSIS_JOBS, ANALYSIS_QUEUE
from pipelines.stores.base import Store, StoreAwayError
from pipelines.stores.tables import PAGES, RECORDS
from pipelines.waiting import waiting_rows


@dataclass
class Noting:
    """A step that notes the pages that it is given."""

    seen: list[StoredPage] = field(default_factory=list)
    meanwhile: Callable[[], None] = lambda: None
    tidied: int = 0

    def process(self, pages: Sequence[StoredPage]) -> None:
        self.seen.extend(pages)
        self.meanwhile()

    def tidy(self) -> None:
        self.tidied += 1

    def close(self) -> None:
        """Nothing is open."""

    def clear(self) -> None:
        self.seen.clear()


def put_page(store: Store, key: str, title: str = "标题") -> None:
    page = {
        "key": key,
        "title": title,
        "published_at": "2026-11-02T08:00:00+00:00",
        "fetched_at": "2026-11-03T00:00:00+00:00",
    }
    store.write([(PAGES, page), *waiting_rows([key])]).result()


@pytest.mark.parametrize(
    ("precision", "seen", "at"),
    [
        ("day", "2026-03-03T12:43:00+00:00", "2026-03-03T12:43:00+00:00"),
        ("day", "2026-03-02T23:10:00+00:00", "2026-03-03T00:00:00+00:00"),
        ("day", "2026-03-09T12:43:00+00:00", "2026-03-03T12:00:00+00:00"),
        ("minute", "2026-03-03T12:43:00+00:00", "2026-03-03T00:00:00+00:00"),
        ("day", "", "2026-03-03T12:00:00+00:00"),
    ],
)
def test_a_page_whose_day_alone_is_known_is_counted_within_it(precision: str, seen: str, at: str) -> None:
    row = {"published_at": "2026-03-03T00:00:00+00:00", "published_precision": precision, "first_seen": seen}
    assert StoredPage("p", row | {"fetched_at": ""}, []).at == at


def test_pages_are_given_once_with_their_records(store: Store) -> None:
    put_page(store, "a")
    put_page(store, "b")
    store.upsert(RECORDS, [{"page": "a", "key": "1", "text": "一楼"}]).result()
    step = Noting()
    assert work_once(store, [step]) == 2
    assert {page.key: len(page.records) for page in step.seen} == {"a": 1, "b": 0}
    assert step.seen[0].at == "2026-11-02T08:00:00+00:00"
    assert work_once(store, [step]) == 0
    assert (len(step.seen), step.tidied) == (2, 1)


def test_a_page_that_changes_during_the_work_waits_again(store: Store) -> None:
    put_page(store, "a", "old")
    step = Noting(meanwhile=lambda: put_page(store, "a", "new"))
    work_once(store, [step])
    assert store.count(ANALYSIS_QUEUE) == 1
    work_once(store, [step])
    assert [page.text("title") for page in step.seen] == ["old", "new"]


def test_a_page_stays_in_the_queue_if_a_step_fails(store: Store) -> None:
    put_page(store, "a")
    failing = Noting(meanwhile=lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        work_once(store, [failing])
    assert work_once(store, [Noting()]) == 1


def test_a_store_that_is_away_for_a_while_does_not_end_the_analysis(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(running, "_LEASE_RETRY_SECONDS", 0.0)
    put_page(store, "a")
    ended, tries = Event(), iter((StoreAwayError("The database is away."), None))

    def fail_first() -> None:
        if error := next(tries):
            raise error
        ended.set()

    running.follow(store, ended, more={"noting": lambda *_: Noting(meanwhile=fail_first)})
    assert store.count(ANALYSIS_QUEUE) == 0
    assert "The database is away. The analysis goes on when it is available." in caplog.text


def test_every_stored_page_can_be_queued(store: Store) -> None:
    store.upsert(PAGES, [{"key": f"p{number}"} for number in range(1_200)]).result()
    assert queue_all_pages(store) == 1_200
    assert store.count(ANALYSIS_QUEUE) == 1_200


def test_one_node_has_the_job_until_it_gives_it_up(opened: Callable[[], Store]) -> None:
    one, other = Lease(opened(), "job"), Lease(opened(), "job")
    assert (one.gain(), other.gain(), one.gain()) == (True, False, True)
    one.release()
    assert (other.gain(), one.gain()) == (True, False)


def test_a_node_that_has_died_loses_the_job(store: Store) -> None:
    dead, heir = Lease(store, "job", seconds=0.2), Lease(store, "job", seconds=60)
    assert dead.gain()
    dead.state()
    dead.save({"number": 1})
    time.sleep(0.25)
    assert heir.gain()
    assert heir.state() == {"number": 1}
    heir.save({"number": 2})
    with pytest.raises(LeaseLostError):
        dead.save({"number": 3})
    with pytest.raises(LeaseLostError):
        dead.renew()
    assert (store.get(ANALYSIS_JOBS, "job") or {})["state"] == {"number": 2}


def test_a_lease_outlives_no_clock_that_is_set_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    real, ahead = time.time, 30 * 86_400.0
    monkeypatch.setattr(time, "time", lambda: real() + ahead)
    held, dead = Lease(store, "held", seconds=20), Lease(store, "dead", seconds=20)
    assert held.gain()
    assert dead.gain()
    monkeypatch.setattr(time, "time", real)
    held.renew()
    assert not Lease(store, "held", seconds=20).gain()
    assert Lease(store, "dead", seconds=20).gain()

"""A request that waits moves up when a better way to it is found."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.frontier.base import Entry, Politeness
from crawler.frontier.sqlite import SqliteFrontier


@pytest.fixture
def frontier(tmp_path: Path) -> Iterator[SqliteFrontier]:
    """Three requests of two hosts, no pause."""
    made = SqliteFrontier(tmp_path / "frontier.db", Politeness(0, 10))
    made.push([Entry(1, "a", 500, b"1"), Entry(2, "a", 300, b"2"), Entry(3, "b", 400, b"3")])
    yield made
    made.close()


def test_it_comes_before_others_of_its_host_and_of_other_hosts(frontier: SqliteFrontier) -> None:
    assert frontier.promote(2, 900)
    assert [lease.payload for lease in frontier.pop(3)] == [b"2", b"1", b"3"]


def test_what_is_worse_gone_or_unknown_stays(frontier: SqliteFrontier) -> None:
    (first,) = frontier.pop(1)
    assert not frontier.promote(1, 900)
    frontier.ack([first.token])
    assert not frontier.promote(1, 900)
    assert not frontier.promote(3, 200)
    assert not frontier.promote(99, 900)


def test_accounts_stay_as_they_were(frontier: SqliteFrontier) -> None:
    before = frontier.accounts()
    frontier.promote(3, 900)
    assert frontier.accounts() == before

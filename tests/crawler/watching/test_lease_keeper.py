"""A lease is kept beside the event loop; a process that cannot renew it visits nothing."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from crawler.watching import lease_keeper
from crawler.watching.lease_keeper import LeaseKeeper
from pipelines.stores.base import Store, StoreAwayError
from pipelines.stores.opening import open_store


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lease of a second."""
    for name, seconds in (("LEASE_SECONDS", 1.0), ("_TURN_SECONDS", 0.05), ("_SAFETY_SECONDS", 0.1)):
        monkeypatch.setattr(lease_keeper, name, seconds)


class Severed:
    """A store that can be cut off."""

    def __init__(self, store: Store) -> None:
        self._store, self.away = store, False

    def __getattr__(self, name: str) -> Any:
        if self.away and name in ("get", "change"):
            raise StoreAwayError("nobody answers")
        return getattr(self._store, name)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.02)


def run(tmp_path: Path, test: Callable[[Severed, LeaseKeeper, LeaseKeeper], Awaitable[None]]) -> None:
    async def both() -> None:
        cut: Any = Severed(open_store(f"sqlite:///{tmp_path / 'x.db'}"))
        first = LeaseKeeper(cut, "w")
        await until(first.may_visit)
        second = LeaseKeeper(open_store(f"sqlite:///{tmp_path / 'x.db'}"), "w")
        await until(lambda: second.is_standby)
        try:
            await test(cut, first, second)
        finally:
            await first.close()
            await second.close()

    asyncio.run(both())


def test_the_lease_is_renewed_and_released_at_the_end(tmp_path: Path) -> None:
    async def test(cut: Severed, first: LeaseKeeper, second: LeaseKeeper) -> None:
        assert "standby" in second.reason_to_wait()
        await asyncio.sleep(1.5)
        assert first.may_visit()
        assert not second.may_visit()
        await first.close()
        assert not first.may_visit()
        await until(second.may_visit)
        assert second.reason_to_wait() == ""

    run(tmp_path, test)


def test_who_cannot_renew_stops_before_the_standby_goes_on_and_is_then_the_standby(tmp_path: Path) -> None:
    async def test(cut: Severed, first: LeaseKeeper, second: LeaseKeeper) -> None:
        cut.away = True
        await until(lambda: not first.may_visit())
        assert not second.may_visit()
        assert first.tenure == 1
        assert "not renewed" in first.reason_to_wait()
        await until(second.may_visit)
        cut.away = False
        await until(lambda: first.is_standby)
        assert not first.may_visit()
        assert second.may_visit()

    run(tmp_path, test)


def test_who_was_cut_off_goes_on_where_nobody_has_taken_the_lease(tmp_path: Path) -> None:
    async def test(cut: Severed, first: LeaseKeeper, second: LeaseKeeper) -> None:
        await second.close()
        cut.away = True
        await until(lambda: not first.may_visit())
        await asyncio.sleep(0.3)
        cut.away = False
        await until(first.may_visit)

    run(tmp_path, test)

"""The state of a process while it holds the lease of a watch."""

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Self

from scrapy.settings import BaseSettings

from crawler.clock import crawl_time
from crawler.watching.lease_keeper import LeaseKeeper
from crawler.watching.pushing import Pushes, open_pushes
from crawler.watching.watcher import Watcher, WatchPlan
from pipelines.stores.base import Store, StoreError


@dataclass(frozen=True, slots=True)
class WatchShift:
    """Lasts from the acquisition of the lease to its loss.

    Attributes:
        tenure: number of the acquisition, see `LeaseKeeper`.
        pushes: the hubs of the watch, if they can reach this machine.
    """

    tenure: int
    watcher: Watcher
    pushes: Pushes | None

    @classmethod
    async def begin(cls, keeper: LeaseKeeper, plan: WatchPlan, store: Store, settings: BaseSettings) -> Self:
        """Load the state stored by the last holder. Raises StoreAwayError if it cannot be read at present."""
        tenure = keeper.tenure
        watcher = await asyncio.to_thread(Watcher.load, plan, store, keeper.may_visit, crawl_time())
        return cls(tenure, watcher, open_pushes(settings, watcher.watch, crawl_time))

    async def store(self) -> None:
        """Store all that was learned, as far as that is possible."""
        with contextlib.suppress(StoreError):
            await asyncio.wrap_future(self.watcher.store_all(crawl_time()))

    async def close(self) -> None:
        """Stop listening to hubs."""
        if self.pushes is not None:
            await self.pushes.close()
